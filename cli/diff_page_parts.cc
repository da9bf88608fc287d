#include "cli/diff_page_parts.h"

namespace blockarch {

const std::string_view kDiffStyle = R"(<style>
body { margin: 0; height: 100vh; display: grid; grid: auto minmax(0, 1fr) / 330px minmax(0, 1fr) minmax(0, 1fr); font: 13px/1.45 sans-serif; }
header { grid-column: 1 / -1; display: flex; gap: 4px 12px; align-items: center; padding: 6px 10px; background: #263238; color: #fff; flex-wrap: wrap; }
header small { color: #cfd8dc; }
header button { font: inherit; }
header label { display: flex; align-items: center; gap: 4px; }
nav { overflow: auto; background: #fafafa; border-right: 1px solid #ccc; }
ol { margin: 0; padding: 0; list-style: none; }
li { padding: 6px 10px; border-bottom: 1px solid #ddd; overflow-wrap: anywhere; }
li[data-n] { cursor: pointer; }
li.here { background: #fff3c4; }
li small { color: #595959; display: block; }
li small.path { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
li i { color: #595959; font-style: normal; }
b { padding: 0 5px; border-radius: 3px; color: #fff; font-weight: normal; }
li div { max-height: 16em; overflow: auto; }
summary { padding: 6px 10px; cursor: pointer; color: #333; border-bottom: 1px solid #ddd; }
del { background: #ffd7d5; text-decoration: line-through; }
ins { background: #c6f2cf; text-decoration: none; }
section { display: flex; flex-direction: column; min-width: 0; min-height: 0; border-right: 1px solid #ccc; }
section h2 { margin: 0; padding: 4px 10px; font: inherit; background: #eceff1; overflow-wrap: anywhere; }
section h2 em { color: #8a4b00; }
iframe { flex: 1; border: 0; background: #fff; }
section img { align-self: flex-start; max-width: 100%; min-height: 0; object-fit: contain; }
p { padding: 10px; margin: 0; }
[hidden] { display: none; }
.added { background: #1a7f37; } .removed { background: #cf222e; } .changed { background: #9a6700; }
.moved { background: #0969da; } .moved_changed { background: #8250df; } .layout { background: #57606a; }
@media (max-width: 900px) {
  body { grid: auto 32vh minmax(0, 1fr) / minmax(0, 1fr) minmax(0, 1fr); }
  nav { grid-column: 1 / -1; border-bottom: 1px solid #ccc; }
  section h2 { font-size: 11px; padding: 2px 6px; }
}
</style>
)";

// Blocks that are the same can be left out.
const std::string_view kDiffFrameStyle =
    "<style>"
    "[data-blockarch-change=added]{outline:2px solid #1a7f37!important;background-color:#dafbe1!important}"
    "[data-blockarch-change=removed]{outline:2px solid #cf222e!important;background-color:#ffebe9!important}"
    "[data-blockarch-change=changed]{outline:2px solid #bf8700!important;background-color:#fff8c5!important}"
    "[data-blockarch-change=moved]{outline:2px solid #0969da!important;background-color:#ddf4ff!important}"
    "[data-blockarch-change=moved_changed]{outline:2px solid #8250df!important;background-color:#fbefff!important}"
    "[data-blockarch-change=moved],[data-blockarch-change=moved_changed]{cursor:pointer!important}"
    "[data-blockarch-here]{outline-width:4px!important;outline-offset:-1px!important}"
    "[data-blockarch-hidden]{display:none!important}"
    "</style>";

const std::string_view kDiffScript = R"(
const frames = [...document.querySelectorAll('iframe')], at_text = document.getElementById('at');
const all = [...document.querySelectorAll('li[data-n]')];
let here = null;
const listed = () => all.filter(item => !item.closest('details:not([open])'));
const mark = (page, n) => page.querySelector('[data-blockarch-n="' + n + '"]');
// Returns whether the block is on the page and cannot be seen there: in a menu that is closed, for one.
function show(frame, n) {
  const page = frame.contentDocument;
  if (!page) return false;
  for (const old of page.querySelectorAll('[data-blockarch-here]')) old.removeAttribute('data-blockarch-here');
  let found = mark(page, n);
  const unseen = found && !found.getClientRects().length;
  if (found) found.setAttribute('data-blockarch-here', '');
  for (let back = 1; (!found || !found.getClientRects().length) && back < 300; ++back) found = mark(page, n - back);
  if (found) found.scrollIntoView({block: 'center'});
  return unseen;
}
function go(item) {
  const items = listed();
  if (!item) return;
  here = item;
  for (const one of all) one.classList.toggle('here', one === here);
  here.scrollIntoView({block: 'nearest'});
  const unseen = frames.map(frame => show(frame, Number(here.dataset.n)));
  at_text.textContent = (items.indexOf(here) + 1) + ' of ' + items.length + (unseen.includes(true) ? ', not visible on the page' : '');
}
function step(by) {
  const items = listed(), at = items.indexOf(here);
  if (items.length) go(items[(at < 0 ? (by > 0 ? 0 : items.length - 1) : at + by + items.length) % items.length]);
}
for (const item of all) item.addEventListener('click', () => go(item));
document.getElementById('next').addEventListener('click', () => step(1));
document.getElementById('previous').addEventListener('click', () => step(-1));
function key(e) {
  if (e.ctrlKey || e.altKey || e.metaKey) return;
  if (e.key === 'n') step(1);
  if (e.key === 'p') step(-1);
}
document.addEventListener('keydown', key);
document.getElementById('only').addEventListener('change', e => {
  for (const frame of frames) hide(frame, e.target.checked);
  if (here) go(here);
});
// What neither has changed, nor stands in what has, nor holds it.
function hide(frame, on) {
  const page = frame.contentDocument;
  if (!page || !page.body) return;
  const keep = new Set();
  for (const block of page.querySelectorAll('[data-blockarch-change]:not([data-blockarch-change=same])')) {
    if (!page.body.contains(block)) continue;
    for (let around = block; around; around = around.parentElement) keep.add(around);
    for (const inside of block.querySelectorAll('*')) keep.add(inside);
  }
  for (const one of page.body.querySelectorAll('*')) one.toggleAttribute('data-blockarch-hidden', on && !keep.has(one));
  frame.previousElementSibling.querySelector('em').hidden = !on || keep.size > 0;
}
const linked = new WeakSet();
function link(frame) {
  const page = frame.contentDocument;
  if (!page || linked.has(page)) return;
  linked.add(page);
  page.addEventListener('keydown', key);
  page.addEventListener('click', e => {
    e.preventDefault();
    const block = e.target.closest('[data-blockarch-n]');
    const item = block && all.find(i => i.dataset.n === block.dataset.blockarchN);
    if (!item) return;
    const folded = item.closest('details');
    if (folded) folded.open = true;
    go(item);
  });
}
for (const frame of frames) { link(frame); frame.addEventListener('load', () => link(frame)); }
if (location.hash === '#first') addEventListener('load', () => step(1));
)";

}  // namespace blockarch
