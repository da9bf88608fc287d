#include "transfer/export_record.h"

#include <algorithm>
#include <array>

#include "base/charset.h"
#include "segment/media_type.h"
#include "transfer/stored_head.h"
#include "transfer/user_metadata.h"
#include "warc/digest.h"
#include "warc/http.h"
#include "warc/text.h"

namespace blockarch {
namespace {

// Fields that the writer makes itself. Only an exact import keeps them.
constexpr std::array<std::string_view, 5> kWritten = {"warc-target-uri", "warc-date", "warc-block-digest",
                                                      "warc-content-length", "warc-content-type"};
// Those that an export makes itself where a record is a capture.
constexpr std::array<std::string_view, 5> kMade = {"warc-payload-digest", "warc-refers-to", "warc-refers-to-target-uri",
                                                   "warc-refers-to-date", "warc-segment-origin-id"};

template <std::size_t kSize>
bool has(const std::array<std::string_view, kSize>& list, std::string_view key) {
  return std::find(list.begin(), list.end(), key) != list.end();
}

// What WarcWriter takes as a field of its own, and a reader gives back the same.
bool fits_field(std::string_view key, std::string_view value) {
  const bool name = std::all_of(key.begin(), key.end(),
                                [](char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || c == '-' || c == '_'; });
  const bool text = std::all_of(value.begin(), value.end(),
                                [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f; });
  return name && text && !value.empty() && trimmed(value).size() == value.size() && is_valid_utf8(value);
}

std::string digest_of(ByteView bytes) {
  return format_digest(compute_digest(DigestAlgorithm::sha1, bytes));
}

bool says_chunked(const HttpMessage& head) {
  for (const auto& [name, value] : head.headers) {
    std::string low(value);
    std::transform(low.begin(), low.end(), low.begin(), lower);
    if (same_letters(name, "transfer-encoding") && low.find("chunked") != std::string::npos) return true;
  }
  return false;
}

}  // namespace

std::string warc_field_name(std::string_view key) {
  constexpr std::array<std::string_view, 5> kCapitals = {"warc", "ip", "id", "uri", "json"};
  std::string name;
  while (true) {
    const std::size_t end = std::min(key.find('-'), key.size());
    const std::string_view word = key.substr(0, end);
    const bool capitals = has(kCapitals, word);
    for (std::size_t i = 0; i < word.size(); ++i) {
      const bool small = word[i] >= 'a' && word[i] <= 'z';
      name.push_back(small && (i == 0 || capitals) ? static_cast<char>(word[i] - 'a' + 'A') : word[i]);
    }
    if (end == key.size()) return name;
    name.push_back('-');
    key.remove_prefix(end + 1);
  }
}

// WARC-Filename belongs to warcinfo records and an import takes no notice of it elsewhere; ARC files have a column of that
// name for every record.
RecordFacts record_facts(const Metadata& metadata, bool is_capture) {
  RecordFacts facts;
  for (const auto& [key, value] : metadata.entries) {
    if (key == kHttpHead && !facts.head) {
      facts.head = value;
    } else if (key == "content-type" && facts.content_type.empty() && fits_field(key, value)) {
      facts.content_type = value;
    } else if (key == "warc-type") {
      facts.type = value;
    } else if (key == "warc-profile") {
      facts.profile = value;
    } else if (key == "warc-record-id" && fits_field(key, value)) {
      facts.record_id = value.starts_with('<') && value.ends_with('>') ? value.substr(1, value.size() - 2) : value;
    } else if (has(kWritten, key) || (is_capture && has(kMade, key))) {
      continue;
    } else if (key.starts_with("warc-") && key != "warc-filename" && fits_field(key, value)) {
      facts.fields.emplace_back(warc_field_name(key), value);
    } else {
      facts.fields.emplace_back(kUserMetadataField, user_metadata_field(key, value));
    }
  }
  return facts;
}

Result<void> RecordPages::load(const VersionId& version) {
  if (loaded_ == version) return {};
  loaded_.reset();
  coding_.reset();
  BA_ASSIGN(Page page, snapshot_.page(version));
  version_ = std::move(page.version);
  bytes_ = std::move(page.bytes);
  loaded_ = version;
  return {};
}

// A coding that we do not know, or whose encoder fails: the import has kept such a body as it was, and will again. The
// same goes for a body without bytes.
void RecordPages::encode(const Coding& coding) {
  if (coding_ == coding) return;
  coding_ = coding;
  Bytes().swap(coded_);
  Bytes().swap(chunked_);
  is_coded_ = false;
  for (const std::string& name : bytes_.empty() ? std::vector<std::string>() : coding.content) {
    auto coded = encode_content(is_coded_ ? coded_ : bytes_, name);
    is_coded_ = coded.has_value();
    if (!is_coded_) break;
    coded_ = std::move(*coded);
  }
  const Bytes& body = is_coded_ ? coded_ : bytes_;
  if (coding.chunked && !body.empty()) chunked_ = encode_chunked(body);
  digest_ = digest_of(body);
}

Result<RecordPage> RecordPages::make_of_wire(const VersionId& wire, RecordPage page, std::string_view head) {
  BA_ASSIGN(Page original, snapshot_.page(wire));
  const Bytes whole = restored_head(head, 0) + original.bytes;
  BA_ASSIGN(const HttpMessage message, parse_http(whole));
  const TransferDecoded transfer = decode_transfer(message);
  wire_ = std::move(original.bytes);
  page.body = wire_;
  page.body_size = transfer.view(message).size();
  page.payload_digest = digest_of(transfer.view(message));
  page.head = restored_head(head, page.body_size);
  return page;
}

Result<RecordPage> RecordPages::make(const VersionId& version, const std::optional<std::string>& head,
                                     const std::optional<VersionId>& wire) {
  BA_TRY(load(version));
  RecordPage page;
  page.version = version_;
  page.payload_size = bytes_.size();
  page.mime_type = version_.media_type;
  Coding coding;
  if (head) {
    const Bytes plain = restored_head(*head, 0);
    if (const auto message = parse_http(plain); message) {
      coding = {content_codings(*message), says_chunked(*message)};
      page.status = message->status;
      if (const std::string* type = message->header("content-type")) page.mime_type = parse_media_type(*type).essence;
    }
  }
  if (wire && head) return make_of_wire(*wire, std::move(page), *head);
  encode(coding);
  page.body_size = is_coded_ ? coded_.size() : bytes_.size();
  page.body = !chunked_.empty() ? chunked_ : is_coded_ ? coded_ : bytes_;
  page.payload_digest = digest_;
  if (head) page.head = restored_head(*head, page.body_size);
  return page;
}

Result<std::string> RecordPages::content_type(const VersionId& version) {
  BA_TRY(load(version));
  const std::string& type = version_.media_type;
  if (!is_text_media_type(type) || detect_charset(bytes_, "").name == version_.charset) return type;
  return type + "; charset=" + version_.charset;
}

}  // namespace blockarch
