// Packs as files: is each one there, whole, and the one it says it is? Frames of recipes are looked into in
// check_recipes.cc, frames of contents in check_packed.cc.
#include <fmt/format.h>

#include <algorithm>

#include "base/coding.h"
#include "fsck/check_files.h"
#include "fsck/inspection.h"
#include "refs/pack_table.h"
#include "refs/sealed.h"

namespace blockarch {
namespace {

constexpr char kStage[] = "packs";
constexpr std::size_t kFrameCacheBytes = std::size_t{256} << 20;

Result<void> take_pack(const std::string& directory, const Hash256& name, const std::shared_ptr<FrameCache>& cache,
                       FindingLog& log, PackStates& states) {
  const std::string path = directory + "/" + pack_file_name(name);
  auto pack = Pack::open(posix_files(), path, cache);
  if (!pack) {
    const Error& error = pack.error();
    if (error.code == ErrorCode::permission || error.code == ErrorCode::unsupported) return error;
    if (error.code == ErrorCode::not_found) {
      log.add(findings::kPackMissing, path + " is missing, and with it all that it held");
    } else {
      log.add(findings::kPackDamaged, error.message);
    }
    return {};
  }
  if ((*pack)->name() != name) {
    log.add(findings::kPackMisnamed, fmt::format("{} says that it is {}", path, (*pack)->name().hex()));
  }
  PackState state;
  state.pack = std::move(*pack);
  const PackDirectory& content = state.pack->directory();
  state.damaged_frames.resize(content.frames.size());
  state.broken_lists.resize(content.lists);
  state.missing_contents.resize(content.external_contents);
  state.missing_lists.resize(content.external_lists);
  states.push_back(std::move(state));
  return {};
}

const char* type_name(FrameType type) {
  switch (type) {
    case FrameType::content:
      return "blocks and layouts";
    case FrameType::recipe:
      return "lists and versions";
    case FrameType::metadata:
      return "metadata";
    case FrameType::versions:
      return "ids of versions";
    case FrameType::externals:
      return "ids of objects that stand elsewhere";
    case FrameType::content_index:
    case FrameType::recipe_index:
      return "the index";
  }
  return "nothing";
}

bool is_index(FrameType type) {
  return type == FrameType::content_index || type == FrameType::recipe_index;
}

class PackCheck {
 public:
  PackCheck(Inspection& inspection, PackState& state)
      : in_(inspection), state_(state), pack_(*state.pack), directory_(pack_.directory()) {}

  Result<void> check_frames(std::uint64_t& done, std::uint64_t total) {
    for (std::uint32_t frame = 0; frame < directory_.frames.size(); ++frame) {
      const FrameEntry& entry = directory_.frames[frame];
      auto loaded = loads(frame);
      if (!loaded && loaded.error().code == ErrorCode::permission) return loaded;
      if (!loaded) {
        state_.damaged_frames[frame] = true;
        in_.log.add(is_index(entry.type) ? findings::kPackIndexWrong : findings::kPackFrameDamaged,
                    fmt::format("{} (frame {}: {})", loaded.error().message, frame, type_name(entry.type)));
      } else if (entry.prefix && state_.damaged_frames[*entry.prefix]) {
        state_.damaged_frames[frame] = true;
        in_.log.add(findings::kPackFrameDamaged,
                    fmt::format("{}: frame {} ({}) cannot be had without frame {}, which is damaged", pack_.path(),
                                frame, type_name(entry.type), *entry.prefix));
      }
      in_.progress(kStage, ++done, total);
    }
    const auto trailer = pack_.check_trailer();
    if (trailer) return {};
    if (trailer.error().code == ErrorCode::permission) return trailer;
    in_.log.add(findings::kPackDamaged, trailer.error().message);
    return {};
  }

  void check_indexes() {
    if (!check_content_index()) {
      in_.log.add(findings::kPackIndexWrong,
                  fmt::format("{}: the index of contents does not fit the frames", pack_.path()));
    }
    if (!check_recipe_index()) {
      in_.log.add(findings::kPackIndexWrong,
                  fmt::format("{}: the index of lists and versions does not fit them", pack_.path()));
    }
  }

  // Every number once, in one pack.
  Result<void> take_numbers(const PackList& before) {
    for (const NumberRun& run : directory_.version_numbers) {
      for (std::uint32_t i = 0; i < run.length; ++i) {
        if (in_.versions.is_packed(run.number + i)) BA_TRY(compare_versions(before, run.number + i, run.ordinal + i));
        in_.versions.add_packed(run.number + i);
      }
    }
    for (const NumberRun& run : directory_.metadata_numbers) {
      for (std::uint32_t i = 0; i < run.length; ++i) {
        if (in_.metadata.is_packed(run.number + i)) BA_TRY(compare_metadata(before, run.number + i, run.ordinal + i));
        in_.metadata.add_packed(run.number + i);
      }
    }
    return {};
  }

 private:
  // Frames that stand as they are written are taken apart here, others once they are decompressed.
  Result<void> loads(std::uint32_t frame) const {
    const FrameEntry& entry = directory_.frames[frame];
    BA_TRY(pack_.stored_frame(frame));
    switch (entry.type) {
      case FrameType::versions:
        if (entry.count > 0) BA_TRY(pack_.version_id(entry.first));
        return {};
      case FrameType::externals:
        if (entry.count > 0) BA_TRY(pack_.external_content(entry.first));
        if (entry.lists > 0) BA_TRY(pack_.external_list(entry.first_list));
        return {};
      case FrameType::content_index:
      case FrameType::recipe_index:
        BA_TRY(pack_.index_frame(frame));
        return {};
      case FrameType::content:
      case FrameType::metadata:
      case FrameType::recipe:
        return {};
    }
    return {};
  }

  // Calls `take` with the entries of an index in order; false where they are not in order, or `take` says so.
  template <typename Take>
  bool each_entry(FrameType type, Take take) const {
    std::uint64_t last = 0;
    for (std::uint32_t frame = 0; frame < directory_.frames.size(); ++frame) {
      if (directory_.frames[frame].type != type) continue;
      const auto index = pack_.index_frame(frame);
      if (!index) return false;
      for (const IndexEntry& entry : (*index)->index().entries()) {
        if (entry.head < last || !take(entry)) return false;
        last = entry.head;
      }
    }
    return true;
  }

  // As many entries lead to a frame as it has objects.
  bool check_content_index() const {
    std::vector<std::uint32_t> counts(directory_.frames.size());
    const bool sound = each_entry(FrameType::content_index, [&](const IndexEntry& entry) {
      if (entry.value >= counts.size()) return false;
      ++counts[entry.value];
      return true;
    });
    for (std::uint32_t frame = 0; sound && frame < counts.size(); ++frame) {
      const FrameEntry& entry = directory_.frames[frame];
      const bool holds = entry.type == FrameType::content || entry.type == FrameType::metadata;
      if (counts[frame] != (holds ? entry.count : 0)) return false;
    }
    return sound;
  }

  // Each list and each version once, each tree once where it stands.
  bool check_recipe_index() const {
    const std::uint64_t size = std::uint64_t{directory_.lists} + 2 * std::uint64_t{directory_.versions};
    std::vector<bool> found(size);
    const bool sound = each_entry(FrameType::recipe_index, [&](const IndexEntry& entry) {
      if (entry.value >= size || found[entry.value]) return false;
      return found[entry.value] = true, true;
    });
    const std::uint64_t trees = std::uint64_t{directory_.lists} + directory_.versions;
    for (std::uint64_t i = 0; sound && i < size; ++i) {
      if (i < trees && !found[i]) return false;
      if (i < trees) continue;
      const auto head = pack_.version_head(static_cast<std::uint32_t>(i - trees));
      if (head && found[i] != (head->tree_back == 0)) return false;
    }
    return sound;
  }

  Result<void> compare_versions(const PackList& before, std::uint32_t number, std::uint32_t ordinal) {
    const auto own = pack_.version_id(ordinal);
    for (const auto& other : before) {
      const auto place = other->version_ordinal(number);
      const auto id = place ? other->version_id(*place) : own;
      if (own && id && *own != *id) conflict("version", number, *other);
    }
    return {};
  }

  Result<void> compare_metadata(const PackList& before, std::uint32_t number, std::uint32_t ordinal) {
    const auto own = pack_.metadata(ordinal);
    for (const auto& other : before) {
      const auto place = other->metadata_ordinal(number);
      const auto content = place ? other->metadata(*place) : own;
      if (own && content && own->id() != content->id()) conflict("metadata", number, *other);
    }
    return {};
  }

  void conflict(const char* what, std::uint32_t number, const Pack& other) {
    in_.log.add(findings::kNumberConflict, fmt::format("{} number {} is one in {} and another one in {}", what, number,
                                                       other.path(), pack_.path()));
  }

  Inspection& in_;
  PackState& state_;
  const Pack& pack_;
  const PackDirectory& directory_;
};

// Frames whose index entries begin as the id does.
std::vector<std::uint32_t> candidate_frames(const Pack& pack, const Hash256& id) {
  const PackDirectory& directory = pack.directory();
  std::vector<std::uint32_t> parts;
  std::uint64_t total = 0;
  for (std::uint32_t frame = 0; frame < directory.frames.size(); ++frame) {
    if (directory.frames[frame].type != FrameType::content_index) continue;
    parts.push_back(frame);
    total += directory.frames[frame].count;
  }
  std::vector<std::uint32_t> found;
  const std::uint64_t part = bucket_of(head_of(id), bucket_bits(total)) / kBucketsPerPart;
  if (part >= parts.size()) return found;
  const auto index = pack.index_frame(parts[part]);
  constexpr int kWholeHead = 64;
  if (index) (*index)->index().find(head_of(id), kWholeHead, found);
  return found;
}

Held look_for_content(const Inspection& in, const Hash256& id) {
  Held held = Held::no;
  for (const PackState& state : in.packs) {
    for (const std::uint32_t frame : candidate_frames(*state.pack, id)) {
      if (frame >= state.damaged_frames.size()) continue;
      if (!state.damaged_frames[frame]) return Held::yes;
      held = Held::damaged;
    }
  }
  return held;
}

Held look_for_recipe(const Inspection& in, ObjectKind kind, const Hash256& id) {
  constexpr int kWholeHead = 64;
  Held held = Held::no;
  for (const PackState& state : in.packs) {
    const auto places = state.pack->candidate_recipes(head_of(id), kWholeHead);
    if (!places) continue;
    for (const Pack::RecipePlace& place : *places) {
      if (place.kind != kind) continue;
      if (kind == ObjectKind::version) {
        const auto own = state.pack->version_id(place.number);
        if (own && *own != id) continue;
      }
      if (kind != ObjectKind::list || !state.broken_lists[place.number]) return Held::yes;
      held = Held::damaged;
    }
  }
  return held;
}

}  // namespace

PackList list_of(const PackStates& states) {
  PackList packs;
  for (const PackState& state : states) packs.push_back(state.pack);
  return packs;
}

Held look_in_packs(const Inspection& in, ObjectKind kind, const Hash256& id) {
  const bool content = kind == ObjectKind::block || kind == ObjectKind::layout || kind == ObjectKind::metadata;
  return content ? look_for_content(in, id) : look_for_recipe(in, kind, id);
}

// Entry by entry: a damaged one must not hide the others.
Result<std::vector<Hash256>> listed_packs(const ReadTransaction& transaction, const Tables& tables, FindingLog& log) {
  std::vector<Hash256> names;
  if (tables.packs.handle == 0) return names;
  BA_ASSIGN(Cursor cursor, transaction.cursor(tables.packs));
  BA_ASSIGN(auto at, cursor.first());
  while (at) {
    const auto body = unseal(at->key, at->value, "packs");
    ByteReader reader(body ? *body : ByteView());
    const Hash256 name = reader.hash();
    if (!reader.finish("name") || at->key.size() != sizeof(std::uint32_t)) {
      log.add(findings::kPackEntryDamaged,
              fmt::format("the entry {} of table packs is damaged: which pack it named is lost",
                          to_hex(at->key.substr(0, 32))));
    } else if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
    BA_ASSIGN(at, cursor.next());
  }
  return names;
}

Result<PackStates> open_packs(const std::string& directory, const std::vector<Hash256>& names, FindingLog& log) {
  const auto cache = std::make_shared<FrameCache>(kFrameCacheBytes);
  PackStates states;
  std::vector<std::string> files;
  for (const Hash256& name : names) {
    BA_TRY(take_pack(directory, name, cache, log, states));
    files.push_back(name.hex() + kPackSuffix);
  }
  BA_TRY(check_pack_files(directory, files, log));
  return states;
}

Result<void> check_packs(Inspection& in) {
  std::uint64_t total = 0;
  std::uint64_t done = 0;
  for (const PackState& state : in.packs) total += state.pack->directory().frames.size();
  PackList before;
  for (PackState& state : in.packs) {
    PackCheck check(in, state);
    BA_TRY(check.check_frames(done, total));
    check.check_indexes();
    BA_TRY(check.take_numbers(before));
    before.push_back(state.pack);
    const PackDirectory& directory = state.pack->directory();
    in.report.objects += std::uint64_t{directory.contents} + directory.metadata + directory.lists + directory.versions;
  }
  return {};
}

}  // namespace blockarch
