// Tables for people: aligned by display width, narrowed to the terminal, written as they grow.
#pragma once

#include <string>
#include <vector>

#include "base/time.h"
#include "cli/output.h"

namespace blockarch {

struct Column {
  enum class Align { left, right };
  enum class Cut { never, end, middle };  // what may be left out where the terminal is too narrow

  std::string title = {};
  Align align = Align::left;
  Cut cut = Cut::never;
};

struct Cell {
  std::string text;  // made printable by the table
  Style style = Style::plain;
};

// Widths are settled by the first rows and the rest streams, so a table of any length needs little memory; a
// later cell that is wider pushes its row to the right. A table without rows prints nothing, not even titles.
class TextTable {
 public:
  TextTable(Output& out, std::vector<Column> columns);

  // As many cells as columns; trailing ones may be left out.
  void row(std::vector<Cell> cells);
  // How this table writes times: where the terminal is narrow, only the day.
  std::string time(Time time) const;
  // A line of its own between rows, indented, dim.
  void remark(std::string text);
  void finish();

 private:
  struct Line {
    std::vector<Cell> cells;
    bool is_remark = false;
  };

  void add(Line line);
  void settle_widths();
  void print(const Line& line);

  Output& out_;
  std::vector<Column> columns_;
  std::vector<Line> pending_;
  std::vector<std::size_t> widths_;
  bool has_titles_ = false;
  bool settled_ = false;
};

}  // namespace blockarch
