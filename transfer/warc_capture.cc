#include "transfer/warc_capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/charset.h"
#include "objects/metadata.h"
#include "transfer/stored_head.h"
#include "transfer/user_metadata.h"
#include "warc/clean_url.h"
#include "warc/digest.h"
#include "warc/http.h"

namespace blockarch {
namespace {

// Fields of a record that can be derived from what is stored, or that name other records by ids which an archive of
// content does not keep.
constexpr std::array<std::string_view, 16> kDerivedFields = {
    "warc-type",           "warc-target-uri",        "warc-date",      "warc-record-id",
    "warc-payload-digest", "warc-block-digest",      "warc-refers-to", "warc-refers-to-target-uri",
    "warc-refers-to-date", "warc-concurrent-to",     "warc-profile",   "warc-warcinfo-id",
    "warc-filename",       "warc-segment-origin-id", "content-length", "content-type"};

std::string lower_case(std::string_view text) {
  std::string low(text);
  std::transform(low.begin(), low.end(), low.begin(),
                 [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  return low;
}

class WarcCapture : public RawCapture {
 public:
  WarcCapture(ArchiveRecord record, const WarcCaptureOptions& options)
      : record_(std::move(record)), options_(options) {}

  std::uint64_t size() const override { return record_.body.size() + 1024; }
  Decoded decode() override;

 private:
  void report(ProblemKind kind, std::string message) {
    decoded_.problems.push_back({kind, record_.source, record_.offset, std::move(message)});
  }

  bool set_url_and_time();
  void add_record_fields();
  void add_extra_record(std::string_view scheme, ByteView bytes, const std::string& content_type);
  void decode_http(const HttpMessage& http);
  void decode_plain();
  void decode_body(const HttpMessage& http, TransferDecoded transfer);
  void keep_digest(bool wrong);
  void set_repeat();
  void limit_metadata();

  ArchiveRecord record_;
  const WarcCaptureOptions options_;
  Decoded decoded_;
  DecodedCapture capture_;
};

bool WarcCapture::set_url_and_time() {
  capture_.file = record_.source;
  capture_.offset = record_.offset;
  auto clean = clean_url(record_.target_uri);
  if (!clean) {
    report(ProblemKind::damaged, fmt::format("{} record: {}", record_type_name(record_.type), clean.error().message));
    return false;
  }
  if (!clean->defect.empty()) report(ProblemKind::bad_url, fmt::format("{}: {}", clean->url, clean->defect));
  capture_.url = std::move(clean->url);
  if (!record_.date) {
    report(ProblemKind::damaged,
           fmt::format("{} of {} has no usable date", record_type_name(record_.type), capture_.url));
    return false;
  }
  capture_.time = *record_.date;
  return true;
}

// Fields of the record that nothing else tells.
void WarcCapture::add_record_fields() {
  for (const auto& [name, value] : record_.headers) {
    const std::string key = lower_case(name);
    if (auto own = user_metadata_from_field(name, value)) {
      capture_.metadata.push_back(std::move(*own));
      continue;
    }
    const bool derived = std::find(kDerivedFields.begin(), kDerivedFields.end(), key) != kDerivedFields.end();
    if (derived && !options_.exact) continue;
    if (value.empty()) continue;
    capture_.metadata.emplace_back(key.starts_with(kWarcPrefix) ? key : kWarcPrefix + key, value);
  }
}

// Only what the format has room for; what has none is said.
void WarcCapture::limit_metadata() {
  const auto too_long = [&](const auto& entry) {
    return entry.first.size() > kMaxMetadataKey || entry.second.size() > kMaxMetadataValue;
  };
  for (const auto& entry : capture_.metadata) {
    if (!too_long(entry)) continue;
    report(ProblemKind::too_large, fmt::format("{} of {} has {} bytes and is not kept", entry.first.substr(0, 40),
                                               capture_.url, entry.second.size()));
  }
  std::erase_if(capture_.metadata, too_long);
  if (capture_.metadata.size() > kMaxMetadataEntries) {
    report(ProblemKind::too_large, fmt::format("{} has {} fields: only the first {} are kept", capture_.url,
                                               capture_.metadata.size(), kMaxMetadataEntries));
    capture_.metadata.resize(kMaxMetadataEntries);
  }
}

void WarcCapture::add_extra_record(std::string_view scheme, ByteView bytes, const std::string& content_type) {
  DecodedCapture extra;
  extra.url = fmt::format("{}{}", scheme, capture_.url);
  extra.time = capture_.time;
  extra.content_type = content_type;
  extra.payload = bytes;
  extra.file = capture_.file;
  extra.offset = capture_.offset;
  decoded_.captures.push_back(std::move(extra));
}

void WarcCapture::set_repeat() {
  RepeatOf repeat;
  repeat.payload_digest = record_.payload_digest;
  if (const auto clean = clean_url(record_.refers_to_uri); clean) repeat.url = clean->url;
  if (!record_.refers_to_date.empty()) {
    const auto time = parse_time(record_.refers_to_date, DateEnd::first, Time{});
    if (time) repeat.time = *time;
  }
  if (record_.profile.find("not-modified") != std::string::npos) {
    capture_.metadata.emplace_back("warc-profile", record_.profile);
  }
  capture_.repeat = std::move(repeat);
}

void WarcCapture::decode_body(const HttpMessage& http, TransferDecoded transfer) {
  const std::vector<std::string> codings = content_codings(http);
  const ByteView body = transfer.view(http);
  if (!codings.empty() && !body.empty()) {
    DecodeLimits limits;
    limits.max_size = options_.max_decoded;
    auto content = decode_content(body, codings, limits);
    if (content) {
      if (options_.exact) add_extra_record(kWireUrl, http.body, "application/octet-stream");
      capture_.owned = std::move(*content);
      capture_.payload_is_owned = true;
      return;
    }
    // Browsers show what they got; so do we. The head still says what it claims to be.
    report(ProblemKind::bad_http,
           fmt::format("{}: {}; the body is kept as it is", capture_.url, content.error().message));
  }
  if (transfer.is_owned) {
    if (options_.exact) add_extra_record(kWireUrl, http.body, "application/octet-stream");
    capture_.owned = std::move(transfer.owned);
    capture_.payload_is_owned = true;
  } else {
    capture_.payload = http.body;
  }
}

void WarcCapture::decode_http(const HttpMessage& http) {
  for (const std::string& defect : http.defects) {
    report(ProblemKind::bad_http, fmt::format("{}: {}", capture_.url, defect));
  }
  if (const std::string* type = http.header("content-type")) capture_.content_type = *type;
  TransferDecoded transfer = decode_transfer(http);
  if (!transfer.defect.empty()) report(ProblemKind::bad_http, fmt::format("{}: {}", capture_.url, transfer.defect));
  const ByteView body = transfer.view(http);
  if (options_.check_digests) {
    const auto wrong = check_digests(record_, &http, body);
    for (const std::string& message : wrong) {
      report(ProblemKind::bad_digest, fmt::format("{}: {}", capture_.url, message));
    }
    if (wrong.empty()) capture_.payload_digest = record_.payload_digest;
  }
  capture_.metadata.emplace_back(kHttpHead, stored_head(http, body.size()));
  if (record_.type == RecordType::revisit) {
    set_repeat();
  } else {
    decode_body(http, std::move(transfer));
  }
}

void WarcCapture::decode_plain() {
  if (record_.type == RecordType::revisit) {
    set_repeat();
    return;
  }
  if (options_.check_digests) {
    const auto wrong = check_digests(record_, nullptr, record_.body.view());
    for (const std::string& message : wrong) {
      report(ProblemKind::bad_digest, fmt::format("{}: {}", capture_.url, message));
    }
    if (wrong.empty()) {
      capture_.payload_digest = record_.payload_digest.empty() ? record_.block_digest : record_.payload_digest;
    }
  }
  capture_.payload = record_.body.view();
  capture_.content_type = record_.content_type;
  if (!record_.content_type.empty() && parse_media_type(record_.content_type).essence != record_.content_type) {
    capture_.metadata.emplace_back(kContentTypeKey, record_.content_type);
  }
  if (record_.type == RecordType::response) capture_.metadata.emplace_back(kTypeKey, "response");
}

Decoded WarcCapture::decode() {
  if (!is_capture(record_.type)) {
    if (record_.target_uri.empty()) record_.target_uri = "urn:" + std::string(record_type_name(record_.type));
    if (!set_url_and_time()) return std::move(decoded_);
    capture_.url = fmt::format("{}{}:{}", kExactPrefix, record_type_name(record_.type), capture_.url);
    capture_.payload = record_.body.view();
    capture_.content_type = record_.content_type;
    add_record_fields();
  } else {
    if (!set_url_and_time()) return std::move(decoded_);
    add_record_fields();
    const bool is_http = record_.is_http();
    auto http = is_http ? parse_http(record_.body.view()) : Result<HttpMessage>(Error{ErrorCode::invalid, ""});
    if (is_http && !http && !(record_.type == RecordType::revisit && record_.body.size() == 0)) {
      report(ProblemKind::bad_http,
             fmt::format("{}: {}; the block is kept as it is", capture_.url, http.error().message));
    }
    if (http) {
      decode_http(*http);
    } else {
      decode_plain();
    }
  }
  limit_metadata();
  decoded_.captures.push_back(std::move(capture_));
  return std::move(decoded_);
}

}  // namespace

bool is_capture(RecordType type) {
  return type == RecordType::response || type == RecordType::resource || type == RecordType::revisit;
}

std::unique_ptr<RawCapture> make_warc_capture(ArchiveRecord record, const WarcCaptureOptions& options) {
  return std::make_unique<WarcCapture>(std::move(record), options);
}

}  // namespace blockarch
