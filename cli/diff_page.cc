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
#include "cli/diff_text.h"
#include "cli/html_escape.h"
#include "cli/text.h"
#include "history/block_text.h"
#include "segment/start_tag.h"

namespace blockarch {
namespace {

constexpr std::size_t kMaxFrame = 16 << 20;  // larger pages are not shown, only what changed in them
constexpr std::size_t kMaxListed = 2000;     // changes
constexpr std::size_t kMaxShown = 2000;      // of a text that came or went
constexpr std::size_t kMaxCompared = 256 << 10;

constexpr std::string_view kStyle = R"(<style>
body { margin: 0; height: 100vh; display: grid; grid: auto 1fr / 330px 1fr 1fr; font: 13px/1.45 sans-serif; }
header { grid-column: 1 / 4; display: flex; gap: 12px; align-items: center; padding: 6px 10px; background: #263238; color: #fff; flex-wrap: wrap; }
header small { color: #cfd8dc; }
header button { font: inherit; }
ol { margin: 0; padding: 0; overflow: auto; list-style: none; background: #fafafa; border-right: 1px solid #ccc; }
li { padding: 6px 10px; border-bottom: 1px solid #ddd; cursor: pointer; overflow-wrap: anywhere; }
li.here { background: #fff3c4; }
li small { color: #666; display: block; }
li b { padding: 0 5px; border-radius: 3px; color: #fff; font-weight: normal; }
del { background: #ffd7d5; text-decoration: line-through; }
ins { background: #c6f2cf; text-decoration: none; }
section { display: flex; flex-direction: column; min-width: 0; border-right: 1px solid #ccc; }
section h2 { margin: 0; padding: 4px 10px; font: inherit; background: #eceff1; overflow-wrap: anywhere; }
iframe { flex: 1; border: 0; background: #fff; }
p { padding: 10px; margin: 0; }
.added { background: #1a7f37; } .removed { background: #cf222e; } .changed { background: #9a6700; }
.moved { background: #0969da; } .moved_changed { background: #8250df; } .layout { background: #57606a; }
</style>
)";

// Inside the frames. Blocks that are the same can be left out.
constexpr std::string_view kFrameStyle =
    "<style>"
    "[data-blockarch-change=added]{outline:2px solid #1a7f37!important;background-color:#dafbe1!important}"
    "[data-blockarch-change=removed]{outline:2px solid #cf222e!important;background-color:#ffebe9!important}"
    "[data-blockarch-change=changed]{outline:2px solid #bf8700!important;background-color:#fff8c5!important}"
    "[data-blockarch-change=moved]{outline:2px solid #0969da!important;background-color:#ddf4ff!important}"
    "[data-blockarch-change=moved_changed]{outline:2px solid #8250df!important;background-color:#fbefff!important}"
    "[data-blockarch-change=moved],[data-blockarch-change=moved_changed]{cursor:pointer!important}"
    "[data-blockarch-here]{outline-width:5px!important}"
    "[data-blockarch-hidden]{display:none!important}"
    "</style>";

constexpr std::string_view kScript = R"(
const frames = [...document.querySelectorAll('iframe')], items = [...document.querySelectorAll('li[data-n]')];
let at = -1;
const mark = (frame, n) => frame.contentDocument && frame.contentDocument.querySelector('[data-blockarch-n="' + n + '"]');
function show(frame, n) {
  const page = frame.contentDocument;
  if (!page) return;
  for (const old of page.querySelectorAll('[data-blockarch-here]')) old.removeAttribute('data-blockarch-here');
  let found = mark(frame, n);
  if (found) found.setAttribute('data-blockarch-here', '');
  for (let back = 1; !found && back < 300; ++back) found = mark(frame, n - back);
  if (found) found.scrollIntoView({block: 'center'});
}
function go(to) {
  if (!items.length) return;
  at = (to + items.length) % items.length;
  items.forEach((item, i) => item.classList.toggle('here', i === at));
  items[at].scrollIntoView({block: 'nearest'});
  for (const frame of frames) show(frame, Number(items[at].dataset.n));
  document.getElementById('at').textContent = (at + 1) + ' of ' + items.length;
}
items.forEach((item, i) => item.addEventListener('click', () => go(i)));
document.getElementById('next').addEventListener('click', () => go(at + 1));
document.getElementById('previous').addEventListener('click', () => go(at < 0 ? -1 : at - 1));
document.addEventListener('keydown', e => { if (e.key === 'n') go(at + 1); if (e.key === 'p') go(at < 0 ? -1 : at - 1); });
document.getElementById('only').addEventListener('change', e => {
  for (const frame of frames) if (frame.contentDocument) hide(frame.contentDocument, e.target.checked);
  if (at >= 0) go(at);
});
// What neither has changed, nor stands in what has, nor holds it.
function hide(page, on) {
  const keep = new Set();
  for (const block of page.querySelectorAll('[data-blockarch-change]:not([data-blockarch-change=same])')) {
    for (let around = block; around; around = around.parentElement) keep.add(around);
    for (const inside of block.querySelectorAll('*')) keep.add(inside);
  }
  for (const one of page.body.querySelectorAll('*')) one.toggleAttribute('data-blockarch-hidden', on && !keep.has(one));
}
function link(frame) {
  if (!frame.contentDocument) return;
  frame.contentDocument.addEventListener('click', e => {
    e.preventDefault();
    const block = e.target.closest('[data-blockarch-n]');
    const item = block && items.findIndex(i => i.dataset.n === block.dataset.blockarchN);
    if (block && item >= 0) go(item);
  });
}
for (const frame of frames) { link(frame); frame.addEventListener('load', () => link(frame)); }
if (location.hash === '#first') addEventListener('load', () => go(0));
)";

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
  std::string out(kFrameStyle);
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
    out += kStyle;
    out += fmt::format(
        "</head><body><header><button id=\"previous\" title=\"p\">&#9664; previous</button>"
        "<button id=\"next\" title=\"n\">next &#9654;</button><span id=\"at\"></span>"
        "<label><input type=\"checkbox\" id=\"only\"> only changes</label><small>{}</small></header>\n<ol>\n",
        diff_.only_noise() ? "the pages differ by noise only" : escaped(summary_of(pages_.counts())));
    add_list(out);
    out += "</ol>\n";
    add_frame(out, diff_.before(), true);
    add_frame(out, diff_.after(), false);
    out += fmt::format("<script nonce=\"{}\">{}</script></body></html>\n", key, kScript);
    return out;
  }

 private:
  void add_list(std::string& out) {
    std::size_t listed = 0;
    for (std::size_t n = 0; n < pages_.blocks.size(); ++n) {
      const BlockChange& change = pages_.blocks[n];
      if (change.kind == ChangeKind::same) continue;
      if (++listed > kMaxListed) {
        out += "<li>and more</li>\n";
        break;
      }
      const Surrounding around = diff_.around(change);
      out += fmt::format("<li data-n=\"{}\"><b class=\"{}\">{}</b> {} {}<small>{}</small>", n, key_of(change.kind),
                         change_name(change.kind), label_name(around.label), escaped(printable(around.topic)),
                         escaped(printable(around.path)));
      add_words(out, change);
      out += "</li>\n";
    }
    if (!pages_.layout.empty()) {
      out += fmt::format("<li><b class=\"layout\">layout</b> changed in {}</li>\n",
                         counted(pages_.layout.size(), "place", "places"));
    }
    if (listed == 0 && pages_.layout.empty()) out += "<li>nothing changed</li>\n";
  }

  static void add_text(std::string& out, const char* tag, std::string_view text) {
    std::size_t size = std::min(text.size(), kMaxShown);
    while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) ++size;
    out +=
        fmt::format("<{0}>{1}{2}</{0}>", tag, escaped(printable(text.substr(0, size))), size < text.size() ? " …" : "");
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
      out += "<small>only in its markup</small>";
      return add_text(out, "span", after);
    }
    if (before.size() + after.size() > kMaxCompared) {
      add_text(out, "del", before);
      return add_text(out, "ins", after);
    }
    WorkLimit limit;
    for (const WordRun& run : compare_words(before, after, limit)) {
      const char* const tag = run.kind == WordRun::Kind::gone   ? "del"
                              : run.kind == WordRun::Kind::come ? "ins"
                                                                : "span";
      add_text(out, tag, run.text);
    }
  }

  std::string attributes(std::size_t n) const {
    return fmt::format("data-blockarch-change={} data-blockarch-n={}", key_of(pages_.blocks[n].kind), n);
  }

  void add_frame(std::string& out, const DiffSide& side, bool old) const {
    out += fmt::format("<section><h2>{} {} {}</h2>", side.time ? format_rfc3339(*side.time) : "",
                       escaped(printable(side.url)), short_id(side.id.hash));
    const PageBlocks& blocks = old ? pages_.before : pages_.after;
    if (!blocks.is_text() || side.bytes.size() > kMaxFrame) {
      out += fmt::format("<p>{}, {}: not shown</p></section>\n", escaped(printable(side.version.media_type)),
                         human_size(side.bytes.size()));
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
    std::string out(kFrameStyle);
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
