#include "engine/snapshot.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/archive_impl.h"
#include "engine/glob.h"
#include "refs/history.h"

namespace blockarch {
namespace {

Result<CaptureInfo> describe(const Snapshot::Impl& impl, UrlNumber url, const Observation& observation) {
  CaptureInfo capture;
  capture.number = url;
  capture.time = observation.time;
  BA_ASSIGN(capture.url, url_given(impl.transaction, impl.view.tables, url));
  BA_ASSIGN(capture.version, impl.view.version_id(observation.version));
  if (observation.metadata) {
    BA_ASSIGN(capture.metadata, impl.view.metadata(*observation.metadata));
  }
  return capture;
}

Result<std::optional<CaptureInfo>> describe_if(const Snapshot::Impl& impl, UrlNumber url,
                                               const std::optional<Observation>& observation) {
  if (!observation) return std::optional<CaptureInfo>();
  BA_ASSIGN(CaptureInfo capture, describe(impl, url, *observation));
  return std::optional<CaptureInfo>(std::move(capture));
}

Result<HistoryCursor> history_of(const Snapshot::Impl& impl, UrlNumber url) {
  return HistoryCursor::open(impl.transaction, impl.view.tables, url);
}

bool has(const Metadata& metadata, const MetadataFilter& wanted) {
  return std::any_of(metadata.entries.begin(), metadata.entries.end(), [&](const auto& entry) {
    return entry.first == wanted.key && matches_glob(wanted.pattern, entry.second);
  });
}

Result<bool> is_where(const Snapshot::Impl& impl, const std::vector<MetadataFilter>& where, const UrlEntry& url,
                      const Observation& last) {
  std::optional<CaptureInfo> capture;
  for (const MetadataFilter& wanted : where) {
    if (has(url.metadata, wanted)) continue;
    if (!last.metadata) return false;
    if (!capture) {
      BA_ASSIGN(capture, describe(impl, url.number, last));
    }
    if (!has(capture->metadata, wanted)) return false;
  }
  return true;
}

Error no_captures(const std::string& url) {
  return {ErrorCode::not_found, fmt::format("{} has no captures", url)};
}

// Spellings of one page that people mix up.
std::vector<std::string> near_spellings(const Url& url) {
  const std::string other_scheme = url.scheme == "https" ? "http" : "https";
  const std::string rest = url.href.substr(url.scheme.size());
  std::vector<std::string> near = {other_scheme + rest};
  for (const std::string& scheme : {url.scheme, other_scheme}) {
    near.push_back(scheme + (rest.ends_with('/') ? rest.substr(0, rest.size() - 1) : rest + "/"));
    near.push_back(scheme + (rest.starts_with("://www.") ? "://" + rest.substr(7) : "://www." + rest.substr(3)));
  }
  return near;
}

}  // namespace

Snapshot::Snapshot(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Snapshot::Snapshot(Snapshot&&) noexcept = default;
Snapshot& Snapshot::operator=(Snapshot&&) noexcept = default;
Snapshot::~Snapshot() = default;

Result<void> Snapshot::urls(const UrlFilter& filter, const std::function<bool(const UrlSummary&)>& each) const {
  const Tables& tables = impl_->view.tables;
  // The key of a host ends in ")" and that of its subdomains' begins with "host,", so both are asked for by turns.
  std::vector<std::string> prefixes;
  if (filter.host.empty()) {
    prefixes.push_back("");
  } else {
    prefixes.push_back(host_key_prefix(filter.host, false));
    if (filter.subdomains) prefixes.push_back(host_key_prefix(filter.host, true));
  }
  for (const std::string& prefix : prefixes) {
    BA_ASSIGN(UrlCursor cursor, UrlCursor::open(impl_->transaction, tables, prefix));
    while (true) {
      BA_ASSIGN(const auto entry, cursor.next());
      if (!entry) break;
      if (!filter.pattern.empty() && !matches_glob(filter.pattern, entry->given)) continue;
      UrlSummary summary{entry->number, entry->given, {}, {}, 0, entry->metadata};
      BA_ASSIGN(HistoryCursor history, history_of(*impl_, entry->number));
      BA_ASSIGN(const auto first, history.first());
      BA_ASSIGN(const auto last, history.last());
      if (!first || !last) continue;
      BA_ASSIGN(const bool wanted, is_where(*impl_, filter.where, *entry, *last));
      if (!wanted) continue;
      summary.first = first->time;
      summary.last = last->time;
      BA_ASSIGN(summary.captures, count_observations(impl_->transaction, tables, entry->number));
      if (!each(summary)) return {};
    }
  }
  return {};
}

Result<UrlNumber> Snapshot::find_url(std::string_view text) const {
  BA_ASSIGN(const Url url, parse_url(text));
  BA_ASSIGN(const auto number, blockarch::find_url(impl_->transaction, impl_->view.tables, url));
  if (number) return *number;
  for (const std::string& near : near_spellings(url)) {
    const auto other = parse_url(near);
    if (!other) continue;
    BA_ASSIGN(const auto found, blockarch::find_url(impl_->transaction, impl_->view.tables, *other));
    if (found) {
      return Error{ErrorCode::not_found, fmt::format("{} is not in the archive; {} is", text, near)};
    }
  }
  return Error{ErrorCode::not_found, fmt::format("{} is not in the archive", text)};
}

Result<Metadata> Snapshot::url_metadata(UrlNumber url) const {
  BA_ASSIGN(UrlRecord record, url_record(impl_->transaction, impl_->view.tables, url));
  return std::move(record.metadata);
}

Result<CaptureInfo> Snapshot::capture_at(UrlNumber url, Time at) const {
  BA_ASSIGN(HistoryCursor history, history_of(*impl_, url));
  BA_ASSIGN(const auto found, history.as_of(at));
  if (found) return describe(*impl_, url, *found);
  BA_ASSIGN(const auto first, history.first());
  BA_ASSIGN(const std::string given, url_given(impl_->transaction, impl_->view.tables, url));
  if (!first) return no_captures(given);
  return Error{ErrorCode::not_found, fmt::format("{} has no capture at or before {}: the first is of {}", given,
                                                 format_rfc3339(at), format_rfc3339(first->time))};
}

Result<CaptureInfo> Snapshot::first_capture(UrlNumber url) const {
  BA_ASSIGN(HistoryCursor history, history_of(*impl_, url));
  BA_ASSIGN(const auto found, history.first());
  if (found) return describe(*impl_, url, *found);
  BA_ASSIGN(const std::string given, url_given(impl_->transaction, impl_->view.tables, url));
  return no_captures(given);
}

Result<CaptureInfo> Snapshot::last_capture(UrlNumber url) const {
  return capture_at(url, Time::max());
}

Result<std::optional<CaptureInfo>> Snapshot::next_capture(UrlNumber url, Time at) const {
  BA_ASSIGN(HistoryCursor history, history_of(*impl_, url));
  BA_ASSIGN(const auto found, history.after(at));
  return describe_if(*impl_, url, found);
}

Result<std::optional<CaptureInfo>> Snapshot::previous_capture(UrlNumber url, Time at) const {
  BA_ASSIGN(HistoryCursor history, history_of(*impl_, url));
  BA_ASSIGN(const auto here, history.as_of(at));
  if (!here) return std::optional<CaptureInfo>();
  BA_ASSIGN(const auto found, history.previous());
  return describe_if(*impl_, url, found);
}

Result<CaptureInfo> Snapshot::versions_back(UrlNumber url, Time at, std::uint64_t steps) const {
  BA_ASSIGN(HistoryCursor history, history_of(*impl_, url));
  BA_ASSIGN(auto here, history.as_of(at));
  if (steps == 0 || !here) return capture_at(url, at);
  // A version begins where the capture before it shows another one.
  std::uint64_t done = 0;
  Observation first_of_version = *here;
  while (here && (done < steps || here->version == first_of_version.version)) {
    if (here->version != first_of_version.version) ++done;
    first_of_version = *here;
    BA_ASSIGN(here, history.previous());
  }
  if (done == steps) return describe(*impl_, url, first_of_version);
  BA_ASSIGN(const std::string given, url_given(impl_->transaction, impl_->view.tables, url));
  return Error{ErrorCode::not_found, fmt::format("{} has only {} version{} before that: {} back is too far", given,
                                                 done, done == 1 ? "" : "s", steps)};
}

Result<Page> Snapshot::page(const CaptureInfo& capture) const {
  BA_ASSIGN(Page page, this->page(capture.version));
  page.url = capture.url;
  page.time = capture.time;
  return page;
}

Result<Page> Snapshot::page(const VersionId& id) const {
  Page page;
  page.id = id;
  const ObjectStore& objects = impl_->view.objects;
  BA_ASSIGN(const bool loose, objects.loose().contains(id.hash));
  if (!loose) {
    BA_ASSIGN(const auto packed, objects.find_packed_version(id));
    if (packed) {
      BA_ASSIGN(const VersionFacts facts, objects.facts(*packed));
      page.version = {
          {}, facts.payload_size, facts.type.media_type, facts.type.charset, facts.type.segmenter, facts.type.level};
      BA_ASSIGN(page.bytes, objects.page(*packed, &page.version.payload_hash));
      return page;
    }
  }
  BA_ASSIGN(const Version version, load_version(objects, id));
  page.version = {version.payload_hash, version.payload_size, version.media_type,
                  version.charset,      version.segmenter,    version.level};
  BA_ASSIGN(page.bytes, join_page(objects, version));
  return page;
}

Result<Bytes> Snapshot::page_bytes(const VersionId& id) const {
  const ObjectStore& objects = impl_->view.objects;
  BA_ASSIGN(const bool loose, objects.loose().contains(id.hash));
  if (!loose) {
    BA_ASSIGN(const auto packed, objects.find_packed_version(id));
    if (packed) return objects.page(*packed);
  }
  BA_ASSIGN(const Version version, load_version(objects, id));
  return join_page(objects, version);
}

Result<VersionInfo> Snapshot::version_info(const VersionId& id) const {
  VersionInfo info;
  info.id = id;
  BA_ASSIGN(info.version, load_version(impl_->view.objects, id));
  BA_ASSIGN(const Layout layout, load_layout(impl_->view.objects, info.version.layout));
  BA_ASSIGN(const BlockTree tree, load_block_tree(impl_->view.objects, info.version.tree));
  BA_ASSIGN(const auto ranges, node_ranges(layout, tree));
  info.slots = layout.slots();
  for (const Bytes& literal : layout.literals) info.layout_bytes += literal.size();
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    info.blocks.push_back({node.content, node.is_leaf(), ranges[i].level, ranges[i].begin, ranges[i].end});
  }
  return info;
}

Result<ObjectId> Snapshot::find_object(std::string_view hex_prefix) const {
  const ObjectStore& objects = impl_->view.objects;
  std::optional<Hash256> hash = Hash256::from_hex(hex_prefix);
  if (!hash) {
    BA_ASSIGN(hash, resolve_prefix(objects, hex_prefix));
  }
  BA_ASSIGN(const auto kind, objects.kind_of(*hash));
  if (!kind) return Error{ErrorCode::not_found, fmt::format("no object has the id {}", hex_prefix)};
  return ObjectId(*kind, *hash);
}

const View& Snapshot::view() const {
  return impl_->view;
}

const ObjectSource& Snapshot::objects() const {
  return impl_->view.objects;
}

Result<std::optional<Tag>> Snapshot::find_tag(std::string_view name) const {
  return blockarch::find_tag(impl_->transaction, impl_->view.tables, name);
}

Result<std::vector<Tag>> Snapshot::tags() const {
  return all_tags(impl_->transaction, impl_->view.tables);
}

Result<std::optional<Bytes>> Snapshot::find_setting(std::string_view name) const {
  return blockarch::find_setting(impl_->transaction, impl_->view.tables, name);
}

Result<std::vector<Setting>> Snapshot::settings(std::string_view prefix) const {
  return find_settings(impl_->transaction, impl_->view.tables, prefix);
}

}  // namespace blockarch
