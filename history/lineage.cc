#include "history/lineage.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "objects/page.h"

namespace blockarch {
namespace {

constexpr std::size_t kMostPairs = 1024;              // compared in one run; longer runs match by their order
constexpr std::uint64_t kLongestCompared = 64 << 10;  // bytes of a block whose words are looked at
constexpr std::size_t kMostKnown = 64;
constexpr double kForBeingThere = 0.01;  // better any pair than none

class Matcher {
 public:
  Matcher(const Leaves& older, const Leaves& newer, const LeafSimilarity& similarity)
      : older_(older), newer_(newer), similarity_(similarity), matches_(newer.size()), taken_(older.size()) {}

  std::vector<LeafMatch> run() {
    match_ends();
    match_ids();
    match_runs();
    return std::move(matches_);
  }

 private:
  void match(std::size_t older, std::size_t newer, bool same) {
    matches_[newer] = {static_cast<std::uint32_t>(older), same};
    taken_[older] = true;
  }

  // Most of a page is what it was: what is equal at both ends needs no table.
  void match_ends() {
    const std::size_t least = std::min(older_.size(), newer_.size());
    while (begin_ < least && older_[begin_].content == newer_[begin_].content) {
      match(begin_, begin_, true);
      ++begin_;
    }
    older_end_ = older_.size();
    newer_end_ = newer_.size();
    while (older_end_ > begin_ && newer_end_ > begin_ &&
           older_[older_end_ - 1].content == newer_[newer_end_ - 1].content) {
      match(--older_end_, --newer_end_, true);
    }
  }

  void match_ids() {
    if (begin_ == older_end_ || begin_ == newer_end_) return;
    std::unordered_map<Hash256, std::vector<std::size_t>> places;
    // Backwards, so that the first of equal ones is taken from the end.
    for (std::size_t i = older_end_; i-- > begin_;) places[older_[i].content.hash].push_back(i);
    for (std::size_t i = begin_; i < newer_end_; ++i) {
      const auto found = places.find(newer_[i].content.hash);
      if (found == places.end() || found->second.empty()) continue;
      match(found->second.back(), i, true);
      found->second.pop_back();
    }
  }

  void match_runs() {
    for (std::size_t i = begin_; i < newer_end_; ++i) {
      if (matches_[i].older != kNoLeaf) continue;
      std::size_t end = i;
      while (end < newer_end_ && matches_[end].older == kNoLeaf) ++end;
      const auto [from, to] = gone_between(i, end);
      pair_up(from, to, i, end);
      i = end - 1;
    }
  }

  // The run of gone blocks that lies between what stands before and after a run of new ones. Where the neighbours were
  // not neighbours before, the one before decides.
  std::pair<std::size_t, std::size_t> gone_between(std::size_t begin, std::size_t end) const {
    const std::size_t after_left = begin == 0 ? 0 : matches_[begin - 1].older + std::size_t{1};
    std::size_t from = std::min(after_left, older_.size());
    std::size_t to = from;
    while (to < older_.size() && !taken_[to]) ++to;
    if (from == to && end < newer_.size() && matches_[end].older != kNoLeaf) {
      to = matches_[end].older;
      from = to;
      while (from > 0 && !taken_[from - 1]) --from;
    }
    return {from, to};
  }

  void pair_up(std::size_t from, std::size_t to, std::size_t begin, std::size_t end) {
    const std::size_t gone = to - from;
    const std::size_t come = end - begin;
    if (gone == 0) return;
    if ((gone == 1 && come == 1) || gone * come > kMostPairs) {
      for (std::size_t i = 0; i < std::min(gone, come); ++i) match(from + i, begin + i, false);
      return;
    }
    align(from, gone, begin, come);
  }

  // The pairs in order with the greatest sum of likeness.
  void align(std::size_t from, std::size_t gone, std::size_t begin, std::size_t come) {
    const auto at = [&](std::size_t i, std::size_t j) { return i * (come + 1) + j; };
    std::vector<double> pair((gone + 1) * (come + 1));
    std::vector<double> best((gone + 1) * (come + 1));
    for (std::size_t i = gone; i-- > 0;) {
      for (std::size_t j = come; j-- > 0;) {
        pair[at(i, j)] = kForBeingThere + similarity_(older_[from + i], newer_[begin + j]);
        best[at(i, j)] = std::max({best[at(i + 1, j + 1)] + pair[at(i, j)], best[at(i + 1, j)], best[at(i, j + 1)]});
      }
    }
    for (std::size_t i = 0, j = 0; i < gone && j < come;) {
      if (best[at(i, j)] == best[at(i + 1, j + 1)] + pair[at(i, j)]) {
        match(from + i++, begin + j++, false);
      } else if (best[at(i, j)] == best[at(i + 1, j)]) {
        ++i;
      } else {
        ++j;
      }
    }
  }

  const Leaves& older_;
  const Leaves& newer_;
  const LeafSimilarity& similarity_;
  std::vector<LeafMatch> matches_;
  std::vector<bool> taken_;
  std::size_t begin_ = 0;
  std::size_t older_end_ = 0;
  std::size_t newer_end_ = 0;
};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c & 0x80) != 0;
}

std::vector<std::uint32_t> word_hashes(ByteView content) {
  std::vector<std::uint32_t> hashes;
  for (std::size_t at = 0; at < content.size();) {
    std::size_t end = at;
    while (end < content.size() && is_word(content[end])) ++end;
    if (end > at)
      hashes.push_back(static_cast<std::uint32_t>(std::hash<std::string_view>()(content.substr(at, end - at))));
    at = end + 1;
  }
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  return hashes;
}

}  // namespace

double size_similarity(const Leaf& older, const Leaf& newer) {
  const auto [less, more] = std::minmax(older.size, newer.size);
  return more == 0 ? 1 : static_cast<double>(less) / static_cast<double>(more);
}

std::vector<LeafMatch> match_leaves(const Leaves& older, const Leaves& newer, const LeafSimilarity& similarity) {
  return Matcher(older, newer, similarity).run();
}

const ContentSimilarity::Words* ContentSimilarity::words_of(const Leaf& leaf) {
  const auto found =
      std::find_if(known_.begin(), known_.end(), [&](const Words& w) { return w.id == leaf.content.hash; });
  if (found != known_.end()) {
    known_.splice(known_.begin(), known_, found);
    return &known_.front();
  }
  if (budget_ == 0 || leaf.size > kLongestCompared) return nullptr;
  --budget_;
  const auto content = join_block(objects_, leaf.content, leaf.size);
  if (!content) return nullptr;
  if (known_.size() >= kMostKnown) known_.pop_back();
  known_.push_front({leaf.content.hash, word_hashes(*content)});
  return &known_.front();
}

double ContentSimilarity::operator()(const Leaf& older, const Leaf& newer) {
  const Words* a = words_of(older);
  const Words* b = a == nullptr ? nullptr : words_of(newer);
  if (b == nullptr) return size_similarity(older, newer);
  std::vector<std::uint32_t> shared;
  std::set_intersection(a->hashes.begin(), a->hashes.end(), b->hashes.begin(), b->hashes.end(),
                        std::back_inserter(shared));
  const std::size_t all = a->hashes.size() + b->hashes.size() - shared.size();
  return all == 0 ? 1 : static_cast<double>(shared.size()) / static_cast<double>(all);
}

}  // namespace blockarch
