#include "history/page_edits.h"

#include <catch2/catch_test_macros.hpp>
#include <random>

namespace blockarch {
namespace {

std::vector<PageEdit> edits_between(ByteView before, ByteView after, const std::string& type,
                                    const std::string& charset, WorkLimit limit = {}) {
  const PageDiff diff =
      diff_pages(before, read_page_blocks(before, type, charset), after, read_page_blocks(after, type, charset), limit);
  return page_edits(diff, limit);
}

void require_exact(ByteView before, ByteView after, const std::string& type, const std::string& charset,
                   WorkLimit limit = {}) {
  const auto edits = edits_between(before, after, type, charset, limit);
  const auto applied = apply_edits(before, edits, after);
  REQUIRE(applied);
  REQUIRE(*applied == after);
}

TEST_CASE("a block that moved is copied from where it stood") {
  const std::string a = "<p>" + std::string(200, 'a') + "</p>";
  const std::string b = "<p>" + std::string(100, 'b') + "</p>";
  const auto edits = edits_between(a + b, b + a, "text/html", "utf-8");
  CHECK(edits == std::vector<PageEdit>{{true, 207, 314}, {true, 0, 207}});
}

TEST_CASE("one word costs one insertion") {
  const std::string before = "<p>The fee for a berth is twelve euros a night from June to September.</p>";
  const std::string after = "<p>The fee for a berth is fifteen euros a night from June to September.</p>";
  const auto edits = edits_between(before, after, "text/html", "utf-8");
  REQUIRE(edits.size() == 3);
  CHECK_FALSE(edits[1].copy);
  CHECK(edits[1].end - edits[1].begin <= 7);
}

TEST_CASE("random pages, random edits, any type: the edits give the new bytes") {
  std::mt19937 random(11);
  const std::vector<std::string> parts = {"<p>",  "</p>", "<div>", "</div>", "word ",    "<li>x</li>", "\n",
                                          "<td>", "<br>", "<b>",   "</b>",   "&amp;",    "\xff\xfe",   "<!-- c -->",
                                          "é",    "<",    ">",     "<tr>",   "<script>", "</script>",  "text here "};
  const auto make = [&](std::size_t size) {
    std::vector<std::string> list;
    for (std::size_t i = 0; i < size; ++i) list.push_back(parts[random() % parts.size()]);
    return list;
  };
  const auto joined = [](const std::vector<std::string>& list) {
    std::string text;
    for (const auto& part : list) text += part;
    return text;
  };
  for (int round = 0; round < 300; ++round) {
    auto list = make(random() % 200);
    const std::string before = joined(list);
    for (int edit = 0; edit < 5; ++edit) {
      const std::size_t at = list.empty() ? 0 : random() % list.size();
      if (edit % 2 == 0) {
        const auto more = make(random() % 8);
        list.insert(list.begin() + static_cast<std::ptrdiff_t>(at), more.begin(), more.end());
      } else if (!list.empty()) {
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
      }
    }
    const std::string after = joined(list);
    require_exact(before, after, "text/html", "utf-8");
    require_exact(before, after, "text/plain", "utf-8");
    require_exact(before, after, "application/octet-stream", "");
    require_exact(before, after, "text/html", "utf-8", WorkLimit{1000});
  }
}

TEST_CASE("a limit of nothing is still exact") {
  const std::string before = "<p>one two three</p><p>four five six seven</p><ul><li>a<li>b<li>c</ul>";
  const std::string after = "<ul><li>c<li>a<li>b</ul><p>four 5 six seven</p><p>one two three</p>";
  require_exact(before, after, "text/html", "utf-8", WorkLimit{0});
}

TEST_CASE("an edit beyond the page is refused") {
  CHECK_FALSE(apply_edits("abc", {{true, 0, 4}}, ""));
  CHECK_FALSE(apply_edits("abc", {{false, 0, 1}}, ""));
  CHECK_FALSE(apply_edits("abc", {{true, 2, 1}}, ""));
}

}  // namespace
}  // namespace blockarch
