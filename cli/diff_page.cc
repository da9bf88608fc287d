// Marks are attributes put into the start tags of the pages, as in block_page.cc; only text that has no element of its own
// gets one. What keeps the pages from acting: the frames are sandboxed without allow-scripts, and the policy, which the
// frames inherit, fetches nothing and knows one script, by a number that depends on both pages and that neither can
// therefore contain. The frames keep our origin, so that this script can scroll them.
#include "cli/diff_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/charset.h"
#include "base/hash.h"
#include "cli/diff_page_parts.h"
#include "cli/diff_text.h"
#include "cli/html_escape.h"
#include "cli/json.h"
#include "cli/text.h"
#include "history/block_text.h"
#include "segment/start_tag.h"

namespace blockarch {
namespace {

constexpr std::size_t kMaxFrame = 16 << 20;  // larger pages are not shown, only what changed in them
constexpr std::size_t kMaxPicture = 4 << 20;
constexpr std::size_t kMaxListed = 2000;  // changes
constexpr std::size_t kMaxShown = 2000;   // of a text that came or went
constexpr std::size_t kContext = 80;      // of unchanged text on each side of a change
constexpr std::size_t kMaxCompared = 256 << 10;
constexpr std::size_t kMaxLayoutListed = 100;

std::string key_of(ChangeKind kind) {
  return kind == ChangeKind::moved_changed ? "moved_changed" : std::string(change_name(kind));
}

using Insertions = std::multimap<std::uint64_t, std::string>;

// Where an element more does no harm.
bool may_hold_span(ByteView page, const PageBlocks& blocks, const PageBlock& block) {
  if (blocks.markup != Markup::html || block.element == kNoElement) return false;
  const ByteView name = element_name(page, blocks.tree.elements[block.element]);
  for (const ByteView bad : {"table", "tbody", "thead", "tfoot", "tr", "ul", "ol", "dl", "select", "head", "title"}) {
    if (equals_ignoring_case(name, bad)) return false;
  }
  return true;
}

void mark_block(ByteView page, const PageBlocks& blocks, const PageBlock& block, const std::string& attributes,
                Insertions& marks) {
  if (block.is_element()) {
    const ByteView name = element_name(page, blocks.tree.elements[block.element]);
    if (!name.empty()) marks.emplace(block.begin + 1 + name.size(), " " + attributes + " ");
  } else if (may_hold_span(page, blocks, block)) {
    marks.emplace(block.begin, "<span " + attributes + ">");
    marks.emplace(block.end, "</span>");
  }
}

std::string marked_html(ByteView page, const Insertions& marks, const std::string& charset) {
  std::string out(kDiffFrameStyle);
  std::uint64_t at = 0;
  for (const auto& [offset, mark] : marks) {
    out += to_utf8(page.substr(at, offset - at), charset);
    out += mark;
    at = offset;
  }
  return out + to_utf8(page.substr(at), charset);
}

class PageMaker {
 public:
  explicit PageMaker(VersionDiff& diff) : diff_(diff), pages_(diff.pages()) {}

  std::string make() {
    const std::string key = blake3(diff_.before().id.hash.hex() + diff_.after().id.hash.hex()).hex();
    std::string out = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src 'nonce-{}'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
        "<meta name=\"referrer\" content=\"no-referrer\">\n<title>What changed</title>\n",
        key);
    out += kDiffStyle;
    out += fmt::format(
        "</head><body><header><button id=\"previous\" title=\"p\">&#9664; previous</button>"
        "<button id=\"next\" title=\"n\">next &#9654;</button><span id=\"at\"></span>"
        "<label><input type=\"checkbox\" id=\"only\"> only changes</label><small>{}</small></header>\n<nav>\n",
        escaped(summary()));
    add_lists(out);
    out += "</nav>\n";
    add_frame(out, diff_.before(), true);
    add_frame(out, diff_.after(), false);
    out += fmt::format("<script nonce=\"{}\">{}</script></body></html>\n", key, kDiffScript);
    return out;
  }

 private:
  bool is_text() const { return pages_.before.is_text() && pages_.after.is_text(); }

  std::string summary() const {
    if (diff_.only_noise()) return "the pages differ by noise only";
    if (is_text()) return summary_of(pages_.counts());
    const bool one = pages_.before.is_text() || pages_.after.is_text();
    return fmt::format("{}: {}, then {}", one ? "only one of them is text" : "not text",
                       human_size(diff_.before().bytes.size()), human_size(diff_.after().bytes.size()));
  }

  // What a reader sees first, the rest folded.
  void add_lists(std::string& out) {
    std::vector<std::size_t> seen;
    std::vector<std::size_t> unseen;
    for (std::size_t n = 0; is_text() && n < pages_.blocks.size(); ++n) {
      if (pages_.blocks[n].kind != ChangeKind::same) (pages_.is_read(pages_.blocks[n]) ? seen : unseen).push_back(n);
    }
    if (!seen.empty()) add_list(out, seen);
    if (!unseen.empty()) {
      out += fmt::format("<details{}><summary>{} in scripts, styles and the head of the page</summary>\n",
                         seen.empty() ? " open" : "", counted(unseen.size(), "change", "changes"));
      add_list(out, unseen);
      out += "</details>\n";
    }
    if (!pages_.layout.empty()) add_layout(out);
    if (diff_.before().version.payload_hash == diff_.after().version.payload_hash) {
      out += "<p>Both pages are the same.</p>\n";
    } else if (!is_text()) {
      out += "<p>There are no words to compare.</p>\n";
    } else if (seen.empty()) {
      out += fmt::format("<p>Nothing {}changed that is read.</p>\n", diff_.only_noise() ? "but noise " : "");
    }
  }

  void add_list(std::string& out, const std::vector<std::size_t>& numbers) {
    out += "<ol>\n";
    for (std::size_t i = 0; i < std::min(numbers.size(), kMaxListed); ++i) {
      const BlockChange& change = pages_.blocks[numbers[i]];
      const Surrounding around = diff_.around(change);
      const std::string path = escaped(printable(around.path));
      out += fmt::format(
          "<li data-n=\"{}\"><b class=\"{}\">{}</b> <i>{}</i> {}<small class=\"path\" title=\"{}\">{}</small><div>",
          numbers[i], key_of(change.kind), change_name(change.kind), label_name(around.label),
          escaped(printable(around.topic)), path, path);
      add_words(out, change);
      out += "</div></li>\n";
    }
    if (numbers.size() > kMaxListed) {
      out += fmt::format("<li>and {} more, marked on the pages only</li>\n", group_digits(numbers.size() - kMaxListed));
    }
    out += "</ol>\n";
  }

  void add_layout(std::string& out) const {
    out += fmt::format("<details><summary><b class=\"layout\">layout</b> changed in {}</summary>\n<ol>\n",
                       counted(pages_.layout.size(), "place", "places"));
    for (std::size_t i = 0; i < std::min(pages_.layout.size(), kMaxLayoutListed); ++i) {
      const LayoutChange& change = pages_.layout[i];
      out += "<li><div>";
      if (!change.before.empty()) add_text(out, "del", to_utf8(change.before, pages_.before.charset));
      if (!change.before.empty() && !change.after.empty()) out += "<br>";
      if (!change.after.empty()) add_text(out, "ins", to_utf8(change.after, pages_.after.charset));
      out += "</div></li>\n";
    }
    if (pages_.layout.size() > kMaxLayoutListed) {
      out += fmt::format("<li>and {} more</li>\n", group_digits(pages_.layout.size() - kMaxLayoutListed));
    }
    out += "</ol></details>\n";
  }

  static std::string_view whole_characters(std::string_view text, std::size_t size) {
    while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) ++size;
    return text.substr(0, size);
  }

  static void add_text(std::string& out, const char* tag, std::string_view text) {
    const std::string_view shown = whole_characters(text, std::min(text.size(), kMaxShown));
    out += fmt::format("<{0}>{1}{2}</{0}>", tag, escaped(printable(shown)), shown.size() < text.size() ? " …" : "");
  }

  // Blanks stay outside of the marks.
  static void add_run(std::string& out, const std::vector<WordRun>& runs, std::size_t i) {
    std::string_view text = runs[i].text;
    if (text.starts_with(' ')) out += ' ';
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (runs[i].kind != WordRun::Kind::same) {
      return add_text(out, runs[i].kind == WordRun::Kind::gone ? "del" : "ins", text);
    }
    if (text.size() <= 3 * kContext) {
      out += escaped(printable(text));
      return;
    }
    const std::string_view begin = i == 0 ? "" : whole_characters(text, kContext);
    const std::size_t cut = whole_characters(text, text.size() - kContext).size();
    const std::string_view end = i + 1 == runs.size() ? "" : text.substr(cut);
    out += escaped(printable(begin)) + " … " + escaped(printable(end));
  }

  void add_words(std::string& out, const BlockChange& change) const {
    const bool both = change.kind == ChangeKind::changed || change.kind == ChangeKind::moved_changed;
    const std::string before = pages_.text_before(change);
    const std::string after = pages_.text_after(change);
    if (!both) {
      const char* const tag = change.kind == ChangeKind::moved ? "span" : change.after == kNoBlock ? "del" : "ins";
      return add_text(out, tag, change.after == kNoBlock ? before : after);
    }
    if (!change.text && before == after) {
      out += change.links ? "<small>a link or a picture</small>" : "<small>only in its markup</small>";
      return add_text(out, "span", after);
    }
    if (before.size() + after.size() > kMaxCompared) {
      add_text(out, "del", before);
      return add_text(out, "ins", after);
    }
    WorkLimit limit;
    const std::vector<WordRun> runs = compare_words(before, after, limit);
    for (std::size_t i = 0; i < runs.size(); ++i) add_run(out, runs, i);
  }

  std::string attributes(std::size_t n) const {
    return fmt::format("data-blockarch-change={} data-blockarch-n={}", key_of(pages_.blocks[n].kind), n);
  }

  // Of those that a browser shows and that cannot fetch anything.
  static bool is_picture(const std::string& type) {
    return type == "image/png" || type == "image/jpeg" || type == "image/gif" || type == "image/webp";
  }

  void add_frame(std::string& out, const DiffSide& side, bool old) const {
    out += fmt::format("<section><h2>{} {} {}{} <em hidden>nothing here has changed</em></h2>",
                       side.time ? format_rfc3339(*side.time) : "", escaped(printable(side.url)),
                       short_id(side.id.hash), side.bytes.empty() ? " <em>an empty page</em>" : "");
    const PageBlocks& blocks = old ? pages_.before : pages_.after;
    const std::string& type = side.version.media_type;
    if (is_picture(type) && side.bytes.size() <= kMaxPicture) {
      out += fmt::format("<img alt=\"{}\" src=\"data:{};base64,{}\"></section>\n", old ? "before" : "after", type,
                         base64(side.bytes));
      return;
    }
    if (!blocks.is_text() || side.bytes.size() > kMaxFrame) {
      out +=
          fmt::format("<p>{}, {}: not shown</p></section>\n", escaped(printable(type)), human_size(side.bytes.size()));
      return;
    }
    out += fmt::format("<iframe sandbox=\"allow-same-origin\" title=\"{}\" srcdoc=\"", old ? "before" : "after");
    append_escaped(out,
                   blocks.markup == Markup::html ? html_inside(side, blocks, old) : text_inside(side, blocks, old));
    out += "\"></iframe></section>\n";
  }

  std::string html_inside(const DiffSide& side, const PageBlocks& blocks, bool old) const {
    Insertions marks;
    for (std::size_t n = 0; n < pages_.blocks.size(); ++n) {
      const std::uint32_t i = old ? pages_.blocks[n].before : pages_.blocks[n].after;
      if (i != kNoBlock) mark_block(side.bytes, blocks, blocks.blocks[i], attributes(n), marks);
    }
    return marked_html(side.bytes, marks, blocks.charset);
  }

  std::string text_inside(const DiffSide& side, const PageBlocks& blocks, bool old) const {
    std::map<std::uint32_t, std::size_t> number;
    for (std::size_t n = 0; n < pages_.blocks.size(); ++n) {
      const std::uint32_t i = old ? pages_.blocks[n].before : pages_.blocks[n].after;
      if (i != kNoBlock) number[i] = n;
    }
    std::string out(kDiffFrameStyle);
    out += "<pre style=\"white-space:pre-wrap\">";
    const ByteView page = side.bytes;
    std::uint64_t at = 0;
    for (const auto& [i, n] : number) {
      const PageBlock& block = blocks.blocks[i];
      append_escaped(out, to_utf8(page.substr(at, block.begin - at), blocks.charset));
      out += "<span " + attributes(n) + ">";
      append_escaped(out, to_utf8(page.substr(block.begin, block.end - block.begin), blocks.charset));
      out += "</span>";
      at = block.end;
    }
    append_escaped(out, to_utf8(page.substr(at), blocks.charset));
    return out + "</pre>";
  }

  VersionDiff& diff_;
  const PageDiff& pages_;
};

}  // namespace

std::string diff_page(VersionDiff& diff) {
  return PageMaker(diff).make();
}

}  // namespace blockarch
