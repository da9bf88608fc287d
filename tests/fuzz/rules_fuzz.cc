// Rules from any bytes, applied to a page and headers from any bytes: up to the first zero byte the rules, then the URL,
// then a header, then the page.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "engine/metadata_rules.h"
#include "objects/metadata.h"
#include "refs/url_table.h"

using namespace blockarch;

namespace {

ByteView take_part(ByteView& rest) {
  const std::size_t end = std::min(rest.find('\0'), rest.size());
  const ByteView part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteView rest(reinterpret_cast<const char*>(data), size);
  const auto rules = MetadataRules::parse(take_part(rest), "rules");
  if (!rules) {
    if (!rules.error().message.starts_with("rules:")) std::abort();
    return 0;
  }
  const ByteView url = take_part(rest);
  const MetadataEntries headers = {{"X-Fuzz", std::string(take_part(rest))}, {"content-language", "de"}};
  // What rules give is always what the writer takes.
  for (const char* type : {"", "text/html", "text/html; charset=utf-16le"}) {
    RuleOutput output = rules->apply({url, type, &headers, rest});
    if (!make_metadata(std::move(output.capture)) || !make_url_metadata(std::move(output.url))) std::abort();
  }
  return 0;
}
