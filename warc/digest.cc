#include "warc/digest.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cassert>
#include <memory>

#include "warc/text.h"

namespace blockarch {
namespace {

struct Algorithm {
  DigestAlgorithm id;
  std::string_view name, other_name;
  std::size_t size;
};
constexpr std::array<Algorithm, 4> kAlgorithms{{{DigestAlgorithm::md5, "md5", "md-5", 16},
                                                {DigestAlgorithm::sha1, "sha1", "sha-1", 20},
                                                {DigestAlgorithm::sha256, "sha256", "sha-256", 32},
                                                {DigestAlgorithm::sha512, "sha512", "sha-512", 64}}};

struct FreeContext {
  void operator()(EVP_MD_CTX* c) const { EVP_MD_CTX_free(c); }
};

// Looking an algorithm up takes longer than hashing a small page, so it is done once.
const EVP_MD* implementation(DigestAlgorithm algorithm) {
  static const std::array<EVP_MD*, 4> kFound{
      EVP_MD_fetch(nullptr, "MD5", nullptr), EVP_MD_fetch(nullptr, "SHA1", nullptr),
      EVP_MD_fetch(nullptr, "SHA2-256", nullptr), EVP_MD_fetch(nullptr, "SHA2-512", nullptr)};
  return kFound[static_cast<std::size_t>(algorithm)];
}

int base32_value(char c) {
  if (lower(c) >= 'a' && lower(c) <= 'z') return lower(c) - 'a';
  return c >= '2' && c <= '7' ? c - '2' + 26 : -1;
}

int base64_value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (is_digit(c)) return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  return c == '/' || c == '_' ? 63 : -1;
}

int base16_value(char c) {
  if (is_digit(c)) return c - '0';
  return lower(c) >= 'a' && lower(c) <= 'f' ? lower(c) - 'a' + 10 : -1;
}

// `bits` each; what is left over at the end is dropped.
std::optional<Bytes> decode_digits(std::string_view text, int (*value)(char), int bits) {
  Bytes out;
  unsigned pending = 0;
  int count = 0;
  for (const char c : text) {
    const int v = value(c);
    if (v < 0) return std::nullopt;
    pending = (pending << bits | static_cast<unsigned>(v)) & 0xFFFF;
    count += bits;
    if (count < 8) continue;
    count -= 8;
    out.push_back(static_cast<char>(pending >> count & 0xFF));
  }
  return out;
}

bool fits(const Digest& digest, ByteView bytes) {
  return compute_digest(digest.algorithm, bytes) == digest;
}

}  // namespace

std::string_view digest_name(DigestAlgorithm algorithm) {
  return kAlgorithms[static_cast<std::size_t>(algorithm)].name;
}

Digest compute_digest(DigestAlgorithm algorithm, ByteView first, ByteView second) {
  Digest digest{algorithm, Bytes(kAlgorithms[static_cast<std::size_t>(algorithm)].size, '\0')};
  thread_local const std::unique_ptr<EVP_MD_CTX, FreeContext> context(EVP_MD_CTX_new());
  unsigned size = 0;
  [[maybe_unused]] const bool done =
      EVP_DigestInit_ex(context.get(), implementation(algorithm), nullptr) == 1 &&
      EVP_DigestUpdate(context.get(), first.data(), first.size()) == 1 &&
      EVP_DigestUpdate(context.get(), second.data(), second.size()) == 1 &&
      EVP_DigestFinal_ex(context.get(), reinterpret_cast<unsigned char*>(digest.value.data()), &size) == 1;
  assert(done && size == digest.value.size());
  return digest;
}

Result<Digest> parse_digest(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, std::min(colon, text.size()));
  for (const Algorithm& algorithm : kAlgorithms) {
    if (colon == std::string_view::npos) break;
    if (!same_letters(name, algorithm.name) && !same_letters(name, algorithm.other_name)) continue;
    std::string_view digits = trimmed(text.substr(colon + 1));
    while (digits.ends_with('=')) digits.remove_suffix(1);
    std::optional<Bytes> value;
    if (digits.size() == algorithm.size * 2) value = decode_digits(digits, base16_value, 4);
    if (digits.size() == (algorithm.size * 8 + 4) / 5) value = decode_digits(digits, base32_value, 5);
    if (digits.size() == (algorithm.size * 8 + 5) / 6) value = decode_digits(digits, base64_value, 6);
    if (value && value->size() == algorithm.size) return Digest{algorithm.id, *std::move(value)};
    return Error{ErrorCode::invalid, quoted(text) + " is no " + std::string(algorithm.name) + " digest"};
  }
  return Error{ErrorCode::invalid, quoted(text) + " is no digest that we can compute"};
}

std::string base32_encode(ByteView bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  std::string out;
  unsigned pending = 0;
  int count = 0;
  for (const char c : bytes) {
    pending = (pending << 8 | static_cast<unsigned char>(c)) & 0xFFFF;
    for (count += 8; count >= 5; count -= 5) out.push_back(kDigits[pending >> (count - 5) & 31]);
  }
  if (count > 0) out.push_back(kDigits[pending << (5 - count) & 31]);
  return out;
}

std::string format_digest(const Digest& digest) {
  const bool is_short = digest.algorithm == DigestAlgorithm::sha1 || digest.algorithm == DigestAlgorithm::md5;
  return fmt::format("{}:{}", digest_name(digest.algorithm),
                     is_short ? base32_encode(digest.value) : to_hex(digest.value));
}

std::vector<std::string> check_digests(const ArchiveRecord& record, const HttpMessage* http, ByteView payload) {
  std::vector<std::string> problems;
  if (!record.block_digest.empty()) {
    const auto digest = parse_digest(record.block_digest);
    if (!digest) {
      problems.push_back("the block digest cannot be read: " + digest.error().message);
    } else if (!fits(*digest, record.body.view())) {
      problems.push_back("the block is not what its digest says");
    }
  }
  // A segment's payload digest is that of the whole, a revisit's that of another record.
  const bool has_payload =
      record.type != RecordType::revisit && record.type != RecordType::continuation && !record.segment_number;
  if (!record.payload_digest.empty() && has_payload) {
    const auto digest = parse_digest(record.payload_digest);
    if (!digest) {
      problems.push_back("the payload digest cannot be read: " + digest.error().message);
    } else if (!fits(*digest, payload) && !(http != nullptr && fits(*digest, http->body))) {
      problems.push_back("the payload is not what its digest says");
    }
  }
  return problems;
}

}  // namespace blockarch
