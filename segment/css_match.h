// Which rules of a page's style sheets an element meets.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/bytes.h"
#include "segment/css_reader.h"

namespace blockarch {

// What selectors ask about an element; views of the page.
struct ElementIdentity {
  std::string tag;  // lower case
  ByteView id;
  ByteView classes;    // the attribute's value
  ByteView start_tag;  // for attribute selectors
};

class CssMatcher {
 public:
  // Matching stops for good once `steps` conditions have been looked at, which bounds the work on hostile pages.
  CssMatcher(const CssSheet& sheet, std::uint64_t steps);

  // Of the last of `path`, which holds the element after its ancestors, outermost first. In the order of the cascade.
  const std::vector<const CssChange*>& match(const std::vector<ElementIdentity>& path);

 private:
  using Bucket = std::unordered_map<std::string_view, std::vector<std::uint32_t>>;

  void index(std::uint32_t rule);
  void try_bucket(const Bucket& bucket, std::string_view key, const std::vector<ElementIdentity>& path);
  void try_rules(const std::vector<std::uint32_t>& rules, const std::vector<ElementIdentity>& path);
  bool meets(const CssRule& rule, const std::vector<ElementIdentity>& path);
  bool meets(const CssCompound& compound, const ElementIdentity& element);
  bool meets(const CssTest& test, const ElementIdentity& element);

  const CssSheet& sheet_;
  std::uint64_t steps_;
  Bucket by_id_;
  Bucket by_class_;
  Bucket by_tag_;
  std::vector<std::uint32_t> universal_;
  std::vector<std::uint32_t> found_;
  std::vector<const CssChange*> changes_;
};

}  // namespace blockarch
