// bench_diff ARCHIVE PAIRS: the median time of a diff without the program around it. Each line of PAIRS names two versions,
// by ids. Not part of what is built by default; scripts/compare_diffs.py measures whole processes.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "engine/archive.h"
#include "history/block_text.h"
#include "history/page_edits.h"
#include "history/version_diff.h"

using namespace blockarch;

namespace {

double median(std::vector<double> times) {
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

template <typename Work>
double milliseconds(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  const auto archive = Archive::open(words[1]);
  if (!archive) return 1;
  const auto snapshot = archive->snapshot();
  if (!snapshot) return 1;
  std::ifstream file(words[2]);
  std::string a;
  std::string b;
  std::vector<double> read, compare, tell, edit;
  while (file >> a >> b) {
    std::unique_ptr<VersionDiff> diff;
    const auto before = resolve_name(*snapshot, a, {});
    const auto after = resolve_name(*snapshot, b, {});
    if (!before || !after) return 1;
    read.push_back(milliseconds([&] {
      (void)snapshot->page(VersionId{std::get_if<ObjectId>(&*before)->hash});
      (void)snapshot->page(VersionId{std::get_if<ObjectId>(&*after)->hash});
    }));
    compare.push_back(milliseconds([&] { diff = std::move(*VersionDiff::make(*snapshot, *before, *after)); }));
    edit.push_back(milliseconds([&] { (void)page_edits(diff->pages()); }));
    tell.push_back(milliseconds([&] {
      for (const BlockChange& change : diff->pages().blocks) {
        if (change.kind == ChangeKind::same) continue;
        (void)diff->around(change);
        WorkLimit limit;
        (void)compare_words(diff->pages().text_before(change), diff->pages().text_after(change), limit);
      }
    }));
  }
  if (read.empty()) return 1;
  std::printf(
      "%zu pairs; medians in ms: reading both pages %.2f, that and comparing %.2f, labels and words %.2f, edits %.2f\n",
      read.size(), median(read), median(compare), median(tell), median(edit));
}
