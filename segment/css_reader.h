// Style sheets and style attributes, read by lexbor's CSS parser into what matching and cascading need.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "segment/style.h"

namespace blockarch {

// One condition on an element.
struct CssTest {
  enum class Kind : std::uint8_t { tag, id, class_name, attribute };
  enum class Match : std::uint8_t { any, equal, word, dash, prefix, suffix, substring };

  Kind kind = Kind::tag;
  Match match = Match::any;  // of an attribute
  std::string name;          // lower case for tags and attributes
  std::string value;
};

// Conditions that one element must all meet.
struct CssCompound {
  std::vector<CssTest> tests;
  bool of_child = false;  // the compound to the left is met by the parent; else by any ancestor
};

// What a rule or a style attribute sets, apart for what is "!important".
struct CssChange {
  StyleChange normal;
  StyleChange important;
};

struct CssRule {
  std::vector<CssCompound> compounds;  // the last one is the element itself
  std::uint32_t specificity = 0;
  std::uint32_t change = 0;  // index in CssSheet::changes
};

// In source order.
struct CssSheet {
  std::vector<CssRule> rules;
  std::vector<CssChange> changes;
};

// Total: what is not understood is left out. So are selectors with pseudo classes and elements (they style a state or
// something that is not in the page) and with sibling combinators, and @media rules for anything but every screen.
class CssReader {
 public:
  CssReader();
  ~CssReader();
  CssReader(const CssReader&) = delete;
  CssReader& operator=(const CssReader&) = delete;

  // Appends the rules of a <style> element to `sheet`, as far as the limits allow.
  void read_sheet(ByteView css, CssSheet& sheet);
  CssChange read_declarations(ByteView css);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
  std::size_t bytes_read_ = 0;
};

}  // namespace blockarch
