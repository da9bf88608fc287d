#include "segment/box_features.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>

#include "segment/hints.h"

namespace blockarch {
namespace {

float ratio(float part, float whole) {
  return whole > 0 ? part / whole : 0;
}

float ratio(std::uint32_t part, std::uint32_t whole) {
  return ratio(static_cast<float>(part), static_cast<float>(whole));
}

// Writes one feature after the other.
class Row {
 public:
  explicit Row(float* first) : at_(first) {}

  void add(float value) {
    *at_ = value;
    skip(1);
  }
  void add(bool value) { add(value ? 1.0f : 0.0f); }
  // Few are set.
  void add_bits(std::uint64_t bits, std::size_t count) {
    for (; bits != 0; bits &= bits - 1) at_[static_cast<std::size_t>(std::countr_zero(bits)) * kFeatureStep] = 1;
    skip(count);
  }
  bool has_written(std::size_t count, const float* first) const { return at_ == first + count * kFeatureStep; }

 private:
  void skip(std::size_t count) { at_ += count * kFeatureStep; }

  float* at_;
};

// Some tags, each with the place of its feature.
template <std::size_t Size>
class TagPlaces {
 public:
  constexpr explicit TagPlaces(const std::array<BoxTag, Size>& tags) {
    for (std::size_t i = 0; i < Size; ++i) bits_[static_cast<std::size_t>(tags[i])] = 1u << i;
  }
  std::uint32_t of(BoxTag tag) const { return bits_[static_cast<std::size_t>(tag)]; }
  static constexpr std::size_t size() { return Size; }

 private:
  std::array<std::uint32_t, kBoxTags> bits_{};
};

constexpr TagPlaces kOwnTags(std::to_array({BoxTag::paragraph, BoxTag::heading1, BoxTag::heading2, BoxTag::heading4,
                                            BoxTag::item, BoxTag::cell, BoxTag::control, BoxTag::div, BoxTag::preformed,
                                            BoxTag::link}));
constexpr TagPlaces kTagsAround(std::to_array({BoxTag::article, BoxTag::main, BoxTag::nav, BoxTag::header,
                                               BoxTag::footer, BoxTag::aside, BoxTag::form, BoxTag::list, BoxTag::table,
                                               BoxTag::figure, BoxTag::control, BoxTag::dialog, BoxTag::section,
                                               BoxTag::quote}));

bool has_tag(const Box& box, BoxTag tag) {
  return (box.tags_around >> static_cast<unsigned>(tag) & 1u) != 0;
}

// A heading, an item or a control of few words is a part of a block; asking the model about each would cost as much as
// all others together.
bool is_mere_line(const Box& box) {
  constexpr std::uint32_t kFew = 8;
  const bool part = box.tag == BoxTag::item || box.tag == BoxTag::heading1 || box.tag == BoxTag::heading2 ||
                    box.tag == BoxTag::heading4 || box.tag == BoxTag::control || box.tag == BoxTag::link;
  return box.words < 2 || (part && box.words < kFew);
}

// Whether a box is smaller to the eye than the one around it.
bool is_step(std::uint32_t words, std::uint32_t words_around) {
  return std::uint64_t{words} * 5 < std::uint64_t{words_around} * 4;
}

}  // namespace

const PageView::Logs& PageView::make_logs() {
  static const Logs logs = [] {
    Logs made{};
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = std::log2(static_cast<float>(i) + 1);
    return made;
  }();
  return logs;
}

float PageView::log2_of(std::uint32_t number) const {
  return number < logs_.size() ? logs_[number] : std::log2(static_cast<float>(number) + 1);
}

PageView::PageView(const PageBoxes& page) : page_(page) {
  sums_.reserve(page.lines.size() + 1);
  sums_.push_back({});
  first_heading_ = static_cast<std::uint32_t>(page.lines.size());
  for (std::uint32_t i = 0; i < page.lines.size(); ++i) {
    const Line& line = page.lines[i];
    const auto words = static_cast<float>(line.text.words);
    const Sums& last = sums_.back();
    sums_.push_back({last.words + words, last.link_words + static_cast<float>(line.link_words),
                     last.prose_words + (line.is_prose() ? words : 0), 0});
    if (box_at(line.box).tag == BoxTag::heading1) {
      ++headings1_;
      first_heading_ = std::min(first_heading_, i);
    }
  }
  for (const Box& box : page.boxes) {
    if (box.tag == BoxTag::article) ++articles_;
    if (box.tag == BoxTag::main) has_main_ = true;
  }
  add_shares();
  add_surroundings();
  add_shapes();
  find_best();
}

void PageView::add_shares() {
  line_shares_.reserve(page_.lines.size());
  for (const Line& line : page_.lines) {
    line_shares_.push_back({log2_of(line.text.words), ratio(line.link_words, line.text.words)});
  }
  box_shares_.reserve(page_.boxes.size());
  for (const Box& box : page_.boxes) {
    box_shares_.push_back(
        {ratio(box.words, page_.words()), ratio(box.link_words, box.words), ratio(box.prose_words, box.words)});
  }
}

// How far a box looks up.
constexpr std::uint32_t kFarthestUp = 64;

void PageView::add_surroundings() {
  surroundings_.reserve(page_.boxes.size());
  for (std::uint32_t i = 0; i < page_.boxes.size(); ++i) {
    const Box& box = box_at(i);
    const Surroundings outer = box.parent == kNoElement ? Surroundings{} : surroundings_[box.parent];
    surroundings_.push_back({outer.splits + (is_candidate(i) ? 1 : 0), std::max(outer.widest_repeat, box.alike),
                             outer.tags | kTagsAround.of(box.tag)});
  }
}

PageView::Surroundings PageView::surroundings_of(std::uint32_t box) const {
  if (box_at(box).depth < kFarthestUp) return surroundings_[box];
  Surroundings seen;
  for (std::uint32_t i = box, steps = 0; i != kNoElement && steps < kFarthestUp; i = box_at(i).parent, ++steps) {
    if (is_candidate(i)) ++seen.splits;
    seen.widest_repeat = std::max(seen.widest_repeat, box_at(i).alike);
  }
  return seen;
}

bool PageView::begins_with_heading(std::uint32_t box) const {
  const BoxTag opening = box_at(page_.lines[box_at(box).first_line].box).tag;
  return opening == BoxTag::heading1 || opening == BoxTag::heading2 || opening == BoxTag::heading4;
}

void PageView::add_shapes() {
  shapes_.resize(page_.boxes.size());
  shapes_[0].step_words = page_.words();
  std::uint32_t with_class = 0;
  for (std::uint32_t i = 1; i < page_.boxes.size(); ++i) {
    const Box& box = box_at(i);
    Shape& outer = shapes_[box.parent];
    Shape& shape = shapes_[i];
    shape.asked = is_candidate(i) && !is_mere_line(box);
    const bool step = is_step(box.words, outer.step_words);
    shape.steps_around = outer.steps_around + (step ? 1 : 0);
    shape.step_words = step ? box.words : outer.step_words;
    outer.children_asked += shape.asked ? 1 : 0;
    outer.children_with_class += box.has_class ? 1 : 0;
    with_class += box.has_class ? 1 : 0;
    outer.children_headed += begins_with_heading(i) ? 1 : 0;
    outer.children_words += box.words;
    outer.least_links = std::min(outer.least_links, box_shares_[i].links);
    outer.most_links = std::max(outer.most_links, box_shares_[i].links);
  }
  with_class_ = ratio(with_class, static_cast<std::uint32_t>(page_.boxes.size()));
  constexpr std::uint32_t kFewWords = 8;
  for (std::size_t i = page_.boxes.size(); i-- > 1;) {
    const Box& box = page_.boxes[i];
    Shape& outer = shapes_[box.parent];
    const bool step = box.words >= kFewWords && is_step(box.words, box_at(box.parent).words);
    outer.steps_inside = std::max(outer.steps_inside, shapes_[i].steps_inside + (step ? 1 : 0));
    outer.asked_inside += shapes_[i].asked_inside + (shapes_[i].asked ? 1 : 0);
  }
}

// Prose counts for the box it stands in and, less and less, for those around; boxes of links count little.
void PageView::find_best() {
  std::vector<float> score(page_.boxes.size());
  for (const Line& line : page_.lines) {
    if (!line.is_prose()) continue;
    float points = 1 + static_cast<float>(line.text.stops) + std::min(static_cast<float>(line.text.words) / 20, 3.0f);
    std::uint32_t box = line.box;
    for (int step = 0; step < 6 && box != kNoElement; ++step, box = box_at(box).parent) {
      if (step > 0) score[box] += points;
      points *= step == 0 ? 1 : 0.5f;
    }
  }
  float most = 0;
  for (std::uint32_t i = 0; i < page_.boxes.size(); ++i) {
    const float points = score[i] * (1 - ratio(page_.boxes[i].link_words, page_.boxes[i].words));
    if (points > most) most = points, best_ = i;
  }
  to_best_.assign(page_.boxes.size(), 0);
  for (std::uint32_t i = 1; i < page_.boxes.size(); ++i) {
    const Box& box = page_.boxes[i];
    const bool inside = i >= best_ && i < page_.boxes[best_].next;
    const bool around = best_ >= i && best_ < box.next;
    to_best_[i] = inside || around ? 0 : to_best_[box.parent] + 1;
  }
}

PageView::Sums PageView::between(std::size_t first, std::size_t end) const {
  const Sums& a = sums_[first];
  const Sums& b = sums_[end];
  return {b.words - a.words, b.link_words - a.link_words, b.prose_words - a.prose_words, b.main_words - a.main_words};
}

void PageView::line(std::uint32_t index, float* first_feature) const {
  const Line& line = page_.lines[index];
  const Box& box = box_at(line.box);
  const Box& all = page_.boxes[0];
  const auto count = static_cast<std::uint32_t>(page_.lines.size());
  Row row(first_feature);
  // The line itself.
  row.add(line_shares_[index].log_words);
  row.add(line_shares_[index].links);
  row.add(ratio(line.text.letters, line.text.words));
  row.add(ratio(line.text.stops, line.text.words));
  row.add(line.text.ends_in_stop);
  row.add(ratio(line.text.capitals, line.text.words));
  row.add(ratio(line.text.numbers, line.text.words));
  row.add(static_cast<float>(line.breaks));
  row.add_bits(kOwnTags.of(box.tag), kOwnTags.size());
  row.add(ratio(line.words_before, all.words));
  row.add(ratio(index, count));
  row.add(log2_of(line.words_before));
  row.add(log2_of(all.words - std::min(all.words, line.words_before)));
  // Its neighbours.
  for (const int step : {-2, -1, 1, 2}) {
    const std::int64_t other = static_cast<std::int64_t>(index) + step;
    const bool there = other >= 0 && other < count;
    const LineShares shares = there ? line_shares_[static_cast<std::size_t>(other)] : LineShares{-1, -1};
    row.add(shares.log_words);
    row.add(shares.links);
    row.add(there && box_at(page_.lines[static_cast<std::size_t>(other)].box).parent == box.parent);
  }
  for (const std::uint32_t reach : {4u, 12u}) {
    const Sums sums = between(index > reach ? index - reach : 0, std::min(count, index + reach + 1));
    row.add(ratio(sums.link_words, sums.words));
    row.add(ratio(sums.prose_words, sums.words));
    row.add(log2_of(static_cast<std::uint32_t>(sums.words)));
  }
  // What it stands in.
  const std::uint32_t outer1 = up(line.box);
  const std::uint32_t outer2 = up(outer1);
  const std::uint32_t outer3 = up(outer2);
  // Together: how many bits are set cannot be predicted.
  constexpr std::size_t kTags = kTagsAround.size();
  static_assert(kTags + 2 * kHints <= 64);
  const std::uint64_t hints = box.hints | box_at(outer1).hints | box_at(outer2).hints;
  row.add_bits(surroundings_[line.box].tags | hints << kTags | std::uint64_t{box.around} << (kTags + kHints),
               kTags + 2 * kHints);
  std::uint32_t most_alike = outer1;
  for (const std::uint32_t i : {outer1, outer2, outer3, up(up(outer3))}) {
    row.add(box_shares_[i].of_page);
    row.add(box_shares_[i].links);
    row.add(box_shares_[i].prose);
    most_alike = box_at(i).alike > box_at(most_alike).alike ? i : most_alike;
  }
  const Box& repeated = box_at(most_alike);
  row.add(log2_of(std::max(repeated.alike, box.alike)));
  row.add(repeated.parent == kNoElement ? 1.0f : box_shares_[repeated.parent].of_page);
  row.add(static_cast<float>(box.depth));
  // Against where most of the prose is.
  const Box& best = box_at(best_);
  row.add(static_cast<float>(to_best_[line.box]));
  row.add(index >= best.first_line && index < best.line_end);
  row.add(static_cast<float>(index) - static_cast<float>(best.first_line));
  row.add(static_cast<float>(index) - static_cast<float>(best.line_end));
  row.add(box_shares_[best_].of_page);
  row.add(static_cast<float>(index) - static_cast<float>(first_heading_));
  // The page.
  row.add(log2_of(all.words));
  row.add(ratio(all.link_words, all.words));
  row.add(ratio(all.prose_words, all.words));
  row.add(log2_of(articles_));
  row.add(has_main_);
  row.add(static_cast<float>(headings1_));
  row.add(log2_of(count));
  assert(row.has_written(kLineFeatures, first_feature));
}

void PageView::set_main(std::span<const float> main_odds) {
  float sum = 0;
  for (std::size_t i = 0; i < main_odds.size(); ++i) {
    sums_[i].main_words = sum;
    sum += main_odds[i] * static_cast<float>(page_.lines[i].text.words);
  }
  sums_.back().main_words = sum;
}

bool PageView::is_candidate(std::uint32_t index) const {
  const Box& box = box_at(index);
  if (box.parent == kNoElement || box.words == 0) return false;
  const Box& outer = box_at(box.parent);
  return outer.words != box.words;
}

float PageView::main_share(std::uint32_t first_line, std::uint32_t line_end) const {
  const Sums sums = between(first_line, line_end);
  return ratio(sums.main_words, sums.words);
}

void PageView::box(std::uint32_t index, float* first_feature) const {
  const Box& all = page_.boxes[0];
  const Box& first = box_at(index);
  const Box& outer = box_at(first.parent);
  // Boxes inside that hold the same text are the same to the eye: what any of them is named counts.
  std::uint32_t hints = first.hints;
  std::uint32_t tags = 1u << static_cast<unsigned>(first.tag);
  bool has_class = first.has_class;
  std::uint32_t inner = index;
  while (box_at(inner).next > inner + 1 && box_at(inner + 1).words == first.words) {
    ++inner;
    hints |= box_at(inner).hints;
    has_class = has_class || box_at(inner).has_class;
    tags |= 1u << static_cast<unsigned>(box_at(inner).tag);
  }
  const Box& last = box_at(inner);
  std::uint32_t largest = 0;
  std::uint32_t wide = 0;
  std::uint32_t visited = 0;
  for (std::uint32_t i = inner + 1; i < last.next && visited < 64; i = box_at(i).next, ++visited) {
    largest = std::max(largest, box_at(i).words);
    if (box_at(i).words * 10 >= last.words) ++wide;
  }
  Row row(first_feature);
  row.add(log2_of(first.words));
  row.add(box_shares_[index].of_page);
  row.add(ratio(first.words, outer.words));
  row.add(box_shares_[index].links);
  row.add(box_shares_[index].prose);
  row.add(ratio(first.stops, first.words));
  row.add(log2_of(first.line_end - first.first_line));
  row.add(log2_of(last.children));
  row.add(ratio(largest, last.words));
  row.add(static_cast<float>(wide));
  row.add(log2_of(first.links));
  row.add(log2_of(first.images));
  row.add(log2_of(first.controls));
  row.add(log2_of(first.headings));
  row.add(log2_of(first.alike));
  row.add(ratio(first.words, last.children));
  row.add(ratio(first.words, first.line_end - first.first_line));
  const Line& line = page_.lines[first.first_line];
  row.add(ratio(line.words_before, all.words));
  row.add(ratio(line.words_before + first.words, all.words));
  row.add(begins_with_heading(index));
  row.add(log2_of(line.text.words));
  row.add(static_cast<float>(first.depth));
  // What is around it and beside it.
  row.add(log2_of(outer.children));
  row.add(log2_of(outer.alike));
  row.add(box_shares_[first.parent].of_page);
  row.add(box_shares_[first.parent].links);
  row.add(log2_of(outer.headings));
  const Box& outer2 = box_at(up(first.parent));
  row.add(ratio(outer2.words, all.words));
  row.add(log2_of(outer2.children));
  const Surroundings above = surroundings_of(first.parent);
  row.add(static_cast<float>(above.splits));
  row.add(log2_of(above.widest_repeat));
  row.add(ratio(line.words_before - page_.lines[outer.first_line].words_before, outer.words));
  row.add(log2_of(all.words));
  row.add(log2_of(static_cast<std::uint32_t>(page_.lines.size())));
  row.add(ratio(all.link_words, all.words));
  row.add(main_share(first.first_line, first.line_end));
  row.add(main_share(outer.first_line, outer.line_end));
  row.add(ratio(main_share(first.first_line, first.line_end) * static_cast<float>(first.words),
                main_share(0, static_cast<std::uint32_t>(page_.lines.size())) * static_cast<float>(all.words)));
  row.add(static_cast<float>(to_best_[index]));
  row.add(best_ >= index && best_ < first.next);
  row.add_bits(tags, kBoxTags);
  row.add_bits(hints, kHints);
  row.add(has_tag(outer, BoxTag::header) || (outer.around & kHintIdentity) != 0);
  row.add(has_tag(outer, BoxTag::footer) || (outer.around & kHintFooter) != 0);
  row.add(has_tag(outer, BoxTag::nav) || (outer.around & kHintNavigation) != 0);
  row.add(has_tag(outer, BoxTag::aside) || (outer.around & kHintSide) != 0);
  row.add(has_tag(outer, BoxTag::list));
  row.add(has_tag(outer, BoxTag::table));
  row.add(has_tag(outer, BoxTag::paragraph));
  row.add(has_tag(outer, BoxTag::article) || (outer.around & kHintContent) != 0);
  row.add(has_tag(outer, BoxTag::main) || (outer.around & kHintMain) != 0);
  row.add((outer.around & kHintList) != 0);
  // How it is divided, and what it is one of.
  const Shape& own = shapes_[index];
  const Shape& inside = shapes_[inner];
  const Shape& beside = shapes_[first.parent];
  row.add(static_cast<float>(own.steps_around));
  row.add(ratio(first.words, beside.step_words));
  row.add(static_cast<float>(inside.steps_inside));
  row.add(log2_of(inside.asked_inside));
  row.add(static_cast<float>(inner - index));
  // Some pages use classes much, some not at all: only the difference counts.
  row.add((has_class ? 1 : 0) - with_class_);
  row.add(last.children > 0 ? ratio(inside.children_with_class, last.children) - with_class_ : 0);
  row.add(ratio(inside.children_asked, last.children));
  row.add(ratio(inside.children_headed, last.children));
  row.add(std::max(inside.most_links - inside.least_links, 0.0f));
  row.add(ratio(beside.children_asked - (own.asked ? 1 : 0), outer.children - 1));
  row.add(ratio(beside.children_headed - (begins_with_heading(index) ? 1 : 0), outer.children - 1));
  row.add(ratio(first.words, beside.children_words));
  row.add(ratio(first.links, outer.links));
  row.add(ratio(first.headings, outer.headings));
  row.add(ratio(first.images, first.line_end - first.first_line));
  assert(row.has_written(kBoxFeatures, first_feature));
}

}  // namespace blockarch
