// Rules 1 to 9 ask about a node and its children alone, so one pass from the last node to the first, in which each node
// tells its parent what it is, decides them; rule 10 then takes one pass forward.
#include "segment/bwap_rules.h"

#include <algorithm>
#include <limits>

#include "segment/bwap_tags.h"

namespace blockarch {
namespace {

constexpr int kUndecided = 0;  // by rules 1 to 9

std::uint32_t saturated(std::uint64_t area) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(area, std::numeric_limits<std::uint32_t>::max()));
}

// A letter is about half as wide as it is high, and lines stand a fifth apart.
std::uint32_t text_area(const StyledPage& page, const StyledNode& node) {
  const float font = page.style(node).font_size;
  const auto letter = static_cast<std::uint64_t>(0.6f * font * font);
  return saturated(visible_length(page.text(node)) * letter);
}

bool lays_out_box(Display display) {
  return display != Display::inline_level && display != Display::inline_block && display != Display::contents &&
         display != Display::none;
}

}  // namespace

BwapRules::BwapRules(const StyledPage& page, BwapProfile profile)
    : page_(page),
      profile_(profile),
      verdicts_(page.nodes.size()),
      children_(page.nodes.size()),
      areas_(page.nodes.size()) {
  for (auto i = static_cast<std::uint32_t>(page.nodes.size()); i-- > 0;) {
    judge(i);
    if (i > 0) tell_parent(i);
  }
  apply_rule_10();
}

bool BwapRules::visible(std::uint32_t node) const {
  const ComputedStyle& style = page_.style(page_.nodes[node]);
  return style.display != Display::none;
}

void BwapRules::judge(std::uint32_t index) {
  const StyledNode& node = page_.nodes[index];
  const Children& children = children_[index];
  Verdict& verdict = verdicts_[index];
  // The children's areas have been added up already.
  if (!visible(index)) {
    areas_[index] = 0;
  } else if (StyledPage::is_text(node)) {
    areas_[index] = page_.style(node).hidden ? 0 : text_area(page_, node);
  } else {
    areas_[index] = std::max(areas_[index], own_area(page_, node));
  }
  if (profile_ == BwapProfile::paper_2008) {
    verdict.node_class = class_in_2008(node.tag);
  } else if (is_layout_tag(node.tag)) {
    verdict.node_class = NodeClass::layout;
  } else if (is_function_tag(node.tag) && !children.boxes) {
    verdict.node_class = NodeClass::function;
  } else {
    const bool large = areas_[index] >= least_area(node.tag, profile_);
    verdict.node_class = children.boxes && large ? NodeClass::schema : NodeClass::format;
  }
  if (StyledPage::is_text(node)) verdict.node_class = NodeClass::format;
  verdict.rule = static_cast<std::uint8_t>(first_rule(index, children, verdict.node_class));
  verdict.block = verdict.rule == 8 || verdict.rule == 9;
}

// The first of rules 1 to 9 that says anything.
int BwapRules::first_rule(std::uint32_t node, const Children& children, NodeClass node_class) const {
  if (children.count == 0 || !children.sized) return 1;
  if (node_class == NodeClass::function) return 2;
  if (node_class == NodeClass::format) return 3;
  if (children.count == 1) return 4;
  if (areas_[node] < least_area(page_.nodes[node].tag, profile_)) return 5;
  if (children.other_color) return 6;
  if (node_class != NodeClass::schema) return kUndecided;
  if (!children.flowing) return profile_ == BwapProfile::modern ? kUndecided : 7;
  if (!children.schema) return 8;
  if (children.schema && !children.unfit) return 9;
  return kUndecided;
}

void BwapRules::tell_parent(std::uint32_t index) {
  const StyledNode& node = page_.nodes[index];
  Children& siblings = children_[node.parent];
  if (!visible(index)) return;
  const Verdict& verdict = verdicts_[index];
  areas_[node.parent] = saturated(std::uint64_t{areas_[node.parent]} + areas_[index]);
  siblings.count = static_cast<std::uint8_t>(std::min(siblings.count + 1, 2));
  siblings.sized = siblings.sized || areas_[index] > 0;
  const bool text = StyledPage::is_text(node);
  const bool box = !text && lays_out_box(page_.style(node).display);
  siblings.boxes = siblings.boxes || box || children_[index].boxes;
  const Color around = page_.style(page_.nodes[node.parent]).background;
  if (areas_[index] > 0 && page_.style(node).background != around) siblings.other_color = true;
  const bool schema = verdict.node_class == NodeClass::schema;
  siblings.flowing = siblings.flowing || (!schema && verdict.node_class != NodeClass::layout);
  siblings.schema = siblings.schema || schema;
  // A box around a single box is as good as what is in it.
  const bool stands_for_block =
      profile_ == BwapProfile::modern && verdict.rule == 4 && children_[index].stands_for_block;
  siblings.stands_for_block = siblings.count == 1 && (verdict.block || stands_for_block);
  siblings.unfit = siblings.unfit || (schema && !verdict.block && !stands_for_block);
}

void BwapRules::apply_rule_10() {
  std::vector<bool> after_block(page_.nodes.size());  // of the newest child of each node
  for (std::uint32_t i = 1; i < page_.nodes.size(); ++i) {
    if (!visible(i)) continue;
    Verdict& verdict = verdicts_[i];
    const std::uint32_t parent = page_.nodes[i].parent;
    if (verdict.rule == kUndecided) {
      verdict.block = verdict.node_class != NodeClass::layout && after_block[parent];
      const bool rule_7 = verdict.node_class == NodeClass::schema && !children_[i].flowing;
      verdict.rule = verdict.block ? 10 : rule_7 ? 7 : 11;
    }
    const bool stands_for_block = profile_ == BwapProfile::modern && verdict.rule == 4 && children_[i].stands_for_block;
    // Spacers between columns part nothing.
    if (profile_ == BwapProfile::modern && areas_[i] == 0) continue;
    after_block[parent] = verdict.block || stands_for_block;
  }
  if (verdicts_[0].rule == kUndecided) verdicts_[0].rule = 11;
}

}  // namespace blockarch
