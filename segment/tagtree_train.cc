#include "segment/tagtree_train.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>

#include "base/charset.h"
#include "segment/fingerprint.h"
#include "segment/main_region.h"

namespace blockarch {
namespace {

constexpr auto kPlaces = std::to_array<double>({0.15, 0.25, 0.35, 0.45, 0.5, 0.55, 0.65, 0.75});
constexpr auto kHeights = std::to_array<double>({0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7});
constexpr auto kPixels = std::to_array<double>({100, 150, 200, 300, 400, 600, 800});
constexpr auto kWeights = std::to_array<std::array<double, 2>>({{0.5, 0.5}, {1, 0}, {0, 1}});
constexpr auto kRelativeSizes = std::to_array<double>({0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9});
constexpr auto kPixelSizes = std::to_array<double>({0, 100, 200, 300, 400, 600, 800, 1200});

bool is_word_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 0x80 && byte < 0xE3) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

constexpr double kLeastGain = 0.05;

// Words as they are told apart for counting; a character beyond ASCII is one by itself where there are no blanks to go by.
template <typename Each>
void for_each_word(std::string_view text, Each each) {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto byte = static_cast<unsigned char>(text[at]);
    std::size_t end = at + 1;
    if (byte >= 0xE3) {
      while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
      each(text.substr(at, end - at));
    } else if (is_word_byte(text[at])) {
      while (end < text.size() && is_word_byte(text[end])) ++end;
      each(text.substr(at, end - at));
    }
    at = end;
  }
}

using WordCounts = std::unordered_map<std::uint64_t, std::uint32_t>;

// A page with how many words, and how many of the main content, stand before each byte that begins a text.
struct Sample {
  StyledPage page;
  RegionBoxes regions;
  std::vector<std::uint32_t> begins;
  std::vector<double> words{0};
  std::vector<double> main_words{0};
  double main = 0;  // words of the main content

  double f1(std::uint32_t box) const {
    const RegionBox& region = regions.boxes[box];
    const auto first = std::lower_bound(begins.begin(), begins.end(), region.begin) - begins.begin();
    const auto last = std::lower_bound(begins.begin(), begins.end(), region.end) - begins.begin();
    const auto index = [](std::ptrdiff_t i) { return static_cast<std::size_t>(i); };
    const double all = words[index(last)] - words[index(first)];
    const double right = main_words[index(last)] - main_words[index(first)];
    return all + main > 0 ? 2 * right / (all + main) : 0;
  }
};

bool in_link(const StyledPage& page, const StyledNode& text) {
  for (std::uint32_t i = text.parent; i != 0; i = page.nodes[i].parent) {
    const ByteView tag = page.start_tag(page.nodes[i]).substr(0, 3);
    if (tag == "<a " || tag == "<A ") return true;
  }
  return false;
}

bool is_shown(const StyledPage& page, const StyledNode& text) {
  for (std::uint32_t i = text.parent; i != 0; i = page.nodes[i].parent) {
    if (page.style(page.nodes[i]).display == Display::none) return false;
  }
  return true;
}

class Trainer {
 public:
  Trainer(std::span<const TrainingPage> pages, TagTreeProfile profile) : pages_(pages), profile_(profile) {}

  Result<TrainingResult> run() {
    read_pages();
    double main = 0;
    for (const Sample& sample : samples_) main += sample.main;
    if (main == 0) {
      return Error{ErrorCode::invalid, "nothing to learn from: the pages have no text, or not the one that was given"};
    }
    TrainingResult result;
    result.model.profile = profile_;
    result.model.parameters = best_parameters(result.by_point);
    find_pattern(result);
    return result;
  }

 private:
  void read_pages() {
    const bool told =
        std::any_of(pages_.begin(), pages_.end(), [](const TrainingPage& p) { return p.main_text.has_value(); });
    std::unordered_map<std::uint64_t, std::size_t> seen;  // text → pages it stands on
    for (const TrainingPage& page : pages_) {
      if (told && !page.main_text) continue;
      Sample sample;
      sample.page = read_styled_page(page.payload);
      sample.regions = compute_boxes(sample.page, profile_);
      samples_.push_back(std::move(sample));
      sources_.push_back(&page);
      if (!told) note_texts(samples_.back(), seen);
    }
    for (std::size_t i = 0; i < samples_.size(); ++i) count_words(samples_[i], *sources_[i], seen);
  }

  static std::uint64_t text_key(const Sample& sample, const StyledNode& node) {
    return fingerprint(sample.page.text(node));
  }

  static void note_texts(const Sample& sample, std::unordered_map<std::uint64_t, std::size_t>& seen) {
    std::unordered_map<std::uint64_t, bool> here;
    for (const StyledNode& node : sample.page.nodes) {
      if (StyledPage::is_text(node) && here.emplace(text_key(sample, node), true).second)
        ++seen[text_key(sample, node)];
    }
  }

  void count_words(Sample& sample, const TrainingPage& source,
                   const std::unordered_map<std::uint64_t, std::size_t>& seen) const {
    WordCounts wanted;
    if (source.main_text) {
      for_each_word(*source.main_text, [&](std::string_view word) {
        ++wanted[fingerprint(word)];
        ++sample.main;
      });
    }
    for (const StyledNode& node : sample.page.nodes) {
      if (!StyledPage::is_text(node) || !is_shown(sample.page, node)) continue;
      const bool own = !source.main_text && (samples_.size() == 1 || seen.at(text_key(sample, node)) == 1) &&
                       !in_link(sample.page, node);
      double words = 0;
      double right = 0;
      for_each_word(to_utf8(sample.page.text(node), source.charset), [&](std::string_view word) {
        ++words;
        const auto found = wanted.find(fingerprint(word));
        if (found != wanted.end() && found->second > 0) {
          --found->second;
          ++right;
        }
      });
      if (own) sample.main += right = words;
      sample.begins.push_back(node.begin);
      sample.words.push_back(sample.words.back() + words);
      sample.main_words.push_back(sample.main_words.back() + right);
    }
  }

  double mean_of(double sum) const { return sum / static_cast<double>(samples_.size()); }

  // For each point every page has one way down; which region on it is the last depends on the size asked for. The first among
  // equals stays, so what comes first in the lists above is preferred.
  TagTreeParameters best_parameters(double& best) const {
    TagTreeParameters parameters;
    best = 0;
    for (const Sample& sample : samples_) best += sample.f1(find_main_region(sample.regions, parameters));
    best = mean_of(best);
    const double usual = best;
    const TagTreeParameters defaults = parameters;
    for (const bool relative : {true, false}) {
      for (const double gamma : kPlaces) {
        const auto lambdas = relative ? std::span<const double>(kHeights) : std::span<const double>(kPixels);
        for (const double lambda : lambdas) {
          const double page_width = profile_ == TagTreeProfile::paper ? double{kPaperWidth} : double{kViewportWidth};
          const TagTreeParameters point{relative ? gamma : gamma * page_width, lambda, 0.5, 0.5, 0, relative};
          try_sizes(point, parameters, best);
        }
      }
    }
    // A grid always has something that fits a few pages a little better.
    if (best < usual + kLeastGain) {
      best = usual;
      return defaults;
    }
    return parameters;
  }

  void try_sizes(const TagTreeParameters& point, TagTreeParameters& parameters, double& best) const {
    struct Way {
      const Sample* sample;
      std::vector<std::uint32_t> path;
      std::vector<double> scores;
    };
    std::vector<Way> ways;
    for (const Sample& sample : samples_) {
      Way way{&sample, find_main_path(sample.regions, point), {}};
      for (const std::uint32_t box : way.path) way.scores.push_back(sample.f1(box));
      ways.push_back(std::move(way));
    }
    const auto sizes = point.relative ? std::span<const double>(kRelativeSizes) : std::span<const double>(kPixelSizes);
    for (const auto& [alpha, beta] : kWeights) {
      for (const double theta : sizes) {
        TagTreeParameters candidate = point;
        candidate.alpha = alpha;
        candidate.beta = beta;
        candidate.theta = theta;
        double sum = 0;
        for (const Way& way : ways) {
          const auto& boxes = way.sample->regions.boxes;
          const double least = candidate.relative ? theta * region_size(boxes[0], candidate) : theta;
          std::size_t last = 0;
          while (last + 1 < way.path.size() && region_size(boxes[way.path[last + 1]], candidate) >= least) ++last;
          sum += way.scores[last];
        }
        if (mean_of(sum) <= best + 1e-9) continue;
        best = mean_of(sum);
        parameters = candidate;
      }
    }
  }

  // Candidates are the paths to what the parameters find, and to what would have been the best region of each page.
  void find_pattern(TrainingResult& result) const {
    result.score = result.by_point;
    std::map<std::string, bool> candidates;
    for (const Sample& sample : samples_) {
      std::uint32_t best = 0;
      double most = -1;
      for (std::uint32_t i = 0; i < sample.regions.boxes.size(); ++i) {
        const double f1 = sample.regions.boxes[i].kind == BoxKind::row ? -1 : sample.f1(i);
        if (f1 > most + 1e-9) {
          most = f1;
          best = i;
        }
      }
      for (const std::uint32_t box : {best, find_main_region(sample.regions, result.model.parameters)}) {
        candidates.emplace(pattern_of(sample.page, sample.regions, box), true);
      }
    }
    for (const auto& [pattern, used] : candidates) {
      if (!pattern.empty()) try_pattern(pattern, result);
    }
  }

  void try_pattern(const std::string& pattern, TrainingResult& result) const {
    double sum = 0;
    std::size_t matched = 0;
    TagTreeModel model = result.model;
    model.pattern = pattern;
    for (const Sample& sample : samples_) {
      if (match_pattern(sample.page, sample.regions, pattern)) ++matched;
      sum += sample.f1(main_region_of(sample.page, sample.regions, model));
    }
    const double score = mean_of(sum);
    const bool better = score > result.score + 1e-9 || (score > result.score - 1e-9 && matched > result.matched);
    if (!better) return;
    result.score = score;
    result.matched = matched;
    result.model.pattern = pattern;
  }

  std::span<const TrainingPage> pages_;
  TagTreeProfile profile_;
  std::vector<Sample> samples_;
  std::vector<const TrainingPage*> sources_;
};

}  // namespace

Result<TrainingResult> train_tagtree(std::span<const TrainingPage> pages, TagTreeProfile profile) {
  if (pages.empty()) return Error{ErrorCode::invalid, "nothing to learn from: no pages"};
  return Trainer(pages, profile).run();
}

}  // namespace blockarch
