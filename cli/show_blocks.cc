#include "cli/show_blocks.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/charset.h"
#include "cli/text.h"
#include "cli/text_table.h"

namespace blockarch {
namespace {

constexpr std::size_t kPreviewBytes = 240;

}  // namespace

std::string block_preview(ByteView bytes, const std::string& charset) {
  const std::string text = to_utf8(bytes.substr(0, kPreviewBytes), charset);
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!blank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  if (!line.empty() && line.back() == ' ') line.pop_back();
  return cut_end(printable(line), 60, "...");
}

void print_blocks(Output& out, const VersionInfo& info, ByteView page) {
  TextTable table(out, {{.title = "BLOCK"},
                        {.title = "SIZE", .align = Column::Align::right},
                        {.title = "BEGIN", .align = Column::Align::right},
                        {.title = "END", .align = Column::Align::right},
                        {.title = "CONTENT", .cut = Column::Cut::end}});
  const bool is_text = !info.version.charset.empty();
  for (const BlockInfo& block : info.blocks) {
    const std::string indent(block.level * std::size_t{2}, ' ');
    const std::string name = !block.is_leaf             ? (block.level == 0 ? "page" : "group")
                             : block.begin == block.end ? "empty"
                                                        : short_id(block.content.hash);
    Cell content;
    if (block.is_leaf && is_text)
      content = {block_preview(page.substr(block.begin, block.end - block.begin), info.version.charset), Style::dim};
    table.row({{indent + name, block.is_leaf ? Style::cyan : Style::dim},
               {group_digits(block.end - block.begin)},
               {std::to_string(block.begin), Style::dim},
               {std::to_string(block.end), Style::dim},
               std::move(content)});
  }
  table.finish();
}

Json blocks_json(const VersionInfo& info) {
  Json list = Json::array();
  for (const BlockInfo& block : info.blocks) {
    Json json = {{"level", block.level}, {"begin", block.begin}, {"end", block.end}, {"size", block.end - block.begin}};
    if (block.is_leaf) {
      json.update({{"kind", std::string(kind_name(block.content.kind))}, {"id", block.content.hash.hex()}});
    }
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace blockarch
