#include "engine/usage.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/url.h"
#include "engine/archive_impl.h"
#include "refs/history.h"

namespace blockarch {
namespace {

constexpr std::uint32_t kNobody = UINT32_MAX;
constexpr std::uint32_t kSeveral = UINT32_MAX - 1;

// Who uses an object: one URL, or several.
struct Use {
  std::uint32_t owner = kNobody;
  std::uint32_t last = kNobody;  // the URL that used it last, so that each counts it once
  std::uint64_t size = 0;
};

class UsageWalk {
 public:
  explicit UsageWalk(const View& view) : view_(view) {
    for (const auto& pack : view.objects.packs()) {
      packed_[pack.get()].resize(pack->directory().contents);
      lists_[pack.get()].resize(pack->directory().lists, kNobody);
    }
  }

  // URLs of one `user` come one after the other.
  Result<void> add(std::uint32_t user, UrlNumber number, UrlUsage& usage) {
    url_ = user;
    BA_ASSIGN(const auto observations, all_observations(view_.transaction(), view_.tables, number));
    std::unordered_map<std::uint32_t, std::uint64_t> sizes;
    for (const Observation& o : observations) {
      ++usage.captures;
      const auto known = sizes.find(o.version.value);
      if (known != sizes.end()) {
        usage.logical_bytes += known->second;
        continue;
      }
      BA_ASSIGN(const VersionFacts facts, view_.facts(o.version));
      sizes[o.version.value] = facts.payload_size;
      usage.logical_bytes += facts.payload_size;
      BA_TRY(use_version(o.version, usage));
    }
    usage.versions += sizes.size();
    return {};
  }

  // What each URL has for itself, once all are added.
  void settle(std::vector<UrlUsage>& all) const {
    const auto count = [&all](const Use& use) {
      if (use.owner < all.size()) all[use.owner].unique_bytes += use.size;
    };
    for (const auto& [pack, uses] : packed_) std::for_each(uses.begin(), uses.end(), count);
    for (const auto& [id, use] : loose_) count(use);
    for (UrlUsage& usage : all) usage.shared_bytes -= usage.unique_bytes;
  }

 private:
  // True for the first URL ever. `shared_bytes` counts all distinct bytes until settle().
  bool note(Use& use, std::uint64_t size, UrlUsage& usage) const {
    if (use.last == url_) return false;
    use.last = url_;
    use.size = size;
    usage.shared_bytes += size;
    const bool first = use.owner == kNobody;
    use.owner = first ? url_ : kSeveral;
    return first;
  }

  Result<void> use_content(const Pack& pack, const PackRef& ref, UrlUsage& usage) {
    if (ref.external) {
      BA_ASSIGN(const Hash256 id, pack.external_content(ref.number));
      return use_id(id, usage);
    }
    Use& use = packed_[&pack][ref.number];
    if (use.last == url_) return {};
    BA_ASSIGN(const Pack::Content content, pack.content(ref.number));
    if (note(use, content.bytes().size(), usage)) {
      BA_ASSIGN(const double ratio, pack.content_ratio(ref.number));
      usage.stored_bytes += static_cast<std::uint64_t>(ratio * static_cast<double>(content.bytes().size()));
    }
    return {};
  }

  Result<void> use_list(const Pack& pack, const PackRef& ref, UrlUsage& usage) {
    if (ref.external) {
      BA_ASSIGN(const BlockList list, view_.objects.list(pack, ref));
      for (const Chunk& chunk : list.chunks) BA_TRY(use_id(chunk.id.hash, usage));
      return {};
    }
    std::uint32_t& last = lists_[&pack][ref.number];
    if (last == url_) return {};
    last = url_;
    BA_ASSIGN(const ListRecipe list, pack.list(ref.number));
    for (const PackRef& chunk : list.chunks) BA_TRY(use_content(pack, chunk, usage));
    return {};
  }

  // An object that is named by its id: loose, or in another pack.
  Result<void> use_id(const Hash256& id, UrlUsage& usage) {
    BA_ASSIGN(const auto value, view_.transaction().get(view_.tables.objects, id.view()));
    if (value) {
      BA_ASSIGN(const LooseStore::Stored stored, LooseStore::describe(*value));
      if (note(loose_[id], stored.size, usage)) usage.stored_bytes += id.bytes.size() + value->size();
      return {};
    }
    for (const auto& pack : view_.objects.packs()) {
      BA_ASSIGN(const auto place, view_.objects.locate(*pack, id));
      if (!place) continue;
      if (place->kind == ObjectKind::list) return use_list(*pack, {place->number, false}, usage);
      return use_content(*pack, {place->number, false}, usage);
    }
    return {};
  }

  Result<void> use_version(VersionNumber number, UrlUsage& usage) {
    if (const auto packed = view_.objects.packed_version(number.value)) {
      BA_ASSIGN(const VersionRecipe recipe, packed->pack->version(packed->ordinal));
      BA_TRY(use_content(*packed->pack, recipe.layout, usage));
      for (const RecipeNode& node : recipe.nodes) {
        if (!node.is_leaf()) continue;
        BA_TRY(node.is_list ? use_list(*packed->pack, node.content, usage)
                            : use_content(*packed->pack, node.content, usage));
      }
      if (seen_versions_.insert(number.value).second) {
        BA_ASSIGN(const std::uint64_t cost, packed->pack->version_cost(packed->ordinal));
        usage.stored_bytes += cost;
      }
      return {};
    }
    BA_ASSIGN(const VersionId id, view_.version_id(number));
    BA_ASSIGN(const Version version, load_version(view_.objects, id));
    BA_ASSIGN(const BlockTree tree, load_block_tree(view_.objects, version.tree));
    if (seen_versions_.insert(number.value).second) {
      for (const Hash256& part : {id.hash, version.tree.hash}) {
        BA_ASSIGN(const auto value, view_.transaction().get(view_.tables.objects, part.view()));
        if (value) usage.stored_bytes += part.bytes.size() + value->size();
      }
    }
    BA_TRY(use_id(version.layout.hash, usage));
    for (const TreeNode& node : tree.nodes) {
      if (!node.is_leaf()) continue;
      if (node.content.kind == ObjectKind::block) {
        BA_TRY(use_id(node.content.hash, usage));
        continue;
      }
      if (!lists_seen_.insert({url_, node.content.hash}).second) continue;
      BA_ASSIGN(const BlockList list, load_block_list(view_.objects, ListId{node.content.hash}));
      for (const Chunk& chunk : list.chunks) BA_TRY(use_id(chunk.id.hash, usage));
    }
    return {};
  }

  struct ListOfUrl {
    std::uint32_t url = 0;
    Hash256 list;
    bool operator==(const ListOfUrl&) const = default;
  };
  struct ListHash {
    std::size_t operator()(const ListOfUrl& l) const { return std::hash<Hash256>()(l.list) ^ l.url; }
  };

  const View& view_;
  std::uint32_t url_ = 0;
  std::unordered_map<const Pack*, std::vector<Use>> packed_;
  std::unordered_map<const Pack*, std::vector<std::uint32_t>> lists_;
  std::unordered_map<Hash256, Use> loose_;
  std::unordered_set<ListOfUrl, ListHash> lists_seen_;
  std::unordered_set<std::uint32_t> seen_versions_;
};

}  // namespace

Result<std::vector<UrlUsage>> usage_of(const Snapshot& snapshot, UsageBy by, const UrlFilter& filter,
                                       const std::function<void(std::uint64_t done, std::uint64_t total)>& progress) {
  struct Known {
    std::string user;
    UrlNumber number;
  };
  std::vector<Known> urls;
  BA_TRY(snapshot.urls({}, [&](const UrlSummary& url) {
    const auto parsed = by == UsageBy::host ? parse_url(url.url) : Result<Url>(Error{ErrorCode::invalid, ""});
    urls.push_back({parsed ? parsed->host : by == UsageBy::host ? "" : url.url, url.number});
    return true;
  }));
  std::unordered_set<std::string> wanted;
  BA_TRY(snapshot.urls(filter, [&](const UrlSummary& url) {
    const auto parsed = by == UsageBy::host ? parse_url(url.url) : Result<Url>(Error{ErrorCode::invalid, ""});
    wanted.insert(parsed ? parsed->host : by == UsageBy::host ? "" : url.url);
    return true;
  }));
  // All are walked, whatever is asked for: what is shared is known only then.
  std::vector<UrlUsage> all;
  std::uint64_t done = 0;
  UsageWalk walk(snapshot.view());
  for (const Known& url : urls) {
    if (all.empty() || all.back().url != url.user) {
      all.emplace_back();
      all.back().url = url.user;
    }
    BA_TRY(walk.add(static_cast<std::uint32_t>(all.size() - 1), url.number, all.back()));
    if (progress) progress(++done, urls.size());
  }
  walk.settle(all);
  std::erase_if(all, [&](const UrlUsage& usage) { return !wanted.count(usage.url); });
  return all;
}

}  // namespace blockarch
