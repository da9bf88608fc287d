// Any bytes as an HTTP message, as encoded content, as a digest and as a URL.
#include <cstdint>
#include <cstdlib>

#include "base/url.h"
#include "warc/cdxj.h"
#include "warc/clean_url.h"
#include "warc/digest.h"
#include "warc/http.h"

using namespace blockarch;

namespace {

const std::vector<std::string> kCodings{"gzip", "deflate", "br", "zstd"};

DecodeLimits limits() {
  DecodeLimits limits;
  limits.max_size = 1 << 20;
  limits.free_size = 1 << 16;
  return limits;
}

void check_message(ByteView bytes) {
  const auto message = parse_http(bytes);
  if (!message) return;
  if (message->head.size() + message->body.size() != bytes.size()) std::abort();
  const TransferDecoded decoded = decode_transfer(*message);
  const ByteView body = decoded.view(*message);
  if (body.size() > message->body.size()) std::abort();
  const auto content = decode_content(body, content_codings(*message), limits());
  if (content && content->size() > limits().max_size && content_codings(*message).size() > 0) std::abort();
}

void check_coding(ByteView bytes, const std::string& coding) {
  const auto decoded = decode_content(bytes, {coding}, limits());
  if (decoded && decoded->size() > limits().max_size) std::abort();
  const auto encoded = encode_content(bytes, coding);
  if (!encoded) std::abort();
  DecodeLimits wide;
  wide.max_ratio = std::uint64_t{1} << 40;
  const auto again = decode_content(*encoded, {coding}, wide);
  if (!again || *again != bytes) std::abort();
}

void check_digest(ByteView bytes) {
  const auto digest = parse_digest(bytes);
  if (!digest) return;
  const auto again = parse_digest(format_digest(*digest));
  if (!again || *again != *digest) std::abort();
}

void check_url(ByteView bytes) {
  const auto clean = clean_url(bytes);
  if (!clean) return;
  const auto url = parse_url(clean->url);
  if (!url) std::abort();
  const std::string line = format_cdxj(*url, Time{}, {{"x", std::string(bytes)}});
  if (line.find('\n') != line.size() - 1) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const ByteView bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 7) {
    case 0:
      check_message(bytes);
      break;
    case 1:
      check_digest(bytes);
      break;
    case 2:
      check_url(bytes);
      break;
    default:
      check_coding(bytes, kCodings[data[0] % 7 - 3u]);
  }
  return 0;
}
