#include "history/page_edits.h"

#include <fmt/format.h>

#include <algorithm>

#include "history/block_text.h"
#include "segment/chunker.h"

namespace blockarch {
namespace {

constexpr std::uint64_t kShortCopy = 16;   // between two insertions it costs more than it saves
constexpr std::size_t kMaxFine = 4 << 20;  // longer stretches are compared in chunks
constexpr ChunkSizes kChunks = {64, 256, 4096};

bool is_word_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Letters together, blanks together, everything else by itself: in any charset, text or not.
std::vector<ByteView> byte_tokens(ByteView bytes) {
  std::vector<ByteView> tokens;
  if (bytes.size() > kMaxFine) {
    std::uint64_t at = 0;
    for (const std::uint64_t end : chunk_ends(bytes, kChunks)) {
      tokens.push_back(bytes.substr(at, end - at));
      at = end;
    }
    return tokens;
  }
  for (std::size_t at = 0; at < bytes.size();) {
    std::size_t end = at + 1;
    if (is_word_byte(bytes[at])) {
      while (end < bytes.size() && is_word_byte(bytes[end])) ++end;
    } else if (bytes[at] == ' ') {
      while (end < bytes.size() && bytes[end] == ' ') ++end;
    }
    tokens.push_back(bytes.substr(at, end - at));
    at = end;
  }
  return tokens;
}

class EditMaker {
 public:
  EditMaker(const PageDiff& diff, WorkLimit& limit)
      : a_(diff.old_page), b_(diff.new_page), diff_(diff), limit_(limit) {}

  std::vector<PageEdit> run() {
    std::uint64_t at = 0;
    std::uint64_t old_at = 0;  // where the old page goes on after what the last block was
    for (const BlockChange& change : diff_.blocks) {
      if (change.after == kNoBlock) continue;
      const PageBlock& block = diff_.after.blocks[change.after];
      const bool known = change.before != kNoBlock;
      // The gap before it is most likely the one before its old self.
      const Stretch gap = known ? gap_before(change.before) : gap_after(old_at);
      compare(gap, {at, block.begin});
      if (known) {
        const PageBlock& old_block = diff_.before.blocks[change.before];
        compare({old_block.begin, old_block.end}, {block.begin, block.end});
        old_at = old_block.end;
      } else {
        insert({block.begin, block.end});
      }
      at = block.end;
    }
    const std::uint64_t last = diff_.before.blocks.empty() ? 0 : diff_.before.blocks.back().end;
    compare({last, a_.size()}, {at, b_.size()});
    return without_short_copies();
  }

 private:
  struct Stretch {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t size() const { return end - begin; }
  };

  Stretch gap_before(std::uint32_t block) const {
    return {block == 0 ? 0 : diff_.before.blocks[block - 1].end, diff_.before.blocks[block].begin};
  }

  Stretch gap_after(std::uint64_t at) const {
    const auto& blocks = diff_.before.blocks;
    const auto next =
        std::partition_point(blocks.begin(), blocks.end(), [at](const PageBlock& block) { return block.begin < at; });
    return {at, next == blocks.end() ? a_.size() : next->begin};
  }

  void copy(Stretch s) {
    if (s.size() == 0) return;
    if (!edits_.empty() && edits_.back().copy && edits_.back().end == s.begin) {
      edits_.back().end = s.end;
    } else {
      edits_.push_back({true, s.begin, s.end});
    }
  }

  void insert(Stretch s) {
    if (s.size() == 0) return;
    if (!edits_.empty() && !edits_.back().copy && edits_.back().end == s.begin) {
      edits_.back().end = s.end;
    } else {
      edits_.push_back({false, s.begin, s.end});
    }
  }

  // Copies what is common at both ends and compares the rest by tokens.
  void compare(Stretch a, Stretch b) {
    const ByteView x = a_.substr(a.begin, a.size());
    const ByteView y = b_.substr(b.begin, b.size());
    const auto front =
        static_cast<std::uint64_t>(std::mismatch(x.begin(), x.end(), y.begin(), y.end()).first - x.begin());
    copy({a.begin, a.begin + front});
    const ByteView x_rest = x.substr(front);
    const ByteView y_rest = y.substr(front);
    const auto back = static_cast<std::uint64_t>(
        std::mismatch(x_rest.rbegin(), x_rest.rend(), y_rest.rbegin(), y_rest.rend()).first - x_rest.rbegin());
    compare_tokens({a.begin + front, a.end - back}, {b.begin + front, b.end - back});
    copy({a.end - back, a.end});
  }

  void compare_tokens(Stretch a, Stretch b) {
    if (a.size() < kShortCopy || b.size() < kShortCopy) return insert(b);
    const auto x = byte_tokens(a_.substr(a.begin, a.size()));
    const auto y = byte_tokens(b_.substr(b.begin, b.size()));
    Numbering numbers;
    std::vector<std::uint32_t> x_numbers;
    std::vector<std::uint32_t> y_numbers;
    for (const ByteView token : x) x_numbers.push_back(numbers.of(token));
    for (const ByteView token : y) y_numbers.push_back(numbers.of(token));
    std::uint64_t at = b.begin;
    for (const SequenceMatch& match : match_sequences(x_numbers, y_numbers, limit_)) {
      const auto from = static_cast<std::uint64_t>(x[match.a].data() - a_.data());
      const auto to = static_cast<std::uint64_t>(y[match.b].data() - b_.data());
      const ByteView last = y[match.b + match.size - 1];
      const auto end = static_cast<std::uint64_t>(last.data() + last.size() - b_.data());
      insert({at, to});
      copy({from, from + (end - to)});
      at = end;
    }
    insert({at, b.end});
  }

  std::vector<PageEdit> without_short_copies() const {
    std::vector<PageEdit> list;
    std::uint64_t at = 0;  // in the new page
    for (std::size_t i = 0; i < edits_.size(); ++i) {
      PageEdit edit = edits_[i];
      const std::uint64_t size = edit.end - edit.begin;
      const bool between = !list.empty() && !list.back().copy && i + 1 < edits_.size();
      if (edit.copy && size < kShortCopy && between) edit = {false, at, at + size};
      if (!edit.copy && !list.empty() && !list.back().copy) {
        list.back().end = edit.end;
      } else {
        list.push_back(edit);
      }
      at += size;
    }
    return list;
  }

  ByteView a_;
  ByteView b_;
  const PageDiff& diff_;
  WorkLimit& limit_;
  std::vector<PageEdit> edits_;
};

}  // namespace

std::vector<PageEdit> page_edits(const PageDiff& diff, WorkLimit limit) {
  return EditMaker(diff, limit).run();
}

Result<Bytes> apply_edits(ByteView old_page, const std::vector<PageEdit>& edits, ByteView new_page) {
  Bytes bytes;
  for (const PageEdit& edit : edits) {
    const ByteView from = edit.copy ? old_page : new_page;
    if (edit.begin > edit.end || edit.end > from.size()) {
      return Error{ErrorCode::invalid,
                   fmt::format("an edit takes bytes {} to {} of {}", edit.begin, edit.end, from.size())};
    }
    bytes += from.substr(edit.begin, edit.end - edit.begin);
  }
  return bytes;
}

}  // namespace blockarch
