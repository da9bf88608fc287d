// 1. From histories to versions and metadata, by number.
// 2. From each loose version to the ids of all that it is made of; from each packed one to contents and lists by number,
//    and to ids of what stands elsewhere.
// 3. Ids are looked up until nothing new is marked: a list has chunks of its own, a loose object may be a difference.
#include "engine/marking.h"

#include <algorithm>

#include "engine/upkeep.h"
#include "refs/removed.h"

namespace blockarch {
namespace {

std::uint64_t count_dead(const std::vector<bool>& marks) {
  return static_cast<std::uint64_t>(std::count(marks.begin(), marks.end(), false));
}

class Marker {
 public:
  Marker(const View& view, Time expires) : view_(view), expires_(expires) {}

  Result<Marks> run() {
    BA_ASSIGN(const std::uint32_t versions, view_.version_count());
    BA_ASSIGN(const std::uint32_t metadata, view_.metadata_count());
    marks_.versions.assign(versions, false);
    marks_.metadata.assign(metadata, false);
    for (const auto& pack : view_.objects.packs()) {
      const PackDirectory& d = pack->directory();
      marks_.packs.push_back({pack, std::vector<bool>(d.versions), std::vector<bool>(d.metadata),
                              std::vector<bool>(d.contents), std::vector<bool>(d.lists)});
    }
    BA_TRY(mark_refs());
    for (std::uint32_t n = 0; n < versions; ++n) {
      if (marks_.versions[n]) BA_TRY(mark_version(VersionNumber{n}));
    }
    for (std::uint32_t n = 0; n < metadata; ++n) {
      if (marks_.metadata[n]) BA_TRY(mark_metadata(MetadataNumber{n}));
    }
    BA_TRY(mark_wanted());
    return std::move(marks_);
  }

 private:
  Result<void> mark_observation(const Observation& o) {
    const bool known =
        o.version.value < marks_.versions.size() && (!o.metadata || o.metadata->value < marks_.metadata.size());
    if (!known) return Error{ErrorCode::corrupt, "a history names a number that was never given: run blockarch fsck"};
    marks_.versions[o.version.value] = true;
    if (o.metadata) marks_.metadata[o.metadata->value] = true;
    return {};
  }

  Result<void> mark_refs() {
    BA_ASSIGN(Cursor cursor, view_.transaction().cursor(view_.tables.history));
    BA_ASSIGN(auto entry, cursor.first());
    while (entry) {
      BA_ASSIGN(const auto observations, decode_chunk(entry->key, entry->value));
      for (const Observation& o : observations) BA_TRY(mark_observation(o));
      BA_ASSIGN(entry, cursor.next());
    }
    return each_removed(view_.transaction(), view_.tables, [this](const Removed& removed) -> Result<void> {
      if (removed.when <= expires_) return {};
      for (const Observation& o : removed.observations) BA_TRY(mark_observation(o));
      return {};
    });
  }

  PackMarks& marks_of(const Pack* pack) {
    return *std::find_if(marks_.packs.begin(), marks_.packs.end(),
                         [pack](const PackMarks& marks) { return marks.pack.get() == pack; });
  }

  // An id that must be there, wherever that is.
  void want(const Hash256& id) {
    if (marks_.loose.insert(id).second) wanted_.push_back(id);
  }

  Result<void> mark_version(VersionNumber number) {
    if (const auto packed = view_.objects.packed_version(number.value)) {
      PackMarks& marks = marks_of(packed->pack);
      marks.versions[packed->ordinal] = true;
      BA_ASSIGN(const VersionRecipe recipe, packed->pack->version(packed->ordinal));
      BA_TRY(mark_content(marks, recipe.layout));
      for (const RecipeNode& node : recipe.nodes) {
        if (node.is_leaf()) BA_TRY(node.is_list ? mark_list(marks, node.content) : mark_content(marks, node.content));
      }
      return {};
    }
    BA_ASSIGN(const VersionId id, view_.version_id(number));
    BA_ASSIGN(const Version version, load_version(view_.objects, id));
    want(id.hash);
    want(version.layout.hash);
    if (!marks_.loose.count(version.tree.hash)) {
      want(version.tree.hash);
      BA_ASSIGN(const BlockTree tree, load_block_tree(view_.objects, version.tree));
      for (const TreeNode& node : tree.nodes) {
        if (!node.is_leaf()) continue;
        if (node.content.kind == ObjectKind::list && !marks_.loose.count(node.content.hash)) {
          BA_ASSIGN(const BlockList list, load_block_list(view_.objects, ListId{node.content.hash}));
          for (const Chunk& chunk : list.chunks) want(chunk.id.hash);
        }
        want(node.content.hash);
      }
    }
    return {};
  }

  Result<void> mark_metadata(MetadataNumber number) {
    if (const auto packed = view_.objects.packed_metadata(number.value)) {
      marks_of(packed->pack).metadata[packed->ordinal] = true;
      return {};
    }
    BA_ASSIGN(const MetadataId id, view_.metadata_id(number));
    want(id.hash);
    return {};
  }

  Result<void> mark_content(PackMarks& marks, const PackRef& ref) {
    if (ref.external) {
      BA_ASSIGN(const Hash256 id, marks.pack->external_content(ref.number));
      want(id);
    } else if (ref.number < marks.contents.size()) {
      marks.contents[ref.number] = true;
    }
    return {};
  }

  Result<void> mark_list(PackMarks& marks, const PackRef& ref) {
    if (ref.external) {
      BA_ASSIGN(const Hash256 id, marks.pack->external_list(ref.number));
      want(id);
      return {};
    }
    if (ref.number >= marks.lists.size() || marks.lists[ref.number]) return {};
    marks.lists[ref.number] = true;
    BA_ASSIGN(const ListRecipe list, marks.pack->list(ref.number));
    for (const PackRef& chunk : list.chunks) BA_TRY(mark_content(marks, chunk));
    return {};
  }

  // Trees and versions of packs that loose objects are differences from stay with the versions that have them.
  Result<void> mark_wanted() {
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      const Hash256 id = wanted_[i];  // the list grows
      BA_ASSIGN(const auto value, view_.transaction().get(view_.tables.objects, id.view()));
      if (value) {
        BA_ASSIGN(const LooseStore::Stored stored, LooseStore::describe(*value));
        if (stored.base) want(*stored.base);
        continue;
      }
      for (PackMarks& marks : marks_.packs) {
        BA_ASSIGN(const auto place, view_.objects.locate(*marks.pack, id));
        if (!place) continue;
        BA_TRY(mark_place(marks, *place));
        break;
      }
    }
    return {};
  }

  Result<void> mark_place(PackMarks& marks, const Pack::RecipePlace& place) {
    switch (place.kind) {
      case ObjectKind::block:
      case ObjectKind::layout:
        marks.contents[place.number] = true;
        return {};
      case ObjectKind::metadata:
        marks.metadata[place.number] = true;
        return {};
      case ObjectKind::list:
        return mark_list(marks, {place.number, false});
      case ObjectKind::tree:
      case ObjectKind::version:
        return mark_version(VersionNumber{marks.pack->version_number(place.number)});
    }
    return {};
  }

  const View& view_;
  const Time expires_;
  Marks marks_;
  std::vector<Hash256> wanted_;
};

}  // namespace

std::uint64_t PackMarks::dead_versions() const {
  return count_dead(versions);
}
std::uint64_t PackMarks::dead_metadata() const {
  return count_dead(metadata);
}
std::uint64_t PackMarks::dead_objects() const {
  return count_dead(contents) + count_dead(lists);
}

Result<Marks> mark(const View& view, Time expires) {
  return Marker(view, expires).run();
}

}  // namespace blockarch
