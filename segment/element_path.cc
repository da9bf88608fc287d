#include "segment/element_path.h"

#include <vector>

namespace blockarch {
namespace {

bool is_path_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
         c == '.' || c == ':';
}

void append_safe(std::string& to, ByteView bytes, bool lower) {
  for (const char c : bytes) {
    if (!is_path_char(c)) continue;
    to.push_back(lower && c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
}

}  // namespace

std::string path_name(ByteView payload, const Element& element) {
  const ByteView tag = element_name(payload, element);
  if (tag.starts_with('!')) return "#comment";
  std::string name;
  append_safe(name, tag, true);
  if (element.id_size > 0) {
    name.push_back('#');
    append_safe(name, payload.substr(element.id_begin, element.id_size), false);
  }
  return name;
}

std::string join_path(const std::string& path, const std::string& name) {
  if (path.empty() || name.empty()) return path + name;
  std::string joined = path + '/' + name;
  if (joined.size() <= kMaxPath) return joined;
  const std::size_t cut = joined.find('/', joined.size() - kMaxPath + 4);
  return cut == std::string::npos ? name : "..." + joined.substr(cut);
}

// Only the innermost names can be in it, so deep nesting costs no more than the path is long.
std::string element_path(ByteView payload, const ElementTree& tree, std::uint32_t element) {
  std::vector<std::string> names;
  std::size_t size = 0;
  for (; element != 0 && element != kNoElement && size <= kMaxPath; element = tree.elements[element].parent) {
    const Element& at = tree.elements[element];
    if (at.kind == ElementKind::phrasing && !names.empty()) continue;
    std::string name = path_name(payload, at);
    if (name.empty() || name == "html") continue;
    size += name.size() + 1;
    names.push_back(std::move(name));
  }
  std::string path;
  for (std::size_t i = names.size(); i-- > 0;) path = join_path(path, names[i]);
  return path;
}

}  // namespace blockarch
