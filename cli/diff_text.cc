#include "cli/diff_text.h"

#include <fmt/format.h>

#include <map>

#include "base/charset.h"
#include "cli/text.h"
#include "cli/text_table.h"
#include "history/block_text.h"

namespace blockarch {
namespace {

constexpr std::size_t kContext = 60;    // bytes of unchanged text kept on each side of a change
constexpr std::size_t kMaxShown = 400;  // of a text that came, went or moved as a whole
constexpr std::size_t kMaxCompared = 1 << 20;
constexpr std::size_t kMaxLayoutLines = 40;

Style style_of(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::added:
      return Style::green;
    case ChangeKind::removed:
      return Style::red;
    case ChangeKind::moved:
    case ChangeKind::moved_changed:
      return Style::cyan;
    case ChangeKind::same:
      return Style::dim;
    case ChangeKind::changed:
      break;
  }
  return Style::yellow;
}

// Not inside a character.
std::size_t whole_character(std::string_view text, std::size_t at) {
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
  return at;
}

std::string_view first_part(std::string_view text, std::size_t size) {
  if (text.size() <= size) return text;
  const std::size_t blank = text.find(' ', size);
  const bool near = blank != std::string_view::npos && blank < size + 24;
  return text.substr(0, near ? blank : whole_character(text, size));
}

std::string_view last_part(std::string_view text, std::size_t size) {
  if (text.size() <= size) return text;
  const std::size_t at = text.size() - size;
  const std::size_t blank = text.rfind(' ', at);
  const bool near = blank != std::string_view::npos && blank + 24 > at;
  return text.substr(near ? blank : whole_character(text, at));
}

class DiffPrinter {
 public:
  DiffPrinter(Output& out, VersionDiff& diff, DiffView view) : out_(out), diff_(diff), view_(view) {}

  void print() {
    print_side("---", diff_.before(), Style::red);
    print_side("+++", diff_.after(), Style::green);
    if (diff_.before().version.media_type != diff_.after().version.media_type) print_types();
    if (view_ == DiffView::blocks) return print_blocks();
    if (view_ == DiffView::stat) return print_stat();
    if (!diff_.pages().after.is_text() || !diff_.pages().before.is_text()) return print_bytes();
    std::uint64_t unseen = 0;
    for (const BlockChange& change : diff_.pages().blocks) {
      if (change.kind == ChangeKind::same) continue;
      if (view_ != DiffView::source && !pages().is_read(change)) {
        ++unseen;
      } else {
        print_change(change);
      }
    }
    if (unseen > 0) {
      out_.line(fmt::format("\n{} in scripts, styles and the head of the page, which --source shows",
                            counted(unseen, "change", "changes")));
    }
    if (view_ == DiffView::source) print_layout();
    print_summary();
  }

 private:
  const PageDiff& pages() const { return diff_.pages(); }

  void print_side(std::string_view mark, const DiffSide& side, Style style) {
    std::string line(mark);
    if (!side.url.empty()) line += " " + printable(side.url);
    if (side.time) line += " " + format_rfc3339(*side.time);
    out_.line(out_.styled(line, style) + " " + short_id(side.id.hash));
  }

  void print_types() {
    out_.line(fmt::format("type: {}, then {}", printable(diff_.before().version.media_type),
                          printable(diff_.after().version.media_type)));
  }

  void print_bytes() {
    const bool one = pages().before.is_text() || pages().after.is_text();
    out_.line(fmt::format("{}: {}, then {}", one ? "only one of them is text" : "not text",
                          human_size(diff_.before().bytes.size()), human_size(diff_.after().bytes.size())));
    print_summary();
  }

  void print_summary() {
    if (!pages().whole) out_.line("the pages differ in so much that not everything was compared");
    if (diff_.only_noise()) return out_.line("the pages differ by noise only");
    out_.line(summary_of(pages().counts()));
  }

  std::string heading(const BlockChange& change) {
    const Surrounding around = diff_.around(change);
    std::string line = out_.styled(change_name(change.kind), style_of(change.kind));
    line += "  " + out_.styled(label_name(around.label), Style::bold);
    if (!around.topic.empty()) line += fmt::format(" \"{}\"", printable(around.topic));
    if (!around.path.empty()) line += "  " + out_.styled(printable(around.path), Style::dim);
    return line;
  }

  void print_change(const BlockChange& change) {
    out_.line();
    out_.line(heading(change));
    const bool both = change.kind == ChangeKind::changed || change.kind == ChangeKind::moved_changed;
    if (both) return print_words(change);
    const Style style = change.kind == ChangeKind::moved ? Style::plain : style_of(change.kind);
    const bool gone = change.after == kNoBlock;
    const std::string text = view_ == DiffView::source ? source(change, gone)
                             : gone                    ? diff_.pages().text_before(change)
                                                       : diff_.pages().text_after(change);
    const char* const mark = change.kind == ChangeKind::moved ? "  " : gone ? "- " : "+ ";
    print_text(mark, text, style);
  }

  std::string source(const BlockChange& change, bool old) const {
    // With its blanks as one, like the text: line breaks of the source say nothing here.
    return markup_text(old ? pages().bytes_before(change) : pages().bytes_after(change), Markup::none,
                       old ? pages().before.charset : pages().after.charset);
  }

  void print_text(std::string_view mark, std::string_view text, Style style) {
    const std::string_view shown = view_ == DiffView::normal ? first_part(text, kMaxShown) : text;
    std::string line = fmt::format("  {}{}", mark, printable(shown));
    if (shown.size() < text.size()) line += fmt::format(" ... {} more", human_size(text.size() - shown.size()));
    out_.line(out_.styled(line, style));
  }

  void print_words(const BlockChange& change) {
    // Where a reader sees no difference, the difference is in the source.
    const bool in_source = view_ == DiffView::source || !change.text;
    const std::string before = in_source ? source(change, true) : pages().text_before(change);
    const std::string after = in_source ? source(change, false) : pages().text_after(change);
    if (before.size() + after.size() > kMaxCompared) {
      print_text("- ", first_part(before, kMaxShown), Style::red);
      print_text("+ ", first_part(after, kMaxShown), Style::green);
      return;
    }
    WorkLimit limit;
    const std::vector<WordRun> runs = compare_words(before, after, limit);
    std::string line = "    ";
    for (std::size_t i = 0; i < runs.size(); ++i) line += marked(runs, i);
    out_.line(line);
  }

  // Blanks stay outside of the marks, and stand between words where one of them was the first.
  std::string marked(const std::vector<WordRun>& runs, std::size_t i) const {
    const WordRun& run = runs[i];
    if (run.kind == WordRun::Kind::same) return unchanged(runs, i);
    const bool gone = run.kind == WordRun::Kind::gone;
    const std::string_view blank = run.text.starts_with(' ') && i > 0 ? " " : "";
    std::string_view text = run.text;
    while (text.starts_with(' ')) text.remove_prefix(1);
    const Style style = gone ? Style::red : Style::green;
    // With colours the marks are still there: some people cannot tell red from green.
    return std::string(blank) +
           out_.styled(fmt::format("{}{}{}", gone ? "[-" : "{+", printable(text), gone ? "-]" : "+}"), style);
  }

  std::string unchanged(const std::vector<WordRun>& runs, std::size_t i) const {
    const std::string_view text = runs[i].text;
    const bool is_word = !text.empty() && text[0] > 0 && std::isalnum(static_cast<unsigned char>(text[0])) != 0;
    const std::string blank = i > 0 && is_word ? " " : "";
    const bool whole = view_ == DiffView::words || text.size() <= 3 * kContext;
    if (whole) return blank + printable(text);
    const std::string cut(out_.terminal().ellipsis());
    std::string line = blank;
    if (i > 0) line += printable(first_part(text, kContext)) + " ";
    line += cut;
    if (i + 1 < runs.size()) line += printable(last_part(text, kContext));
    return line;
  }

  void print_layout() {
    std::size_t lines = 0;
    for (const LayoutChange& change : pages().layout) {
      if (lines == 0) out_.line("\n" + out_.styled("layout", Style::yellow));
      if (++lines > kMaxLayoutLines) {
        out_.line(fmt::format("    and {} more", pages().layout.size() - kMaxLayoutLines));
        return;
      }
      if (!change.before.empty()) print_text("- ", to_utf8(change.before, pages().before.charset), Style::red);
      if (!change.after.empty()) print_text("+ ", to_utf8(change.after, pages().after.charset), Style::green);
    }
  }

  void print_blocks() {
    TextTable table(out_, {{.title = "CHANGE"},
                           {.title = "BEFORE", .align = Column::Align::right},
                           {.title = "AFTER", .align = Column::Align::right},
                           {.title = "SIZE", .align = Column::Align::right},
                           {.title = "LABEL"},
                           {.title = "BLOCK"},
                           {.title = "TEXT", .cut = Column::Cut::end}});
    for (const BlockChange& change : pages().blocks) {
      const bool gone = change.after == kNoBlock;
      const PageBlock& block = gone ? pages().before.blocks[change.before] : pages().after.blocks[change.after];
      const std::string text = gone ? pages().text_before(change) : pages().text_after(change);
      table.row(
          {{std::string(change_name(change.kind)), style_of(change.kind)},
           {change.before == kNoBlock ? "" : std::to_string(pages().before.blocks[change.before].begin), Style::dim},
           {gone ? "" : std::to_string(block.begin), Style::dim},
           {group_digits(block.end - block.begin)},
           {std::string(label_name(diff_.around(change).label)), Style::yellow},
           {short_id(block.id.hash), Style::cyan},
           {cut_end(printable(first_part(text, 80)), 60, "...")}});
    }
    table.finish();
  }

  // A row for each visible block in which something changed, in the order of the page.
  void print_stat() {
    struct Row {
      BlockLabel label;
      std::string topic;
      ChangeCounts counts;
    };
    std::vector<Row> rows;
    std::map<std::pair<BlockLabel, std::string>, std::size_t> known;
    for (const BlockChange& change : pages().blocks) {
      if (change.kind == ChangeKind::same) continue;
      Surrounding around = diff_.around(change);
      const auto [at, is_new] = known.emplace(std::pair(around.label, around.topic), rows.size());
      if (is_new) rows.push_back({around.label, std::move(around.topic), {}});
      ChangeCounts& counts = rows[at->second].counts;
      counts.changed += change.kind == ChangeKind::changed ? 1 : 0;
      counts.moved += change.kind == ChangeKind::moved || change.kind == ChangeKind::moved_changed ? 1 : 0;
      counts.moved_changed += change.kind == ChangeKind::moved_changed ? 1 : 0;
      counts.added += change.kind == ChangeKind::added ? 1 : 0;
      counts.removed += change.kind == ChangeKind::removed ? 1 : 0;
    }
    TextTable table(out_, {{.title = "LABEL"},
                           {.title = "CHANGED", .align = Column::Align::right},
                           {.title = "MOVED", .align = Column::Align::right},
                           {.title = "ADDED", .align = Column::Align::right},
                           {.title = "REMOVED", .align = Column::Align::right},
                           {.title = "TOPIC", .cut = Column::Cut::end}});
    const auto number = [](std::uint64_t n) { return n == 0 ? std::string() : group_digits(n); };
    for (const Row& row : rows) {
      table.row({{std::string(label_name(row.label)), Style::bold},
                 {number(row.counts.changed), Style::yellow},
                 {number(row.counts.moved), Style::cyan},
                 {number(row.counts.added), Style::green},
                 {number(row.counts.removed), Style::red},
                 {row.topic}});
    }
    table.finish();
    print_summary();
  }

  Output& out_;
  VersionDiff& diff_;
  DiffView view_;
};

}  // namespace

std::string summary_of(const ChangeCounts& counts) {
  std::string text;
  const auto add = [&](std::uint64_t number, std::string_view what) {
    if (number == 0) return;
    text += text.empty() ? counted(number, "block", "blocks") : ", " + group_digits(number);
    text += " ";
    text += what;
  };
  add(counts.changed, "changed");
  add(counts.moved, "moved");
  add(counts.moved_changed, "moved and changed");
  add(counts.added, "added");
  add(counts.removed, "removed");
  if (text.empty()) text = counts.layout == 0 ? "no block changed" : "no block changed, only the layout";
  text += fmt::format("; {} the same", group_digits(counts.same));
  if (counts.layout > 0) text += fmt::format("; layout changed in {}", counted(counts.layout, "place", "places"));
  return text;
}

void print_diff(Output& out, VersionDiff& diff, DiffView view) {
  DiffPrinter(out, diff, view).print();
}

}  // namespace blockarch
