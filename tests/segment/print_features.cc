// What scripts/train_labels.py learns from: print_features FILE... writes the features of every line and box of each
// page to standard output, little-endian:
//   lines u32, features u32, lines × (begin, end, words, box u32, main odds f32, features f32)
//   boxes u32, features u32, boxes × (begin, end, first line, line end, parent, words, asked u32, features f32)
// `asked` boxes are those that the block model is asked about; the others' features are 0.
#include <array>
#include <bit>
#include <cstdio>
#include <cstring>

#include "base/charset.h"
#include "base/file.h"
#include "segment/box_features.h"
#include "segment/html_elements.h"
#include "segment/models.h"

namespace {

using namespace blockarch;

void put(std::uint32_t value) {
  std::fwrite(&value, sizeof value, 1, stdout);
}

// Features as the models take them, without those of other rows between.
template <std::size_t Size>
class Features {
 public:
  float* first() { return values_.data(); }
  void put() const {
    for (std::size_t i = 0; i < Size; ++i) std::fwrite(&values_[i * kFeatureStep], sizeof(float), 1, stdout);
  }

 private:
  std::array<float, Size * kFeatureStep> values_{};
};

void print(ByteView payload) {
  const std::string charset = detect_charset(payload, "").name;
  const ElementTree tree = html_elements(payload);
  const PageBoxes page = find_boxes(payload, tree, text_form(charset));
  PageView view(page);
  const std::vector<float> odds = main_odds(view);
  put(static_cast<std::uint32_t>(page.lines.size()));
  put(static_cast<std::uint32_t>(kLineFeatures));
  for (std::uint32_t i = 0; i < page.lines.size(); ++i) {
    const Line& line = page.lines[i];
    for (const std::uint32_t value :
         {line.begin, line.end, line.text.words, line.box, std::bit_cast<std::uint32_t>(odds[i])}) {
      put(value);
    }
    Features<kLineFeatures> features;
    view.line(i, features.first());
    features.put();
  }
  view.set_main(odds);
  put(static_cast<std::uint32_t>(page.boxes.size()));
  put(static_cast<std::uint32_t>(kBoxFeatures));
  for (std::uint32_t i = 0; i < page.boxes.size(); ++i) {
    const Box& box = page.boxes[i];
    const Element& element = tree.elements[box.element];
    const bool asked = view.may_be_block(i);
    for (const std::uint32_t value :
         {element.begin, element.end, box.first_line, box.line_end, box.parent, box.words, asked ? 1u : 0u}) {
      put(value);
    }
    Features<kBoxFeatures> features;
    if (asked) view.box(i, features.first());
    features.put();
  }
}

}  // namespace

int main(int count, char** arguments) {
  for (int i = 1; i < count; ++i) {
    const auto payload = posix_files().read_file(arguments[i], std::uint64_t{1} << 30);
    if (!payload) {
      std::fprintf(stderr, "%s\n", payload.error().message.c_str());
      return 1;
    }
    print(*payload);
  }
  return 0;
}
