#include "warc/clean_url.h"

#include <fmt/format.h>

#include "base/url.h"
#include "warc/text.h"

namespace blockarch {
namespace {

bool is_refused_inside(char c) {
  return static_cast<unsigned char>(c) <= 0x20 || c == 0x7F;
}

void note(CleanUrl& clean, std::string_view defect) {
  if (!clean.defect.empty()) clean.defect += ", ";
  clean.defect += defect;
}

}  // namespace

Result<CleanUrl> clean_url(std::string_view given) {
  if (given.find('\0') != std::string_view::npos) return Error{ErrorCode::invalid, quoted(given) + " has NUL bytes"};
  CleanUrl clean;
  std::string_view rest = trimmed(given);
  if (rest.size() != given.size()) note(clean, "blanks around it");
  if (rest.size() >= 2 && rest.front() == '<' && rest.back() == '>') {
    rest = trimmed(rest.substr(1, rest.size() - 2));
    note(clean, "<> around it");
  }
  bool spaces = false, controls = false;
  clean.url.reserve(rest.size());
  for (const char c : rest) {
    if (!is_refused_inside(c)) {
      clean.url.push_back(c);
      continue;
    }
    (c == ' ' ? spaces : controls) = true;
    clean.url += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  if (spaces) note(clean, "spaces inside");
  if (controls) note(clean, "control bytes inside");
  BA_TRY(parse_url(clean.url));
  return clean;
}

}  // namespace blockarch
