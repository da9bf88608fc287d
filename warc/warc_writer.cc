#include "warc/warc_writer.h"

#include <fmt/format.h>
#include <libdeflate.h>

#include <array>

#include "base/hash.h"
#include "warc/digest.h"
#include "warc/text.h"

namespace blockarch {
namespace {

bool needs_target(RecordType type) {
  return type != RecordType::warcinfo && type != RecordType::metadata;
}

// A value that cannot end its line or hide in it.
bool is_plain(std::string_view value) {
  for (const char c : value) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return false;
  }
  return trimmed(value).size() == value.size();
}

bool is_name(std::string_view name) {
  for (const char c : name) {
    if (!is_digit(c) && !(lower(c) >= 'a' && lower(c) <= 'z') && c != '-' && c != '_') return false;
  }
  return !name.empty();
}

class HeadWriter {
 public:
  explicit HeadWriter(Bytes& out) : out_(out) { out_ = "WARC/1.1\r\n"; }

  void field(std::string_view name, std::string_view value) {
    if (value.empty()) return;
    if (!is_name(name) || !is_plain(value)) wrong(name, value);
    fmt::format_to(std::back_inserter(out_), "{}: {}\r\n", name, value);
  }
  void id(std::string_view name, std::string_view value) {
    if (value.empty()) return;
    if (value.find_first_of("<> ") != std::string_view::npos) wrong(name, value);
    field(name, fmt::format("<{}>", value));
  }
  void uri(std::string_view name, std::string_view value) {
    if (value.find(' ') != std::string_view::npos) wrong(name, value);
    field(name, value);
  }
  const std::string& error() const { return error_; }

 private:
  void wrong(std::string_view name, std::string_view value) {
    if (error_.empty()) error_ = fmt::format("{} cannot be the value of {:.60} in a WARC record", quoted(value), name);
  }
  Bytes& out_;
  std::string error_;
};

}  // namespace

struct WarcWriter::Compressor {
  explicit Compressor(int level) : c(libdeflate_alloc_compressor(level)) {}
  ~Compressor() { libdeflate_free_compressor(c); }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;
  libdeflate_compressor* c;
};

WarcWriter::WarcWriter(Sink sink, WarcCompression compression, int level) : sink_(std::move(sink)) {
  if (compression == WarcCompression::gzip) compressor_ = std::make_unique<Compressor>(level);
}
WarcWriter::~WarcWriter() = default;
WarcWriter::WarcWriter(WarcWriter&&) noexcept = default;
WarcWriter& WarcWriter::operator=(WarcWriter&&) noexcept = default;

Result<WarcWriter::Place> WarcWriter::write(const WarcFields& fields, ByteView first, ByteView second) {
  if (fields.record_id.empty()) return Error{ErrorCode::invalid, "a WARC record needs an id"};
  if (fields.type == RecordType::other) return Error{ErrorCode::invalid, "a WARC record needs a type that has a name"};
  if (needs_target(fields.type) && fields.target_uri.empty()) {
    return Error{ErrorCode::invalid, fmt::format("a {} record needs a target URI", record_type_name(fields.type))};
  }
  Place place{offset_, 0, format_digest(compute_digest(DigestAlgorithm::sha1, first, second))};
  HeadWriter head(record_);
  head.field("WARC-Type", record_type_name(fields.type));
  head.id("WARC-Record-ID", fields.record_id);
  head.field("WARC-Date", format_rfc3339(fields.date));
  head.uri("WARC-Target-URI", fields.target_uri);
  head.field("WARC-IP-Address", fields.ip_address);
  head.id("WARC-Concurrent-To", fields.concurrent_to);
  head.id("WARC-Warcinfo-ID", fields.warcinfo_id);
  head.field("WARC-Filename", fields.filename);
  head.field("WARC-Profile", fields.profile);
  head.id("WARC-Refers-To", fields.refers_to);
  head.uri("WARC-Refers-To-Target-URI", fields.refers_to_uri);
  if (fields.refers_to_date) head.field("WARC-Refers-To-Date", format_rfc3339(*fields.refers_to_date));
  head.field("WARC-Truncated", fields.truncated);
  head.field("WARC-Payload-Digest", fields.payload_digest);
  head.field("WARC-Block-Digest", place.block_digest);
  for (const auto& [name, value] : fields.more) head.field(name, value);
  head.field("Content-Type", fields.content_type);
  head.field("Content-Length", std::to_string(first.size() + second.size()));
  if (!head.error().empty()) return Error{ErrorCode::invalid, head.error()};
  record_.append("\r\n").append(first).append(second).append("\r\n\r\n");

  ByteView bytes = record_;
  if (compressor_) {
    packed_.resize(libdeflate_gzip_compress_bound(compressor_->c, record_.size()));
    const std::size_t size =
        libdeflate_gzip_compress(compressor_->c, record_.data(), record_.size(), packed_.data(), packed_.size());
    bytes = ByteView(packed_).substr(0, size);
  }
  BA_TRY(sink_(bytes));
  place.length = bytes.size();
  offset_ += bytes.size();
  return place;
}

std::string record_id_for(ByteView name) {
  std::array<std::uint8_t, 32> hash = blake3(name).bytes;
  hash[6] = static_cast<std::uint8_t>((hash[6] & 0x0F) | 0x80);  // version 8: made by a rule of one's own
  hash[8] = static_cast<std::uint8_t>((hash[8] & 0x3F) | 0x80);
  std::string hex = to_hex({reinterpret_cast<const char*>(hash.data()), 16});
  for (const std::size_t at : {20u, 16u, 12u, 8u}) hex.insert(at, "-");
  return "urn:uuid:" + hex;
}

}  // namespace blockarch
