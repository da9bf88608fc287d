#include "history/version_diff.h"

#include <fmt/format.h>

#include <algorithm>

#include "segment/auto.h"

namespace blockarch {
namespace {

Result<DiffSide> read_side(const Snapshot& snapshot, const Named& named) {
  DiffSide side;
  if (const auto* capture = std::get_if<CaptureInfo>(&named)) {
    BA_ASSIGN(Page page, snapshot.page(*capture));
    return DiffSide{page.url, capture->time, page.id, std::move(page.version), std::move(page.bytes)};
  }
  const ObjectId id = *std::get_if<ObjectId>(&named);
  if (id.kind != ObjectKind::version) {
    return Error{ErrorCode::invalid, fmt::format("{} is not a page: diff compares captures and versions", id.text())};
  }
  BA_ASSIGN(Page page, snapshot.page(VersionId{id.hash}));
  return DiffSide{{}, std::nullopt, page.id, std::move(page.version), std::move(page.bytes)};
}

std::vector<DescribedBlock> describe_side(const DiffSide& side) {
  DescribeOptions options;
  options.page.media_type = side.version.media_type;
  options.page.charset = side.version.charset;
  const auto closed = without_open_frame(side.bytes);
  return describe_page(closed ? *closed : side.bytes, auto_segmenter(), options);
}

// The last of those that begin before it and hold it is the innermost, as they are nested.
const DescribedBlock* innermost(const std::vector<DescribedBlock>& visible, const PageBlock& block) {
  auto at = std::partition_point(visible.begin(), visible.end(),
                                 [&](const DescribedBlock& v) { return v.begin <= block.begin; });
  if (at == visible.begin()) return nullptr;
  const DescribedBlock* found = &*std::prev(at);
  while (found->end < block.end) {
    if (found->parent == kNoParent) return nullptr;
    found = &visible[found->parent];
  }
  return found;
}

BlockLabel label_alone(const PageBlock& block) {
  switch (block.kind) {
    case PageBlockKind::script:
      return BlockLabel::script;
    case PageBlockKind::style:
      return BlockLabel::style;
    case PageBlockKind::head:
      return BlockLabel::data;
    case PageBlockKind::text:
    case PageBlockKind::media:
    case PageBlockKind::bytes:
      break;
  }
  return BlockLabel::none;
}

}  // namespace

Result<std::unique_ptr<VersionDiff>> VersionDiff::make(const Snapshot& snapshot, const Named& before,
                                                       const Named& after, const DiffFilter& filter) {
  std::unique_ptr<VersionDiff> diff(new VersionDiff);
  BA_ASSIGN(diff->before_, read_side(snapshot, before));
  BA_ASSIGN(diff->after_, read_side(snapshot, after));
  PageBlocks old_blocks = read_page_blocks(diff->before_.bytes, diff->before_.version);
  PageBlocks new_blocks = read_page_blocks(diff->after_.bytes, diff->after_.version);
  diff->any_ = diff->before_.version.payload_hash != diff->after_.version.payload_hash;
  if (filter.rules != nullptr) {
    const bool read_only = filter.significance.basis != Basis::source;
    const auto drop = [&](const DiffSide& side, PageBlocks& blocks) {
      drop_noise(side.bytes, blocks, filter.rules->find_noise(side.bytes, blocks, side.url, read_only));
    };
    drop(diff->before_, old_blocks);
    drop(diff->after_, new_blocks);
  }
  diff->pages_ = diff_pages(diff->before_.bytes, std::move(old_blocks), diff->after_.bytes, std::move(new_blocks));
  if (filter.rules != nullptr && diff->any_) diff->leave_out_unseen(filter);
  return diff;
}

void VersionDiff::leave_out_unseen(const DiffFilter& filter) {
  const auto meaning = [&](const DiffSide& side) {
    return read_meaning(side.bytes, side.version, side.url, *filter.rules, filter.significance);
  };
  any_ = differs(meaning(before_), meaning(after_), filter.significance);
  if (any_ && filter.significance.basis == Basis::source) return;
  const bool links = filter.significance.basis == Basis::content;
  std::vector<BlockChange> kept;
  for (BlockChange change : pages_.blocks) {
    const bool gone = change.after == kNoBlock;
    const PageBlock& block = gone ? pages_.before.blocks[change.before] : pages_.after.blocks[change.after];
    const bool read = block.kind == PageBlockKind::text || block.kind == PageBlockKind::media;
    const bool both = change.kind == ChangeKind::changed || change.kind == ChangeKind::moved_changed;
    const bool seen = any_ && read && (!both || change.text || (links && change.links));
    if (!seen && (gone || change.before == kNoBlock)) continue;
    if (!seen) change.kind = ChangeKind::same;
    kept.push_back(change);
  }
  pages_.blocks = std::move(kept);
  pages_.layout.clear();
}

bool VersionDiff::types_differ() const {
  return pages_.before.markup != pages_.after.markup || pages_.before.is_text() != pages_.after.is_text();
}

const std::vector<DescribedBlock>& VersionDiff::visible_before() {
  if (!visible_before_) visible_before_ = describe_side(before_);
  return *visible_before_;
}

const std::vector<DescribedBlock>& VersionDiff::visible_after() {
  if (!visible_after_) visible_after_ = describe_side(after_);
  return *visible_after_;
}

Surrounding VersionDiff::around(const BlockChange& change) {
  const bool gone = change.after == kNoBlock;
  const PageBlock& block = gone ? pages_.before.blocks[change.before] : pages_.after.blocks[change.after];
  Surrounding result{label_alone(block), {}, block.path};
  if (result.label != BlockLabel::none) return result;
  const DescribedBlock* found = innermost(gone ? visible_before() : visible_after(), block);
  if (found != nullptr) {
    result.label = found->label;
    result.topic = found->topic;
  }
  return result;
}

Result<CaptureInfo> version_before(const Snapshot& snapshot, const CaptureInfo& capture) {
  auto found = snapshot.versions_back(capture.number, capture.time, 1);
  if (found || found.error().code != ErrorCode::not_found) return found;
  return Error{ErrorCode::not_found,
               fmt::format("{} has no version before that of {}: there is nothing to compare with", capture.url,
                           format_rfc3339(capture.time))};
}

}  // namespace blockarch
