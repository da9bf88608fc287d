#include "history/word_blame.h"

#include "history/reader_text.h"
#include "history/sequence_match.h"
#include "objects/page.h"
#include "segment/words.h"

namespace blockarch {
namespace {

constexpr std::size_t kMostWords = 1 << 18;
constexpr std::uint64_t kWorkOfAMatch = 20'000'000;
constexpr std::uint32_t kResolved = 0xffffffff;

// Words with the signs and blanks after them, so that they make up the text again.
std::vector<std::string_view> tokens_of(std::string_view text) {
  const auto words = split_words(text, kMostWords);
  std::vector<std::string_view> tokens;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t end =
        i + 1 < words.size() ? static_cast<std::size_t>(words[i + 1].data() - text.data()) : text.size();
    tokens.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  if (words.empty() && !text.empty()) tokens.push_back(text);
  return tokens;
}

class WordWalk {
 public:
  WordWalk(const Snapshot& snapshot, const PageFacts& version)
      : snapshot_(snapshot), charset_(version.charset), markup_(has_markup(version)) {}

  Result<void> step(const LineageStep& step) {
    if (blocks_.empty()) blocks_.resize(step.has_place.size());
    for (const LineageStep::Change& change : step.changes) BA_TRY(follow(blocks_[change.block], change, *step.newer));
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (!step.has_place[i]) continue;
      blocks_[i].oldest_time = step.older.time;
      blocks_[i].oldest_version = step.older.version;
    }
    return {};
  }

  // What is left is as old as its place.
  Result<WordRuns> finish(const Blame& blame, ByteView page) {
    blocks_.resize(blame.blocks.size());
    WordRuns runs(blame.blocks.size());
    if (charset_.empty()) return runs;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const BlamedBlock& block = blame.blocks[i];
      BlockWords& words = blocks_[i];
      if (words.state == State::untouched) start(words, page.substr(block.begin, block.end - block.begin));
      resolve_all(words, words.oldest_time, words.oldest_version, false);
      runs[i] = runs_of(words);
    }
    return runs;
  }

 private:
  enum class State : std::uint8_t { untouched, followed, done };
  struct Token {
    std::string text;
    Time since;
    VersionId version;
    bool or_earlier = false;
    bool resolved = false;
  };
  struct BlockWords {
    State state = State::untouched;
    std::vector<Token> tokens;            // of the page asked for
    std::vector<std::uint32_t> head;      // the words of the place as they were at this step, by number
    std::vector<std::uint32_t> of_token;  // of each word in `head`: which token it is, or kResolved
    std::size_t open = 0;                 // tokens that are not resolved
    Time oldest_time;
    VersionId oldest_version;
  };

  // Signs and blanks between words count as part of them, but for blanks at the end.
  std::uint32_t number_of(std::string_view token) {
    while (token.ends_with(' ')) token.remove_suffix(1);
    return numbers_.try_emplace(std::string(token), static_cast<std::uint32_t>(numbers_.size())).first->second;
  }

  void start(BlockWords& block, ByteView bytes) {
    block.state = State::followed;
    const std::string text = bytes.size() > kLongestWordBlock ? std::string() : reader_text(bytes, charset_, markup_);
    for (const std::string_view token : tokens_of(text)) {
      block.head.push_back(number_of(token));
      block.of_token.push_back(static_cast<std::uint32_t>(block.tokens.size()));
      block.tokens.push_back({std::string(token), {}, {}, false, false});
    }
    block.open = block.tokens.size();
  }

  void resolve(BlockWords& block, std::uint32_t index, Time since, const VersionId& version, bool or_earlier) {
    Token& token = block.tokens[index];
    if (token.resolved) return;
    token.since = since;
    token.version = version;
    token.or_earlier = or_earlier;
    token.resolved = true;
    --block.open;
  }

  void resolve_all(BlockWords& block, Time since, const VersionId& version, bool or_earlier) {
    for (std::uint32_t i = 0; i < block.tokens.size(); ++i) resolve(block, i, since, version, or_earlier);
    block.state = State::done;
    block.head.clear();
    block.of_token.clear();
  }

  Result<void> follow(BlockWords& block, const LineageStep::Change& change, const LogEntry& newer) {
    if (block.state == State::done || charset_.empty()) return {};
    // The first change of a place is that of the block itself.
    if (block.state == State::untouched) BA_TRY(start_from(block, change.newer));
    if (reads_ >= kMostWordReads || change.older.size > kLongestWordBlock) {
      resolve_all(block, newer.time, newer.version, true);
      return {};
    }
    ++reads_;
    BA_ASSIGN(const Bytes bytes, join_block(snapshot_.objects(), change.older.content, change.older.size));
    const std::string text = reader_text(bytes, charset_, markup_);
    std::vector<std::uint32_t> older;
    for (const std::string_view token : tokens_of(text)) older.push_back(number_of(token));
    step_back(block, std::move(older), newer);
    return {};
  }

  Result<void> start_from(BlockWords& block, const Leaf& leaf) {
    ++reads_;
    BA_ASSIGN(const Bytes bytes, join_block(snapshot_.objects(), leaf.content, leaf.size));
    start(block, bytes);
    return {};
  }

  // Words that the older block has too live on in it; the others came with the newer one.
  void step_back(BlockWords& block, std::vector<std::uint32_t> older, const LogEntry& newer) {
    WorkLimit limit{kWorkOfAMatch};
    std::vector<std::uint32_t> of_token(older.size(), kResolved);
    std::vector<bool> lives(block.tokens.size());
    for (const SequenceMatch& match : match_sequences(older, block.head, limit)) {
      for (std::uint32_t i = 0; i < match.size; ++i) {
        const std::uint32_t token = block.of_token[match.b + i];
        of_token[match.a + i] = token;
        if (token != kResolved) lives[token] = true;
      }
    }
    for (std::uint32_t i = 0; i < block.tokens.size(); ++i)
      if (!lives[i]) resolve(block, i, newer.time, newer.version, false);
    block.head = std::move(older);
    block.of_token = std::move(of_token);
    if (block.open == 0) block.state = State::done;
  }

  static std::vector<WordRun> runs_of(const BlockWords& block) {
    std::vector<WordRun> runs;
    for (const Token& token : block.tokens) {
      if (runs.empty() || runs.back().version != token.version || runs.back().since != token.since) {
        runs.push_back({"", token.since, token.version, token.or_earlier});
      }
      runs.back().text += token.text;
    }
    for (WordRun& run : runs)
      while (run.text.ends_with(' ')) run.text.pop_back();
    return runs;
  }

  const Snapshot& snapshot_;
  const std::string charset_;
  const bool markup_;
  std::vector<BlockWords> blocks_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::uint64_t reads_ = 0;
};

}  // namespace

Result<WordBlame> blame_words(const Snapshot& snapshot, const CaptureInfo& capture, const BlameOptions& options) {
  BA_ASSIGN(const Page page, snapshot.page(capture));
  WordWalk walk(snapshot, page.version);
  WordBlame result;
  BA_ASSIGN(result.blame, blame(snapshot, capture, options, [&](const LineageStep& step) { return walk.step(step); }));
  BA_ASSIGN(result.words, walk.finish(result.blame, page.bytes));
  return result;
}

}  // namespace blockarch
