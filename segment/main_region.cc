#include "segment/main_region.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <unordered_map>

namespace blockarch {
namespace {

constexpr std::size_t kMaxStepName = 80;
constexpr std::size_t kMaxStarts = 8;  // keeps hostile pages linear

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_plain_name(ByteView text) {
  return !text.empty() && text.size() <= kMaxStepName && std::all_of(text.begin(), text.end(), is_name_char);
}

// Names with numbers are made for one page: "post-2371".
bool is_of_one_page(ByteView name) {
  return std::count_if(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; }) >= 3;
}

ByteView first_word(ByteView text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n\f"), text.size());
  const std::size_t end = std::min(text.find_first_of(" \t\r\n\f", begin), text.size());
  return text.substr(begin, end - begin);
}

// What a step says before its number.
std::string step_name(const StyledPage& page, const RegionBox& box) {
  if (box.is_virtual) return "*";
  const StyledNode& node = page.nodes[box.node];
  const ByteView tag = page.payload.substr(node.begin + 1, node.inner_begin - node.begin);
  std::string name;
  for (const char c : tag.substr(0, 40)) {
    if (!is_name_char(c)) break;
    name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  if (name.empty()) name = "?";
  const ByteView id = page.attribute(node, "id");
  if (is_plain_name(id) && !is_of_one_page(id)) return name + '#' + std::string(id);
  const ByteView word = first_word(page.attribute(node, "class"));
  if (is_plain_name(word) && !is_of_one_page(word)) return name + '.' + std::string(word);
  return name;
}

// Rows are passed through: they are no regions of their own to the paper.
std::uint32_t region_above(const RegionBoxes& regions, std::uint32_t box) {
  std::uint32_t above = regions.boxes[box].parent;
  while (above != 0 && regions.boxes[above].kind == BoxKind::row) above = regions.boxes[above].parent;
  return above;
}

// Calls each(region) for the regions directly inside, in order, until it says stop.
template <typename Each>
void for_each_region(const RegionBoxes& regions, std::uint32_t parent, Each each) {
  const auto& boxes = regions.boxes;
  for (std::uint32_t i = parent + 1; i < boxes[parent].subtree_end;) {
    if (boxes[i].kind == BoxKind::row) {
      ++i;
      continue;
    }
    if (!each(i)) return;
    i = boxes[i].subtree_end;
  }
}

struct Step {
  std::string_view name;
  std::uint32_t number = 1;
};

std::optional<Step> read_step(std::string_view text) {
  const std::size_t bracket = text.find('[');
  Step step{text.substr(0, bracket), 1};
  if (step.name.empty()) return std::nullopt;
  if (bracket == std::string_view::npos) return step;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + bracket + 1, end, step.number);
  if (error != std::errc() || rest + 1 != end || *rest != ']' || step.number == 0) return std::nullopt;
  return step;
}

std::optional<std::vector<Step>> read_steps(std::string_view pattern) {
  std::vector<Step> steps;
  while (!pattern.empty()) {
    const std::size_t end = std::min(pattern.find('>'), pattern.size());
    const auto step = read_step(pattern.substr(0, end));
    if (!step) return std::nullopt;
    steps.push_back(*step);
    pattern.remove_prefix(std::min(end + 1, pattern.size()));
  }
  return steps;
}

std::optional<std::uint32_t> follow(const StyledPage& page, const RegionBoxes& regions, std::uint32_t at,
                                    std::span<const Step> steps) {
  for (const Step& step : steps) {
    std::uint32_t left = step.number;
    std::uint32_t next = at;
    for_each_region(regions, at, [&](std::uint32_t i) {
      if (step_name(page, regions.boxes[i]) == step.name && --left == 0) next = i;
      return left > 0;
    });
    if (next == at) return std::nullopt;
    at = next;
  }
  return at;
}

}  // namespace

double region_size(const RegionBox& box, const TagTreeParameters& parameters) {
  return parameters.alpha * double{box.width} + parameters.beta * double{box.height};
}

std::vector<std::uint32_t> path_to_point(const RegionBoxes& regions, double x, double y) {
  std::vector<std::uint32_t> path{0};
  bool found = true;
  while (found) {
    found = false;
    for_each_region(regions, path.back(), [&](std::uint32_t i) {
      if (!regions.boxes[i].contains(static_cast<float>(x), static_cast<float>(y))) return true;
      found = true;
      path.push_back(i);
      return false;
    });
  }
  return path;
}

std::vector<std::uint32_t> find_main_path(const RegionBoxes& regions, const TagTreeParameters& parameters) {
  const RegionBox& page = regions.boxes[0];
  const double x = parameters.relative ? parameters.gamma * double{page.width} : parameters.gamma;
  const double y = parameters.relative ? parameters.lambda * double{page.height} : parameters.lambda;
  const double theta = parameters.relative ? parameters.theta * region_size(page, parameters) : parameters.theta;
  std::vector<std::uint32_t> path = path_to_point(regions, x, y);
  const auto small = std::find_if(path.begin() + 1, path.end(),
                                  [&](std::uint32_t i) { return region_size(regions.boxes[i], parameters) < theta; });
  path.erase(small, path.end());
  return path;
}

std::string pattern_of(const StyledPage& page, const RegionBoxes& regions, std::uint32_t box) {
  std::vector<std::string> steps;
  std::size_t size = 0;
  while (box != 0) {
    const std::uint32_t above = region_above(regions, box);
    const std::string name = step_name(page, regions.boxes[box]);
    std::uint32_t number = 0;
    for_each_region(regions, above, [&](std::uint32_t i) {
      if (step_name(page, regions.boxes[i]) == name) ++number;
      return i != box;
    });
    steps.push_back(name.find('#') != std::string::npos && number == 1 ? name : fmt::format("{}[{}]", name, number));
    size += steps.back().size() + 1;
    if (size > kMaxPattern) return "";
    box = above;
  }
  std::string pattern;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if (!pattern.empty()) pattern += '>';
    pattern += *step;
  }
  return pattern;
}

std::optional<std::uint32_t> match_pattern(const StyledPage& page, const RegionBoxes& regions,
                                           std::string_view pattern) {
  if (pattern.size() > kMaxPattern) return std::nullopt;
  const auto steps = read_steps(pattern);
  if (!steps) return std::nullopt;
  if (const auto found = follow(page, regions, 0, *steps)) return found;
  if (regions.profile == TagTreeProfile::paper) return std::nullopt;
  // A page with something more around it: from the first step on whose name only one region has.
  std::unordered_map<std::string, std::uint32_t> named;  // 0 = several
  for (std::uint32_t i = 1; i < regions.boxes.size(); ++i) {
    if (regions.boxes[i].is_virtual) continue;
    const auto [place, is_new] = named.emplace(step_name(page, regions.boxes[i]), i);
    if (!is_new) place->second = 0;
  }
  std::size_t tries = kMaxStarts;
  for (std::size_t i = 0; i < steps->size() && tries > 0; ++i) {
    const auto start = named.find(std::string((*steps)[i].name));
    if (start == named.end() || start->second == 0) continue;
    --tries;
    if (const auto found = follow(page, regions, start->second, std::span(*steps).subspan(i + 1))) return found;
  }
  return std::nullopt;
}

std::uint32_t main_region_of(const StyledPage& page, const RegionBoxes& regions, const TagTreeModel& model) {
  if (!model.pattern.empty()) {
    if (const auto found = match_pattern(page, regions, model.pattern)) return *found;
  }
  return find_main_region(regions, model.parameters);
}

}  // namespace blockarch
