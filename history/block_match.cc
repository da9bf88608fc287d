#include "history/block_match.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "history/block_text.h"

namespace blockarch {
namespace {

constexpr std::uint32_t kFree = 0xffffffff;
constexpr std::size_t kMaxWords = 4096;     // of a block, looked at for likeness
constexpr std::size_t kMaxTable = 250'000;  // pairs of a gap that are compared one with one
constexpr double kAlike = 0.4;              // between neighbours
constexpr double kPlaceCounts = 0.15;       // the same path is worth so much
constexpr double kAlikeAnywhere = 0.65;
constexpr std::size_t kFewWords = 12;  // a block this short that stands in the same place is the same one, changed
constexpr std::size_t kRare = 8;       // blocks that share a word before it says nothing about which
constexpr std::size_t kWordsToMove = 3;
constexpr std::size_t kWordsToKnow =
    8;  // what moved and changed has at least so many, lest "Email:" go from place to place

std::uint32_t hash_word(std::string_view word) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return static_cast<std::uint32_t>(hash ^ hash >> 32);
}

// One page of the two.
class Side {
 public:
  Side(ByteView page, const PageBlocks& blocks)
      : page_(page), blocks_(blocks), partner_(blocks.blocks.size(), kFree), words_(blocks.blocks.size()) {}

  std::uint32_t size() const { return static_cast<std::uint32_t>(partner_.size()); }
  const PageBlock& operator[](std::uint32_t i) const { return blocks_.blocks[i]; }
  std::uint32_t& partner(std::uint32_t i) { return partner_[i]; }
  bool is_free(std::uint32_t i) const { return partner_[i] == kFree; }

  // Sorted, as hashes.
  const std::vector<std::uint32_t>& words(std::uint32_t i) {
    std::optional<std::vector<std::uint32_t>>& words = words_[i];
    if (!words) {
      words.emplace();
      // Enough for kMaxWords of them: a script may have megabytes.
      PageBlock part = blocks_.blocks[i];
      part.end = std::min(part.end, part.begin + 16 * kMaxWords);
      const std::string text = block_text(page_, blocks_, part);
      for (const std::string_view token : text_tokens(text)) {
        if (words->size() == kMaxWords) break;
        words->push_back(hash_word(token));
      }
      std::sort(words->begin(), words->end());
    }
    return *words;
  }

 private:
  ByteView page_;
  const PageBlocks& blocks_;
  std::vector<std::uint32_t> partner_;
  std::vector<std::optional<std::vector<std::uint32_t>>> words_;
};

// Twice what they share by what they have.
double likeness(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  if (a.empty() || b.empty()) return a.size() == b.size() ? 1 : 0;
  std::size_t shared = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) {
      ++shared, ++i, ++j;
    } else if (a[i] < b[j]) {
      ++i;
    } else {
      ++j;
    }
  }
  return 2.0 * static_cast<double>(shared) / static_cast<double>(a.size() + b.size());
}

struct Gap {
  std::vector<std::uint32_t> a;
  std::vector<std::uint32_t> b;
};

class BlockMatcher {
 public:
  BlockMatcher(Side& a, Side& b, WorkLimit& limit) : a_(a), b_(b), limit_(limit) {}

  std::vector<BlockPair> run() {
    match_ids_in_order();
    match_ids_anywhere();
    for (const Gap& gap : gaps()) match_gap(gap);
    match_words_anywhere();
    for (const Gap& gap : gaps()) match_places(gap);
    return pairs();
  }

 private:
  void join(std::uint32_t i, std::uint32_t j) {
    a_.partner(i) = j;
    b_.partner(j) = i;
  }

  // Where blocks of the same bytes stand around what came or went, a shortest edit does not say which of them it was:
  // of "One, Soon, Two, Soon" with "Two, Soon" removed it may find "Soon, Two". A person says what begins with a heading.
  void settle_gap(SequenceMatch& before, SequenceMatch& after) {
    const std::uint32_t gap_a = after.a - (before.a + before.size);
    const std::uint32_t gap_b = after.b - (before.b + before.size);
    if ((gap_a == 0) == (gap_b == 0)) return;
    const std::uint32_t gap = gap_a + gap_b;
    const Side& side = gap_a != 0 ? a_ : b_;
    const std::vector<std::uint32_t>& numbers = gap_a != 0 ? a_numbers_ : b_numbers_;
    const std::uint32_t first = gap_a != 0 ? after.a - gap : after.b - gap;
    if (begins_part(side[first])) return;
    // Up and down, as far as what leaves the gap at one end equals what comes in at the other.
    for (std::uint32_t by = 1; by < before.size && numbers[first - by] == numbers[first - by + gap]; ++by) {
      if (!begins_part(side[first - by])) continue;
      before.size -= by;
      after = {after.a - by, after.b - by, after.size + by};
      return;
    }
    for (std::uint32_t by = 1; by < after.size && numbers[first + by - 1] == numbers[first + by - 1 + gap]; ++by) {
      if (!begins_part(side[first + by])) continue;
      before.size += by;
      after = {after.a + by, after.b + by, after.size - by};
      return;
    }
  }

  static bool begins_part(const PageBlock& block) {
    std::string_view name = block.path;
    name.remove_prefix(name.rfind('/') == std::string_view::npos ? 0 : name.rfind('/') + 1);
    name = name.substr(0, name.find('#'));
    return name == "dt" || (name.size() == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6');
  }

  void match_ids_in_order() {
    std::unordered_map<Hash256, std::uint32_t> numbers;
    const auto numbered = [&](const Side& side) {
      std::vector<std::uint32_t> list(side.size());
      for (std::uint32_t i = 0; i < side.size(); ++i) {
        list[i] = numbers.emplace(side[i].id.hash, static_cast<std::uint32_t>(numbers.size())).first->second;
      }
      return list;
    };
    a_numbers_ = numbered(a_);
    b_numbers_ = numbered(b_);
    std::vector<SequenceMatch> matches = match_sequences(a_numbers_, b_numbers_, limit_);
    for (std::size_t i = 1; i < matches.size(); ++i) settle_gap(matches[i - 1], matches[i]);
    for (const SequenceMatch& match : matches) {
      for (std::uint32_t k = 0; k < match.size; ++k) join(match.a + k, match.b + k);
    }
  }

  // What is on both sides once is the same block in another place. What is there more often ("Read more") is only where
  // it is long enough to be recognised.
  void match_ids_anywhere() {
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> free_in_a;
    std::unordered_map<std::uint32_t, std::uint32_t> free_in_b;
    for (std::uint32_t i = 0; i < a_.size(); ++i) {
      if (a_.is_free(i)) free_in_a[a_numbers_[i]].push_back(i);
    }
    for (std::uint32_t j = 0; j < b_.size(); ++j) {
      if (b_.is_free(j)) ++free_in_b[b_numbers_[j]];
    }
    std::unordered_map<std::uint32_t, std::size_t> used;
    for (std::uint32_t j = 0; j < b_.size(); ++j) {
      if (!b_.is_free(j)) continue;
      const auto found = free_in_a.find(b_numbers_[j]);
      if (found == free_in_a.end()) continue;
      const bool single = found->second.size() == 1 && free_in_b[b_numbers_[j]] == 1;
      if (!single && b_.words(j).size() < kWordsToMove) continue;
      std::size_t& next = used[b_numbers_[j]];
      if (next < found->second.size()) join(found->second[next++], j);
    }
  }

  // Runs of blocks without partner between pairs that keep their order.
  std::vector<Gap> gaps() {
    std::vector<Gap> list;
    Gap gap;
    std::uint32_t i = 0;
    const std::vector<bool> fixed = in_order();
    const auto end_gap = [&](std::uint32_t until) {
      for (; i < until; ++i) {
        if (a_.is_free(i)) gap.a.push_back(i);
      }
      if (!gap.a.empty() && !gap.b.empty()) list.push_back(gap);
      gap = {};
    };
    for (std::uint32_t j = 0; j < b_.size(); ++j) {
      if (b_.is_free(j)) gap.b.push_back(j);
      if (fixed[j]) end_gap(b_.partner(j));
    }
    end_gap(a_.size());
    return list;
  }

  // For each new block, whether it is in the heaviest part of the pairs that kept its order.
  std::vector<bool> in_order() {
    std::vector<std::uint32_t> from;
    std::vector<std::uint32_t> to;
    std::vector<std::uint64_t> weights;
    for (std::uint32_t j = 0; j < b_.size(); ++j) {
      if (b_.is_free(j)) continue;
      from.push_back(j);
      to.push_back(b_.partner(j));
      weights.push_back(weight(b_[j]));
    }
    const std::vector<bool> kept = heaviest_rising(to, weights);
    std::vector<bool> result(b_.size(), false);
    for (std::size_t k = 0; k < from.size(); ++k) result[from[k]] = kept[k];
    return result;
  }

  // As a reader sees it: what is about the page weighs nothing against its text.
  static std::uint64_t weight(const PageBlock& block) {
    return block.kind == PageBlockKind::text ? 64 + std::min<std::uint64_t>(block.end - block.begin, 4096) : 1;
  }

  double likeness_of(std::uint32_t i, std::uint32_t j) {
    const auto& a = a_.words(i);
    const auto& b = b_.words(j);
    limit_.spend(a.size() + b.size());
    return likeness(a, b);
  }

  double score(std::uint32_t i, std::uint32_t j) {
    if (a_[i].kind != b_[j].kind) return 0;
    const double alike = likeness_of(i, j);
    return alike > 0.1 && a_[i].path == b_[j].path ? alike + kPlaceCounts : alike;
  }

  // The alignment with the greatest sum of scores, none of them below kAlike.
  void match_gap(const Gap& gap) {
    const std::size_t rows = gap.a.size();
    const std::size_t columns = gap.b.size();
    if (rows * columns > kMaxTable || limit_.left == 0) return;
    std::vector<float> scores(rows * columns);
    std::vector<float> best((rows + 1) * (columns + 1), 0);
    const auto at = [&](std::size_t i, std::size_t j) -> float& { return best[i * (columns + 1) + j]; };
    for (std::size_t i = 1; i <= rows; ++i) {
      for (std::size_t j = 1; j <= columns; ++j) {
        const auto here = static_cast<float>(score(gap.a[i - 1], gap.b[j - 1]));
        scores[(i - 1) * columns + j - 1] = here;
        const float with = here >= kAlike ? at(i - 1, j - 1) + here : 0;
        at(i, j) = std::max({at(i - 1, j), at(i, j - 1), with});
      }
    }
    for (std::size_t i = rows, j = columns; i > 0 && j > 0;) {
      if (at(i, j) == at(i - 1, j)) {
        --i;
      } else if (at(i, j) == at(i, j - 1)) {
        --j;
      } else {
        join(gap.a[--i], gap.b[--j]);
      }
    }
  }

  // By words that few blocks have: each free new block is compared with the old ones that share most of those.
  void match_words_anywhere() {
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> having;
    for (std::uint32_t i = 0; i < a_.size() && limit_.left > 0; ++i) {
      if (!a_.is_free(i) || a_[i].kind != PageBlockKind::text) continue;
      for_each_word(a_.words(i), [&](std::uint32_t word) {
        auto& list = having[word];
        if (list.size() <= kRare) list.push_back(i);
      });
    }
    std::unordered_map<std::uint32_t, std::uint32_t> shared;
    for (std::uint32_t j = 0; j < b_.size() && limit_.left > 0; ++j) {
      if (!b_.is_free(j) || b_[j].kind != PageBlockKind::text || b_.words(j).size() < kWordsToKnow) continue;
      shared.clear();
      for_each_word(b_.words(j), [&](std::uint32_t word) {
        const auto found = having.find(word);
        if (found == having.end() || found->second.size() > kRare) return;
        for (const std::uint32_t i : found->second) {
          if (a_.is_free(i)) ++shared[i];
        }
      });
      match_best(j, shared);
    }
  }

  void match_best(std::uint32_t j, const std::unordered_map<std::uint32_t, std::uint32_t>& shared) {
    std::uint32_t best = kFree;
    double best_score = kAlikeAnywhere;
    for (const auto& [i, count] : shared) {
      // Few rare words in common, and one of the others would be better; the cheap test first.
      if (std::size_t{count} * 8 < std::min<std::size_t>(b_.words(j).size(), 64)) continue;
      const double here = likeness_of(i, j);
      if (here > best_score || (here == best_score && best != kFree && i < best)) {
        best = i;
        best_score = here;
      }
    }
    if (best != kFree) join(best, j);
  }

  template <typename Visit>
  void for_each_word(const std::vector<std::uint32_t>& words, Visit visit) {
    limit_.spend(20 * words.size());
    for (std::size_t k = 0; k < words.size(); ++k) {
      if (k == 0 || words[k] != words[k - 1]) visit(words[k]);
    }
  }

  // As many blocks of one kind and path on both sides: a number, a date, a headline that was exchanged.
  void match_places(const Gap& gap) {
    std::size_t i = 0;
    std::size_t j = 0;
    if (gap.a.size() != gap.b.size()) return;
    for (; i < gap.a.size(); ++i, ++j) {
      const PageBlock& a = a_[gap.a[i]];
      const PageBlock& b = b_[gap.b[j]];
      if (a.kind != b.kind || a.path != b.path || limit_.left == 0) continue;
      const bool few_words = a_.words(gap.a[i]).size() <= kFewWords && b_.words(gap.b[j]).size() <= kFewWords;
      const bool no_text = a.kind != PageBlockKind::text;
      if (few_words || no_text) join(gap.a[i], gap.b[j]);
    }
  }

  std::vector<BlockPair> pairs() {
    const std::vector<bool> kept = in_order();
    std::vector<BlockPair> list;
    for (std::uint32_t j = 0; j < b_.size(); ++j) {
      if (!b_.is_free(j)) list.push_back({b_.partner(j), j, !kept[j]});
    }
    return list;
  }

  Side& a_;
  Side& b_;
  WorkLimit& limit_;
  std::vector<std::uint32_t> a_numbers_;
  std::vector<std::uint32_t> b_numbers_;
};

}  // namespace

std::vector<BlockPair> match_blocks(ByteView old_page, const PageBlocks& before, ByteView new_page,
                                    const PageBlocks& after, WorkLimit& limit) {
  Side a(old_page, before);
  Side b(new_page, after);
  return BlockMatcher(a, b, limit).run();
}

}  // namespace blockarch
