// What a version of a page says, in a form that is quick to compare: whether two versions differ in more than noise.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/result.h"
#include "history/significance_rules.h"
#include "objects/version.h"

namespace blockarch {

// What must differ for a difference to count, noise aside.
enum class Basis : std::uint8_t {
  content,  // the text, where links lead, which pictures: what a reader gets
  source,   // any byte
  text,     // the text in <p> and <span> and at <br>, by its digest
  words,    // the words the page is about, by more than a share of them
};

struct SignificanceOptions {
  Basis basis = Basis::content;
  double threshold = 0.1;  // of Basis::words: 0 = any difference, 1 = nothing in common
};

// "content", "source", "text", "words", "words=0.2"; invalid says what there is.
Result<SignificanceOptions> parse_basis(std::string_view text);

struct Meaning {
  Hash256 digest;  // equal: the same; of Basis::words, of the words alone
  // Of Basis::words: hashes of stems, sorted, with how often they occur; the most frequent ones.
  std::vector<std::pair<std::uint64_t, std::uint32_t>> words;
};

// `url` decides which rules apply. Pure; linear in the page.
Meaning read_meaning(ByteView page, const PageFacts& version, std::string_view url, const SignificanceRules& rules,
                     const SignificanceOptions& options);

bool differs(const Meaning& a, const Meaning& b, const SignificanceOptions& options);

// What of a block a reader gets, noise aside: its text and, on lines of their own, where its links lead and which pictures
// it shows.
std::string block_content(ByteView page, const PageBlocks& blocks, const PageBlock& block);

}  // namespace blockarch
