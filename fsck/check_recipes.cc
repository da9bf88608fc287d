// From the lists and versions of packs to the frames that hold what they are made of, without decompressing those. What
// lies in a damaged frame is broken, and with it every version that needs it.
#include <fmt/format.h>

#include <unordered_map>

#include "fsck/inspection.h"

namespace blockarch {
namespace {

constexpr char kStage[] = "recipes";

class RecipeCheck {
 public:
  RecipeCheck(Inspection& inspection, PackState& state)
      : in_(inspection), state_(state), pack_(*state.pack), directory_(pack_.directory()) {
    for (std::uint32_t frame = 0; frame < directory_.frames.size(); ++frame) {
      if (!state_.damaged_frames[frame]) continue;
      const FrameEntry& entry = directory_.frames[frame];
      if (entry.type == FrameType::content) damaged_contents_.push_back({entry.first, entry.count, frame});
      if (entry.type == FrameType::recipe) damaged_versions_.push_back({entry.first, entry.count, frame});
      if (entry.type == FrameType::recipe) damaged_lists_.push_back({entry.first_list, entry.lists, frame});
      if (entry.type == FrameType::versions) damaged_ids_.push_back({entry.first, entry.count, frame});
      if (entry.type == FrameType::metadata) damaged_metadata_.push_back({entry.first, entry.count, frame});
    }
  }

  void check_external_contents() {
    for (std::uint32_t i = 0; i < directory_.external_contents; ++i) {
      const auto id = pack_.external_content(i);
      if (!id) {
        state_.missing_contents[i] = true;  // its frame is damaged
      } else if (ObjectCatalog::Entry* entry = in_.catalog.find(*id)) {
        entry->reached = true;
        state_.missing_contents[i] = in_.catalog.why_broken(*id) != nullptr;
      } else if (const Held held = look_in_packs(in_, ObjectKind::block, *id); held != Held::yes) {
        state_.missing_contents[i] = true;
        missing(*id, held);
      }
    }
  }

  // After the lists of all packs.
  void check_external_lists() {
    for (std::uint32_t i = 0; i < directory_.external_lists; ++i) {
      const auto id = pack_.external_list(i);
      if (!id) {
        state_.missing_lists[i] = true;
        continue;
      }
      if (ObjectCatalog::Entry* entry = in_.catalog.find(*id)) {
        entry->reached = true;
        state_.missing_lists[i] = in_.catalog.why_broken(*id) != nullptr;
      } else if (const Held held = look_in_packs(in_, ObjectKind::list, *id); held != Held::yes) {
        state_.missing_lists[i] = true;
        missing(*id, held);
      }
    }
  }

  Result<void> check_lists() {
    for (std::uint32_t i = 0; i < directory_.lists; ++i) {
      if (in_range(damaged_lists_, i)) {
        state_.broken_lists[i] = true;
        continue;
      }
      const auto recipe = pack_.list(i);
      if (!recipe && recipe.error().code != ErrorCode::corrupt) return recipe.error();
      std::string flaw = recipe ? "" : recipe.error().message;
      for (std::size_t k = 0; recipe && flaw.empty() && k < recipe->chunks.size(); ++k) {
        flaw = content_flaw(recipe->chunks[k]);
      }
      state_.broken_lists[i] = !flaw.empty();
      if (!recipe) wrong(fmt::format("list {}: {}", i, flaw));
    }
    return {};
  }

  Result<void> check_versions(std::uint64_t& done, std::uint64_t total) {
    for (std::uint32_t ordinal = 0; ordinal < directory_.versions; ++ordinal) {
      BA_ASSIGN(const std::string flaw, version_flaw(ordinal));
      if (!flaw.empty()) in_.versions.set_broken(pack_.version_number(ordinal), flaw);
      in_.progress(kStage, ++done, total);
    }
    return {};
  }

  void check_metadata() {
    for (const Range& range : damaged_metadata_) {
      for (std::uint32_t i = 0; i < range.count; ++i) {
        in_.metadata.set_broken(pack_.metadata_number(range.first + i), frame_flaw(range.frame));
      }
    }
  }

 private:
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t frame = 0;
  };

  static const Range* in_range(const std::vector<Range>& ranges, std::uint32_t number) {
    for (const Range& range : ranges) {
      if (number - range.first < range.count) return &range;
    }
    return nullptr;
  }

  std::string frame_flaw(std::uint32_t frame) const {
    return fmt::format("frame {} of {} is damaged", frame, pack_.path());
  }

  void missing(const Hash256& id, Held held) {
    in_.log.add(findings::kReferenceMissing, fmt::format("{} needs object {}, which is {}", pack_.path(), short_id(id),
                                                         held == Held::no ? "missing" : "damaged"));
  }

  void wrong(const std::string& message) {
    in_.log.add(findings::kPackRecipeWrong, fmt::format("{}: {}", pack_.path(), message));
  }

  // Reported here where it is the recipe's fault.
  std::string content_flaw(const PackRef& ref) {
    if (ref.number >= (ref.external ? directory_.external_contents : directory_.contents)) {
      wrong(fmt::format("a recipe names {} {}, which is not there", ref.external ? "external" : "content", ref.number));
      return fmt::format("a recipe of {} is wrong", pack_.path());
    }
    if (ref.external) {
      return state_.missing_contents[ref.number] ? fmt::format("an object that {} needs is missing", pack_.path()) : "";
    }
    const Range* range = in_range(damaged_contents_, ref.number);
    return range ? frame_flaw(range->frame) : "";
  }

  std::string list_flaw(const PackRef& ref) {
    if (ref.number >= (ref.external ? directory_.external_lists : directory_.lists)) {
      wrong(
          fmt::format("a recipe names {} {}, which is not there", ref.external ? "external list" : "list", ref.number));
      return fmt::format("a recipe of {} is wrong", pack_.path());
    }
    const bool bad = ref.external ? state_.missing_lists[ref.number] : state_.broken_lists[ref.number];
    return bad ? fmt::format("a list of {} cannot be put together", pack_.path()) : "";
  }

  // Empty where nothing is wrong.
  Result<std::string> version_flaw(std::uint32_t ordinal) {
    if (const Range* range = in_range(damaged_ids_, ordinal)) return frame_flaw(range->frame);
    if (const Range* range = in_range(damaged_versions_, ordinal)) return frame_flaw(range->frame);
    const auto head = pack_.version_head(ordinal);
    if (!head) return malformed(ordinal, head.error());
    if (head->type >= directory_.types.size()) {
      wrong(fmt::format("version {} has type {}, which is not there", ordinal, head->type));
      return fmt::format("a recipe of {} is wrong", pack_.path());
    }
    std::string flaw = content_flaw(head->layout);
    if (head->tree_back == 0) {
      BA_ASSIGN(const std::string below, tree_flaw(ordinal));
      if (!below.empty()) tree_flaws_.emplace(ordinal, below);
      return flaw.empty() ? below : flaw;
    }
    if (head->tree_back > ordinal) {
      wrong(fmt::format("version {} shares a tree with none", ordinal));
      return fmt::format("a recipe of {} is wrong", pack_.path());
    }
    const std::uint32_t owner = ordinal - head->tree_back;
    if (const Range* range = in_range(damaged_versions_, owner)) return frame_flaw(range->frame);
    const auto whole = tree_flaws_.contains(owner) ? Result<VersionRecipe>(VersionRecipe{}) : pack_.version_head(owner);
    if (whole && whole->tree_back != 0) {
      wrong(fmt::format("version {} shares the tree of one that has none itself", ordinal));
      return fmt::format("a recipe of {} is wrong", pack_.path());
    }
    const auto shared = tree_flaws_.find(owner);
    return flaw.empty() && shared != tree_flaws_.end() ? shared->second : flaw;
  }

  Result<std::string> malformed(std::uint32_t ordinal, const Error& error) {
    if (error.code != ErrorCode::corrupt) return error;
    wrong(fmt::format("version {}: {}", ordinal, error.message));
    return error.message;
  }

  Result<std::string> tree_flaw(std::uint32_t ordinal) {
    const auto recipe = pack_.version(ordinal);
    if (!recipe) return malformed(ordinal, recipe.error());
    for (const RecipeNode& node : recipe->nodes) {
      if (!node.is_leaf()) continue;
      std::string flaw = node.is_list ? list_flaw(node.content) : content_flaw(node.content);
      if (!flaw.empty()) return flaw;
    }
    return std::string();
  }

  Inspection& in_;
  PackState& state_;
  const Pack& pack_;
  const PackDirectory& directory_;
  std::vector<Range> damaged_contents_;
  std::vector<Range> damaged_lists_;
  std::vector<Range> damaged_versions_;
  std::vector<Range> damaged_ids_;
  std::vector<Range> damaged_metadata_;
  std::unordered_map<std::uint32_t, std::string> tree_flaws_;  // by the ordinal of the version that has the tree
};

}  // namespace

Result<void> check_recipes(Inspection& in) {
  std::vector<RecipeCheck> checks;
  std::uint64_t total = 0;
  std::uint64_t done = 0;
  for (PackState& state : in.packs) {
    checks.emplace_back(in, state);
    total += state.pack->directory().versions;
  }
  for (RecipeCheck& check : checks) check.check_external_contents();
  for (RecipeCheck& check : checks) BA_TRY(check.check_lists());
  for (RecipeCheck& check : checks) check.check_external_lists();
  for (RecipeCheck& check : checks) {
    check.check_metadata();
    BA_TRY(check.check_versions(done, total));
  }
  return {};
}

}  // namespace blockarch
