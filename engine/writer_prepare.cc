// The part of a capture that needs no order: many threads do it at once.
#include <fmt/format.h>

#include "base/charset.h"
#include "engine/writer_impl.h"
#include "refs/payload_index.h"
#include "refs/settings.h"
#include "segment/media_type.h"
#include "segment/segmenter.h"

namespace blockarch {

bool WantedCapture::is_met_by(const VersionType& version) const {
  return version.media_type == media_type && version.charset == charset &&
         (!segmenter_given || version.segmenter == segmenter->name()) &&
         (level == 0 || version.level == static_cast<std::uint32_t>(level));
}

Result<WantedCapture> Writer::Impl::understand(const CaptureRequest& request,
                                               std::vector<std::string>* warnings) const {
  WantedCapture wanted;
  BA_ASSIGN(wanted.metadata, make_metadata(request.metadata));
  BA_ASSIGN(wanted.url_metadata, make_url_metadata(request.url_metadata));
  BA_ASSIGN(wanted.url, parse_url(request.url));
  if (request.payload.size() > kMaxPayload) {
    return Error{ErrorCode::too_large, fmt::format("the page of {} has {} bytes: at most {} can be kept", request.url,
                                                   request.payload.size(), kMaxPayload)};
  }
  if (request.time < Time::min() || request.time > Time::max()) {
    return Error{ErrorCode::invalid, fmt::format("the capture time of {} is outside the years 0 to 9999", request.url)};
  }
  wanted.segmenter_given = !request.segmenter.empty();
  BA_ASSIGN(wanted.segmenter, choose_segmenter(request.segmenter, request.level, request.profile));
  wanted.level = request.level;
  wanted.profile = request.profile;
  wanted.time = request.time;
  wanted.payload = request.payload;
  wanted.hash = blake3(request.payload);
  const MediaType declared = parse_media_type(request.content_type);
  wanted.media_type = declared.essence.empty() ? sniff_media_type(request.payload) : declared.essence;
  if (wanted.media_type.size() > 255) {
    return Error{ErrorCode::invalid, fmt::format("the content type of {} is too long", request.url)};
  }
  if (is_text_media_type(wanted.media_type)) {
    const Charset charset = detect_charset(request.payload, declared.charset_label);
    wanted.charset = charset.name;
    if (warnings && !charset.unknown_label.empty()) {
      warnings->push_back(
          fmt::format("charset '{}' of {} is not known: the bytes are kept as they are, text is read as {}",
                      charset.unknown_label, request.url, charset.name));
    }
  }
  return wanted;
}

// A version of these very bytes. The index is derived and knows the beginning of a hash only: whatever is wrong with a
// candidate, the page can always be cut again.
//
// A version's id says which page it is of. Where packs do not fit in memory, cutting the page once more to compare ids takes a
// fraction of the time that it takes to read the stored one; where they do, it takes longer.
Result<std::optional<VersionNumber>> Writer::Impl::stored_version(const WantedCapture& wanted, const View& view,
                                                                  std::optional<CutPage>& cut) const {
  if (!wanted.profile.empty()) return std::optional<VersionNumber>();  // nobody knows
  BA_ASSIGN(const auto numbers, view.find_payload(wanted.hash));
  for (const VersionNumber number : numbers) {
    const auto facts = view.facts(number);
    if (!facts || facts->payload_size != wanted.payload.size() || !wanted.is_met_by(facts->type)) continue;
    if (packed_bytes > kFrameCacheBytes && view.objects.packed_version(number.value)) {
      if (!cut) cut = cut_only(wanted, view);
      const auto id = view.version_id(number);
      if (id && *id == cut->id) return std::optional(number);
    }
    const auto payload = view.payload_hash(number);
    if (payload && *payload == wanted.hash) return std::optional(number);
  }
  return std::optional<VersionNumber>();
}

// Blocks are compressed here, by whoever claims them first. Lists wait for add(), which knows the page before.
//
// What is claimed stands in this batch or soon will, so the store, which does not have it yet, is not asked.
Result<void> Writer::Impl::compress_blocks(CutPage& cut, const View& view) const {
  const auto& objects = cut.page.objects;
  cut.stored.assign(objects.size(), false);
  std::vector<std::size_t> places;  // of blocks that are not known to be stored, and their ids
  std::vector<Hash256> ids;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (objects[i].id.kind != ObjectKind::block) continue;
    if (stored_ids.contains(objects[i].id.hash)) {
      cut.stored[i] = true;
    } else {
      places.push_back(i);
      ids.push_back(objects[i].id.hash);
    }
  }
  const std::vector<bool> claimed = claims.claimed(ids);
  std::size_t missing = 0;
  for (std::size_t n = 0; n < ids.size(); ++n) {
    if (claimed[n]) continue;
    BA_ASSIGN(const bool stored, view.objects.contains(ids[n]));
    if (stored) {
      stored_ids.add(ids[n]);
      cut.stored[places[n]] = true;
    } else {
      places[missing] = places[n];
      ids[missing++] = ids[n];
    }
  }
  ids.resize(missing);
  const std::vector<bool> mine = claims.claim_objects(ids);
  for (std::size_t n = 0; n < missing; ++n) {
    if (mine[n])
      cut.compressed.emplace(ids[n],
                             make_loose_object({objects[places[n]].id.kind, ids[n]}, objects[places[n]].content));
  }
  return {};
}

Result<CutPage> Writer::Impl::cut(const WantedCapture& wanted, const View& view) const {
  CutPage page = cut_only(wanted, view);
  BA_TRY(compress_blocks(page, view));
  return page;
}

CutPage Writer::Impl::cut_only(const WantedCapture& wanted, const View& view) const {
  SegmentOptions options;
  options.media_type = wanted.media_type;
  options.charset = wanted.charset;
  options.level = wanted.level;
  options.profile = wanted.profile;
  if (wanted.profile.empty() && wanted.segmenter->name() == "tagtree") {
    // What cannot be read must not keep a page out.
    const auto learnt = find_setting(view.transaction(), view.tables, "tagtree/" + wanted.url.host);
    if (learnt && *learnt) options.profile = **learnt;
  }
  CutPage cut;
  cut.page = split_page(wanted.payload, wanted.segmenter->segment(wanted.payload, options), &recent_blocks);
  cut.layout = encode_layout(cut.page.layout);
  cut.tree = encode_block_tree(cut.page.tree);
  cut.version = {{wanted.hash, wanted.payload.size(), wanted.media_type, wanted.charset,
                  std::string(wanted.segmenter->name()), static_cast<std::uint32_t>(wanted.level)},
                 {hash_object(ObjectKind::layout, cut.layout)},
                 {hash_object(ObjectKind::tree, cut.tree)}};
  cut.id = id_of(cut.version);
  return cut;
}

Result<PreparedCapture::Impl> Writer::Impl::prepare(const CaptureRequest& request,
                                                    std::vector<std::string>* warnings) const {
  PreparedCapture::Impl prepared;
  BA_ASSIGN(prepared.wanted, understand(request, warnings));
  const std::shared_lock in_use(use);
  prepared.epoch = epoch;
  BA_ASSIGN(const ReadTransaction transaction, hot->lmdb.read());
  const View view(transaction, hot->tables(), packs);
  std::optional<CutPage> page;
  const auto stored = stored_version(prepared.wanted, view, page);
  if (stored) prepared.stored = *stored;
  if (prepared.stored || !claims.claim_page(prepared.wanted.hash)) return prepared;
  if (!page) page = cut_only(prepared.wanted, view);
  BA_TRY(compress_blocks(*page, view));
  prepared.cut = std::move(page);
  return prepared;
}

}  // namespace blockarch
