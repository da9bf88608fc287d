// What the models (models.h) are shown of a line and of a box: numbers that mean the same on every page, in any
// language. The order is part of the trained tables: after a change here they must be trained anew
// (scripts/train_labels.py).
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "segment/boxes.h"

namespace blockarch {

inline constexpr std::size_t kLineFeatures = 128;
inline constexpr std::size_t kBoxFeatures = 115;

// The features of one line or box go where they are asked for, one every so many floats. All of them must be 0 before,
// since most are and stay so.
inline constexpr std::size_t kFeatureStep = 16;

// What is known once for the whole page.
class PageView {
 public:
  explicit PageView(const PageBoxes& page);

  const PageBoxes& page() const { return page_; }
  void line(std::uint32_t index, float* first_feature) const;

  // `main_odds`: for each line how likely it is main content, 0 to 1. Boxes that hold the same lines as the box around
  // them are no candidates.
  void set_main(std::span<const float> main_odds);
  bool is_candidate(std::uint32_t box) const;
  // Whether the block model is asked about it: not about a heading, an item or a control of few words, which is a part
  // of a block; there are as many of those as of all others together.
  bool may_be_block(std::uint32_t box) const { return shapes_[box].asked; }
  void box(std::uint32_t index, float* first_feature) const;
  // The share of main content among the words of a range of lines.
  float main_share(std::uint32_t first_line, std::uint32_t line_end) const;

 private:
  struct Sums {
    float words = 0;
    float link_words = 0;
    float prose_words = 0;
    float main_words = 0;
  };

  // What every line asks about itself, those beside it and the boxes around it.
  struct LineShares {
    float log_words = 0;
    float links = 0;
  };
  struct BoxShares {
    float of_page = 0;
    float links = 0;
    float prose = 0;
  };

  // What boxes see when they look up.
  struct Surroundings {
    std::uint32_t splits = 0;  // candidates, from the box on
    std::uint32_t widest_repeat = 1;
    std::uint32_t tags = 0;  // places of those that features ask for
  };

  // Most counts are small, and every line asks for a dozen.
  using Logs = std::array<float, 8192>;
  static const Logs& make_logs();
  float log2_of(std::uint32_t number) const;

  // What stands directly in a box, and how deep boxes are nested there. A box that holds most of the words of the one
  // around it is no step of its own.
  struct Shape {
    bool asked = false;
    std::uint32_t children_asked = 0;
    std::uint32_t children_with_class = 0;
    std::uint32_t children_headed = 0;  // that begin with a heading
    std::uint32_t children_words = 0;
    float least_links = 1;  // among the children, the share of link words
    float most_links = 0;
    std::uint32_t steps_around = 0;
    std::uint32_t steps_inside = 0;
    std::uint32_t step_words = 0;  // words of the last step around it, or its own where it is one
    std::uint32_t asked_inside = 0;
  };

  void add_shares();
  void add_surroundings();
  void add_shapes();
  bool begins_with_heading(std::uint32_t box) const;
  void find_best();
  const Box& box_at(std::uint32_t index) const { return page_.boxes[index]; }
  std::uint32_t up(std::uint32_t box) const {
    const std::uint32_t outer = box_at(box).parent;
    return outer != kNoElement ? outer : box;
  }
  Surroundings surroundings_of(std::uint32_t box) const;
  Sums between(std::size_t first, std::size_t end) const;

  const PageBoxes& page_;
  const Logs& logs_ = make_logs();
  std::vector<Sums> sums_;  // before each line
  std::vector<LineShares> line_shares_;
  std::vector<BoxShares> box_shares_;
  std::vector<Surroundings> surroundings_;
  std::vector<Shape> shapes_;
  std::vector<std::uint32_t> to_best_;  // for each box: how many steps up until what it stands in holds the best box
  std::uint32_t best_ = 0;              // where most of the prose stands
  std::uint32_t first_heading_ = 0;     // the line of the first <h1>, or the number of lines
  std::uint32_t articles_ = 0;
  std::uint32_t headings1_ = 0;
  bool has_main_ = false;
  float with_class_ = 0;  // the share of boxes that have a class
};

}  // namespace blockarch
