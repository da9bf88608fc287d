#include "segment/css_match.h"

#include <algorithm>

#include "segment/start_tag.h"

namespace blockarch {
namespace {

constexpr ByteView kBlank = " \t\n\r\f";
constexpr std::size_t kMaxAncestors = 64;  // farther ones meet no selector
constexpr std::size_t kMaxClasses = 64;

// Calls back with each word until it says stop.
template <typename Visit>
bool any_word(ByteView words, Visit visit) {
  while (true) {
    words.remove_prefix(std::min(words.find_first_not_of(kBlank), words.size()));
    if (words.empty()) return false;
    const ByteView word = words.substr(0, words.find_first_of(kBlank));
    if (visit(word)) return true;
    words.remove_prefix(word.size());
  }
}

bool has_word(ByteView words, ByteView wanted) {
  return any_word(words, [&](ByteView word) { return word == wanted; });
}

bool value_matches(const CssTest& test, ByteView value) {
  const ByteView wanted = test.value;
  switch (test.match) {
    case CssTest::Match::any:
      return true;
    case CssTest::Match::equal:
      return value == wanted;
    case CssTest::Match::word:
      return has_word(value, wanted);
    case CssTest::Match::dash:
      return value == wanted || (value.starts_with(wanted) && value.substr(wanted.size()).starts_with('-'));
    case CssTest::Match::prefix:
      return !wanted.empty() && value.starts_with(wanted);
    case CssTest::Match::suffix:
      return !wanted.empty() && value.ends_with(wanted);
    case CssTest::Match::substring:
      return !wanted.empty() && value.find(wanted) != ByteView::npos;
  }
  return false;
}

}  // namespace

CssMatcher::CssMatcher(const CssSheet& sheet, std::uint64_t steps) : sheet_(sheet), steps_(steps) {
  for (std::uint32_t i = 0; i < sheet.rules.size(); ++i) index(i);
}

// By the rarest thing that its last compound asks for.
void CssMatcher::index(std::uint32_t rule) {
  const CssTest* best = nullptr;
  for (const CssTest& test : sheet_.rules[rule].compounds.back().tests) {
    if (test.kind == CssTest::Kind::attribute) continue;
    const auto rank = [](CssTest::Kind kind) {
      return kind == CssTest::Kind::tag ? 0 : kind == CssTest::Kind::id ? 2 : 1;
    };
    if (!best || rank(test.kind) > rank(best->kind)) best = &test;
  }
  if (!best) return universal_.push_back(rule);
  Bucket& bucket = best->kind == CssTest::Kind::id ? by_id_ : best->kind == CssTest::Kind::tag ? by_tag_ : by_class_;
  bucket[best->name].push_back(rule);
}

const std::vector<const CssChange*>& CssMatcher::match(const std::vector<ElementIdentity>& path) {
  found_.clear();
  changes_.clear();
  if (path.empty() || sheet_.rules.empty()) return changes_;
  const ElementIdentity& element = path.back();
  try_rules(universal_, path);
  try_bucket(by_tag_, element.tag, path);
  if (!element.id.empty()) try_bucket(by_id_, element.id, path);
  std::size_t classes = 0;
  any_word(element.classes, [&](ByteView name) {
    try_bucket(by_class_, name, path);
    return ++classes >= kMaxClasses;
  });
  std::sort(found_.begin(), found_.end(), [&](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t x = sheet_.rules[a].specificity;
    const std::uint32_t y = sheet_.rules[b].specificity;
    return x != y ? x < y : a < b;
  });
  for (const std::uint32_t rule : found_) changes_.push_back(&sheet_.changes[sheet_.rules[rule].change]);
  return changes_;
}

void CssMatcher::try_bucket(const Bucket& bucket, std::string_view key, const std::vector<ElementIdentity>& path) {
  const auto found = bucket.find(key);
  if (found != bucket.end()) try_rules(found->second, path);
}

void CssMatcher::try_rules(const std::vector<std::uint32_t>& rules, const std::vector<ElementIdentity>& path) {
  for (const std::uint32_t rule : rules) {
    if (steps_ == 0) return;
    if (meets(sheet_.rules[rule], path)) found_.push_back(rule);
  }
}

// From the element outwards. Where a parent does not meet its compound, the descendant combinator before it is tried
// farther out; nothing beyond that one can have been wrong.
bool CssMatcher::meets(const CssRule& rule, const std::vector<ElementIdentity>& path) {
  const std::size_t outermost = path.size() > kMaxAncestors ? path.size() - kMaxAncestors : 0;
  std::size_t compound = rule.compounds.size() - 1;
  std::size_t at = path.size() - 1;
  if (!meets(rule.compounds[compound], path[at])) return false;
  std::size_t retry_compound = 0;  // 0 = nowhere
  std::size_t retry_at = 0;
  while (compound > 0) {
    if (!rule.compounds[compound].of_child) retry_compound = compound, retry_at = at;
    if (at == outermost) return false;
    if (meets(rule.compounds[compound - 1], path[at - 1])) {
      --compound, --at;
      continue;
    }
    if (retry_compound == 0 || retry_at == outermost) return false;
    compound = retry_compound;
    at = --retry_at;
  }
  return true;
}

bool CssMatcher::meets(const CssCompound& compound, const ElementIdentity& element) {
  if (steps_ > 0) --steps_;
  if (steps_ == 0) return false;
  return std::all_of(compound.tests.begin(), compound.tests.end(),
                     [&](const CssTest& test) { return meets(test, element); });
}

bool CssMatcher::meets(const CssTest& test, const ElementIdentity& element) {
  switch (test.kind) {
    case CssTest::Kind::tag:
      return element.tag == test.name;
    case CssTest::Kind::id:
      return element.id == test.name;
    case CssTest::Kind::class_name:
      steps_ -= std::min<std::uint64_t>(steps_, element.classes.size() / 64);
      return has_word(element.classes, test.name);
    case CssTest::Kind::attribute:
      break;
  }
  steps_ -= std::min<std::uint64_t>(steps_, element.start_tag.size() / 16);
  AttributeReader attributes(element.start_tag);
  Attribute attribute;
  while (attributes.next(attribute)) {
    if (equals_ignoring_case(attribute.name, test.name)) return value_matches(test, attribute.value);
  }
  return false;
}

}  // namespace blockarch
