#include "segment/plain_tag.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace blockarch {
namespace {

constexpr std::size_t kLongestName = 8;

enum Sign : std::uint8_t { kLetter = 1, kDigit = 2, kBlank = 4, kNameEnd = 8, kValueEnd = 16 };

constexpr std::array<std::uint8_t, 256> make_signs() {
  std::array<std::uint8_t, 256> signs{};
  for (char c = 'a'; c <= 'z'; ++c) signs[static_cast<unsigned char>(c)] = kLetter;
  for (char c = 'A'; c <= 'Z'; ++c) signs[static_cast<unsigned char>(c)] = kLetter;
  for (char c = '0'; c <= '9'; ++c) signs[static_cast<unsigned char>(c)] = kDigit;
  for (const char c : {' ', '\n', '\t', '\r', '\f'})
    signs[static_cast<unsigned char>(c)] = kBlank | kNameEnd | kValueEnd;
  for (const char c : {'/', '='}) signs[static_cast<unsigned char>(c)] = kNameEnd;
  signs['>'] = kNameEnd | kValueEnd;
  return signs;
}
constexpr std::array<std::uint8_t, 256> kSigns = make_signs();

bool is_any(char c, int signs) {
  return (kSigns[static_cast<unsigned char>(c)] & signs) != 0;
}

// Short names of letters and digits, lower-cased and packed into one number.
std::uint64_t packed(std::uint64_t before, char c) {
  return before << 8 | (static_cast<unsigned char>(c) | 0x20u);
}

// Where the first of two signs stands; the size where there is neither. Values are short: calling something to look for
// one of the two costs more.
std::size_t find_either(ByteView bytes, std::size_t at, char a, char b) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  const std::uint64_t all_a = kOnes * static_cast<unsigned char>(a);
  const std::uint64_t all_b = kOnes * static_cast<unsigned char>(b);
  for (std::uint64_t eight; at + sizeof eight <= bytes.size(); at += sizeof eight) {
    std::memcpy(&eight, bytes.data() + at, sizeof eight);
    const std::uint64_t x = eight ^ all_a;
    const std::uint64_t y = eight ^ all_b;
    // A byte is zero in one of them.
    if (((((x - kOnes) & ~x) | ((y - kOnes) & ~y)) & kOnes << 7) != 0) break;
  }
  while (at < bytes.size() && bytes[at] != a && bytes[at] != b) ++at;
  return at;
}

class TagNumbers {
 public:
  TagNumbers() {
    for (TagId tag = 1; tag < kTagTraits.size(); ++tag) {
      const std::string_view name = name_of_tag(tag);
      if (name.empty() || name.size() > kLongestName) continue;
      std::uint64_t key = 0;
      for (const char c : name) key = packed(key, c);
      Slot& slot = slots_[slot_of(key)];
      if (slot.key == 0) slot = {key, tag_by_name(name)};
    }
  }
  TagId find(std::uint64_t key) const { return slots_[slot_of(key)].tag; }

 private:
  struct Slot {
    std::uint64_t key = 0;
    TagId tag = 0;
  };
  static constexpr std::size_t kSlots = 512;

  // Where the name is, or would be.
  std::size_t slot_of(std::uint64_t key) const {
    std::size_t at = key * 0x9e3779b97f4a7c15u >> 55;
    while (slots_[at].key != 0 && slots_[at].key != key) at = (at + 1) % kSlots;
    return at;
  }

  std::array<Slot, kSlots> slots_{};
};

// The attributes of a start tag, by the states of the standard's tokenizer.
class AttributeReader {
 public:
  AttributeReader(ByteView bytes, PlainTag& tag) : bytes_(bytes), tag_(tag), at_(tag.name_end) {}

  // Whether the tag is plain.
  bool run() {
    while (true) {
      skip_blank();
      if (at_ >= bytes_.size()) return false;
      const char c = bytes_[at_];
      if (c == '>') break;
      if (c == '/') {
        ++at_;
        if (at_ < bytes_.size() && bytes_[at_] == '>') {
          tag_.self_closing = true;
          break;
        }
        continue;
      }
      if (!read_attribute()) return false;
    }
    tag_.size = static_cast<std::uint32_t>(at_ + 1);
    return true;
  }

 private:
  void skip_blank() {
    while (at_ < bytes_.size() && is_any(bytes_[at_], kBlank)) ++at_;
  }

  bool read_attribute() {
    const std::size_t name = at_++;  // may be "="
    while (at_ < bytes_.size() && !is_any(bytes_[at_], kNameEnd)) ++at_;
    const bool is_id = at_ == name + 2 && (bytes_[name] | 0x20) == 'i' && (bytes_[name + 1] | 0x20) == 'd';
    skip_blank();
    if (at_ >= bytes_.size()) return false;
    if (bytes_[at_] != '=') return true;
    ++at_;
    skip_blank();
    return read_value(is_id);
  }

  bool read_value(bool is_id) {
    if (at_ >= bytes_.size()) return false;
    const char quote = bytes_[at_];
    if (quote == '>') return true;
    std::size_t begin = at_;
    if (quote == '"' || quote == '\'') {
      begin = ++at_;
      at_ = find_either(bytes_, begin, quote, '>');
      if (at_ >= bytes_.size() || bytes_[at_] == '>') return false;
      set_id(is_id, begin);
      ++at_;
      return true;
    }
    while (at_ < bytes_.size() && !is_any(bytes_[at_], kValueEnd)) ++at_;
    set_id(is_id, begin);
    return true;
  }

  void set_id(bool is_id, std::size_t begin) {
    if (!is_id) return;
    tag_.id_begin = static_cast<std::uint32_t>(begin);
    tag_.id_size = static_cast<std::uint32_t>(at_ - begin);
  }

  ByteView bytes_;
  PlainTag& tag_;
  std::size_t at_;
};

}  // namespace

PlainTag read_plain_tag(ByteView bytes) {
  static const TagNumbers numbers;
  PlainTag tag;
  tag.closing = bytes.size() > 1 && bytes[1] == '/';
  std::size_t at = tag.name_begin();
  if (at >= bytes.size() || !is_any(bytes[at], kLetter)) return {};
  std::uint64_t key = 0;
  const std::size_t most = std::min(bytes.size(), at + kLongestName + 1);
  for (; at < most && is_any(bytes[at], kLetter | kDigit); ++at) {
    key = packed(key, bytes[at]);
  }
  if (at >= most) return {};
  tag.tag = numbers.find(key);
  if (tag.tag == 0) return {};
  tag.name_end = static_cast<std::uint32_t>(at);
  if (bytes[at] == '>') {
    tag.size = tag.name_end + 1;
    return tag;
  }
  const bool ends = is_any(bytes[at], kBlank) || bytes[at] == '/';
  return ends && !tag.closing && AttributeReader(bytes, tag).run() ? tag : PlainTag{};
}

}  // namespace blockarch
