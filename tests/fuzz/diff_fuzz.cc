// Two pages in one input, apart at the first 0xFF byte: blocks are in order, every block of both is told once, the edits give
// the new bytes, words spell the new text, and noise is inside the page.
#include <algorithm>

#include "history/block_text.h"
#include "history/meaning.h"
#include "history/page_edits.h"
#include "history/significance_rules.h"
#include "tests/fuzz/require.h"

using namespace blockarch;

namespace {

void check_noise(ByteView page, const PageBlocks& blocks) {
  std::uint64_t at = 0;
  for (const NoiseRange& range :
       SignificanceRules::built_in().find_noise(page, blocks, "https://example.com/", false)) {
    require(range.begin >= at && range.begin < range.end && range.end <= page.size(), "noise outside of the page");
    at = range.end;
  }
}

void check_pair(ByteView before, ByteView after, const std::string& type) {
  PageBlocks old_blocks = read_page_blocks(before, type, "utf-8");
  PageBlocks new_blocks = read_page_blocks(after, type, "utf-8");
  check_noise(before, old_blocks);
  drop_noise(after, new_blocks, SignificanceRules::built_in().find_noise(after, new_blocks, "", true));
  const std::size_t blocks = old_blocks.blocks.size() + new_blocks.blocks.size();
  const PageDiff diff = diff_pages(before, std::move(old_blocks), after, std::move(new_blocks), WorkLimit{1'000'000});
  const auto applied = apply_edits(before, page_edits(diff), after);
  require(applied && *applied == after, "the edits give other bytes");
  std::size_t told = 0;
  for (const BlockChange& change : diff.blocks) {
    told += (change.before != kNoBlock ? 1 : 0) + (change.after != kNoBlock ? 1 : 0);
    const std::string old_text = diff.text_before(change);
    const std::string new_text = diff.text_after(change);
    WorkLimit limit{100'000};
    std::string spelt;
    for (const WordRun& run : compare_words(old_text, new_text, limit)) {
      if (run.kind != WordRun::Kind::gone) spelt += run.text;
    }
    require(spelt == new_text, "the words spell another text");
  }
  require(told == blocks, "a block is not told once");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView input(reinterpret_cast<const char*>(data), size);
  const std::size_t middle = std::min(input.find('\xff'), input.size());
  const ByteView before = input.substr(0, middle);
  const ByteView after = middle == input.size() ? ByteView() : input.substr(middle + 1);
  check_pair(before, after, "text/html");
  check_pair(before, after, "text/plain");
  check_pair(before, after, "application/xml");
  (void)SignificanceRules::parse(input, "input");
  return 0;
}
