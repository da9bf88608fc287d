#include "history/lineage.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "objects/memory_store.h"

namespace blockarch {
namespace {

// Blocks by their content; each is its own size.
Leaves leaves(MemoryStore& store, const std::vector<std::string>& contents) {
  Leaves out;
  for (const std::string& content : contents)
    out.push_back({{ObjectKind::block, store.put(ObjectKind::block, content)}, content.size()});
  return out;
}

// "same 0, changed 1, added": what each block of `newer` was.
std::string matched(const std::vector<std::string>& older, const std::vector<std::string>& newer) {
  MemoryStore store;
  ContentSimilarity similarity(store, 1000);
  std::string text;
  for (const LeafMatch& match : match_leaves(leaves(store, older), leaves(store, newer), std::ref(similarity))) {
    if (!text.empty()) text += ", ";
    if (match.older == kNoLeaf)
      text += "added";
    else
      text += (match.same ? "same " : "changed ") + std::to_string(match.older);
  }
  return text;
}

}  // namespace

TEST_CASE("blocks that stayed match by id, wherever they stand") {
  CHECK(matched({"a", "b", "c"}, {"a", "b", "c"}) == "same 0, same 1, same 2");
  CHECK(matched({"a", "b", "c"}, {"c", "a", "b"}) == "same 2, same 0, same 1");
  CHECK(matched({"a", "a", "b"}, {"b", "a", "a"}) == "same 2, same 0, same 1");
  CHECK(matched({}, {"a"}) == "added");
  CHECK(matched({"a"}, {}).empty());
}

TEST_CASE("a block in the place of a single one is that block, changed") {
  CHECK(matched({"a", "old words", "c"}, {"a", "other text", "c"}) == "same 0, changed 1, same 2");
  CHECK(matched({"old"}, {"new"}) == "changed 0");
  CHECK(matched({"old", "b"}, {"new", "b"}) == "changed 0, same 1");
  CHECK(matched({"b", "old"}, {"b", "new"}) == "same 0, changed 1");
}

TEST_CASE("added blocks are told from changed ones by their words") {
  CHECK(matched({"x", "one two three four", "y"}, {"x", "something quite different", "one two three five", "y"}) ==
        "same 0, added, changed 1, same 2");
  CHECK(matched({"x", "one two three four", "y"}, {"x", "one two three five", "something quite different", "y"}) ==
        "same 0, changed 1, added, same 2");
  CHECK(matched({"x", "alpha beta gamma", "one two three four", "y"}, {"x", "one two three five", "y"}) ==
        "same 0, changed 2, same 3");
}

TEST_CASE("an added block between others takes nobody's place") {
  CHECK(matched({"a", "b"}, {"a", "new", "b"}) == "same 0, added, same 1");
  CHECK(matched({"a", "gone", "b"}, {"a", "b"}) == "same 0, same 2");
}

TEST_CASE("a changed block beside one that moved away keeps its place") {
  CHECK(matched({"a", "b", "one two", "c"}, {"b", "one three", "c", "a"}) == "same 1, changed 2, same 3, same 0");
}

TEST_CASE("no older block is matched twice") {
  const std::vector<std::string> older = {"a", "k l", "m n", "b", "o p", "c"};
  const std::vector<std::string> newer = {"c", "k l x", "a", "m n x", "o p x", "b", "q"};
  MemoryStore store;
  std::vector<bool> taken(older.size());
  for (const LeafMatch& match : match_leaves(leaves(store, older), leaves(store, newer))) {
    if (match.older == kNoLeaf) continue;
    CHECK_FALSE(taken[match.older]);
    taken[match.older] = true;
  }
}

TEST_CASE("without a budget lengths decide") {
  MemoryStore store;
  ContentSimilarity similarity(store, 0);
  const Leaves older = leaves(store, {"1234567890"});
  const Leaves newer = leaves(store, {"123", "123456789"});
  CHECK(similarity(older[0], newer[1]) == size_similarity(older[0], newer[1]));
  const auto matches = match_leaves(older, newer, std::ref(similarity));
  CHECK(matches[0].older == kNoLeaf);
  CHECK(matches[1].older == 0);
}

TEST_CASE("a hundred thousand equal blocks are matched in no time") {
  MemoryStore store;
  Leaves many(100'000, leaves(store, {"x"})[0]);
  Leaves shifted = many;
  shifted.front() = leaves(store, {"y"})[0];
  shifted.back() = leaves(store, {"z"})[0];
  const auto matches = match_leaves(many, shifted);
  CHECK(matches[1].same);
  CHECK_FALSE(matches.front().same);
}

}  // namespace blockarch
