#include "cli/text_table.h"

#include <algorithm>

#include "cli/text.h"

namespace blockarch {
namespace {

constexpr std::size_t kRowsThatDecide = 500;
constexpr std::size_t kLeastCutWidth = 12;
constexpr std::size_t kRoomForHours = 110;
constexpr std::string_view kGap = "  ";

std::string fit(const std::string& text, const Column& column, std::size_t width, const Terminal& terminal) {
  if (terminal.width == 0 || column.cut == Column::Cut::never) return text;
  return column.cut == Column::Cut::end ? cut_end(text, width, terminal.ellipsis())
                                        : cut_middle(text, width, terminal.ellipsis());
}

}  // namespace

TextTable::TextTable(Output& out, std::vector<Column> columns) : out_(out), columns_(std::move(columns)) {
  has_titles_ = std::any_of(columns_.begin(), columns_.end(), [](const Column& c) { return !c.title.empty(); });
  if (!has_titles_) return;
  Line titles;
  for (const Column& column : columns_) titles.cells.push_back({column.title, Style::dim});
  pending_.push_back(std::move(titles));
}

void TextTable::row(std::vector<Cell> cells) {
  add({.cells = std::move(cells), .is_remark = false});
}

void TextTable::remark(std::string text) {
  add({.cells = {{std::move(text), Style::dim}}, .is_remark = true});
}

std::string TextTable::time(Time time) const {
  const std::size_t width = out_.terminal().width;
  const std::string text = format_rfc3339(time);
  return width > 0 && width < kRoomForHours ? text.substr(0, text.find('T')) : text;
}

void TextTable::add(Line line) {
  for (Cell& cell : line.cells) cell.text = printable(cell.text);
  if (settled_) return print(line);
  pending_.push_back(std::move(line));
  if (pending_.size() > kRowsThatDecide) settle_widths();
}

void TextTable::finish() {
  // Titles alone are no table.
  if (!settled_ && pending_.size() > (has_titles_ ? 1 : 0)) settle_widths();
  pending_.clear();
}

void TextTable::settle_widths() {
  widths_.assign(columns_.size(), 0);
  for (const Line& line : pending_) {
    if (line.is_remark) continue;
    for (std::size_t i = 0; i < line.cells.size(); ++i)
      widths_[i] = std::max(widths_[i], display_width(line.cells[i].text));
  }
  std::size_t total = kGap.size() * (columns_.size() - 1);
  for (const std::size_t width : widths_) total += width;
  const std::size_t limit = out_.terminal().width;
  // The columns that may be cut give way, the last one first.
  for (std::size_t i = columns_.size(); i-- > 0 && limit != 0 && total > limit;) {
    if (columns_[i].cut == Column::Cut::never || widths_[i] <= kLeastCutWidth) continue;
    const std::size_t less = std::min(total - limit, widths_[i] - kLeastCutWidth);
    widths_[i] -= less;
    total -= less;
  }
  settled_ = true;
  for (const Line& line : pending_) print(line);
  pending_.clear();
}

void TextTable::print(const Line& line) {
  const Terminal& terminal = out_.terminal();
  if (line.is_remark) {
    const std::string& text = line.cells[0].text;
    const std::size_t room = terminal.width > 4 ? terminal.width - 4 : 0;
    out_.line("    " + out_.styled(room == 0 ? text : cut_end(text, room, terminal.ellipsis()), Style::dim));
    return;
  }
  std::string row;
  std::string gap;  // kept back, so that no line ends in blanks
  for (std::size_t i = 0; i < line.cells.size(); ++i) {
    const Column& column = columns_[i];
    const std::string text = fit(line.cells[i].text, column, widths_[i], terminal);
    const std::string padding(widths_[i] - std::min(widths_[i], display_width(text)), ' ');
    if (!text.empty()) {
      row += gap;
      gap.clear();
      if (column.align == Column::Align::right) row += padding;
      row += out_.styled(text, line.cells[i].style);
    }
    if (text.empty() || column.align == Column::Align::left) gap += padding;
    gap += kGap;
  }
  out_.line(row);
}

}  // namespace blockarch
