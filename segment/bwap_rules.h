// IsBlock of "Collecting and Storing Web Archive Based on Page Block" (Song et al., Journal of Software 19(2), 2008):
// which nodes of a page are blocks.
//
// Rules 1 to 11 are applied to a node in this order; the first that says anything decides.
//    1. no children, or all children of size 0         no
//    2. a Function node                                no
//    3. a Format node                                  no
//    4. exactly one child                              no
//    5. smaller than the least size for its tag        no
//    6. its colour differs from a child's              no
//    7. Schema, no Format or Function child            no
//    8. Schema, only Format or Function children       yes
//    9. Schema, and its Schema children are blocks by rule 8 or 9  yes
//   10. the sibling before it is a block               yes
//   11. otherwise                                      no
//
// How the paper's words are read here:
//   children are what a reader can see: elements that are displayed, and texts (of class Format);
//   sizes are areas: declared, else estimated from text and font, images, controls;
//   the colour is the background that is seen behind the node;
//   "recursively satisfy rule 8 or 9" is the whole sequence of rules, decided by 8 or 9; in the paper's example a cell that
//   holds tables is a block by rule 10 only, because rule 7 stops the tables;
//   tags that belong to the layout (<html>, <body>, <head>, <frameset>) have no class and are never blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "segment/styled_page.h"

namespace blockarch {

enum class NodeClass : std::uint8_t { layout, schema, format, function };

enum class BwapProfile : std::uint8_t {
  // The paper's tag classes; the tags it leaves to "and so on" are given the class of their kin, unknown ones Format.
  paper_2008,
  // The class follows what the element does. Function: interactive and embedded content. Schema: a box that holds boxes and
  // is as large as what pages use for a box of content (least_area). Format: everything else, that is text, what flows
  // with text, boxes that hold nothing but text, and small boxes, which give their text a form. Two readings are wider:
  //   a box around a single box stands for what is in it in rules 9 and 10, and what has no size parts no siblings;
  //   rule 10 comes before rule 7: the content between a header and a footer is a block, as C is in the paper's example,
  //   though pages of today have no text of their own in such a box.
  modern,
};

class BwapRules {
 public:
  BwapRules(const StyledPage& page, BwapProfile profile);

  bool is_block(std::uint32_t node) const { return verdicts_[node].block; }
  // The rule that decided, 1 to 11.
  int deciding_rule(std::uint32_t node) const { return verdicts_[node].rule; }
  NodeClass class_of(std::uint32_t node) const { return verdicts_[node].node_class; }
  // Square pixels; 0 for what cannot be seen.
  std::uint32_t area(std::uint32_t node) const { return areas_[node]; }

 private:
  struct Verdict {
    std::uint8_t rule = 0;
    bool block = false;
    NodeClass node_class = NodeClass::format;
  };
  // What is known of a node's children.
  struct Children {
    std::uint8_t count = 0;  // 2 = more than one
    bool sized : 1 = false;
    bool other_color : 1 = false;
    bool flowing : 1 = false;  // Format or Function
    bool schema : 1 = false;
    bool unfit : 1 = false;             // a Schema child that is no block by rule 8 or 9
    bool boxes : 1 = false;             // anything below lays out a box
    bool stands_for_block : 1 = false;  // of a single child
  };

  bool visible(std::uint32_t node) const;
  void judge(std::uint32_t node);
  int first_rule(std::uint32_t node, const Children& children, NodeClass node_class) const;
  void tell_parent(std::uint32_t node);
  void apply_rule_10();

  const StyledPage& page_;
  BwapProfile profile_;
  std::vector<Verdict> verdicts_;
  std::vector<Children> children_;
  std::vector<std::uint32_t> areas_;
};

}  // namespace blockarch
