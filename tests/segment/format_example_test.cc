// The examples of docs/format.md are what the code does.
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <sstream>

#include "objects/block_list.h"
#include "objects/metadata.h"
#include "objects/version.h"
#include "segment/split.h"

using namespace blockarch;

TEST_CASE("the ids in docs/format.md are those of the page it describes") {
  std::ifstream file(BLOCKARCH_SOURCE_DIR "/docs/format.md");
  std::ostringstream text;
  text << file.rdbuf();
  const auto documented = [&](const Hash256& id) { return text.str().find("id " + id.hex()) != std::string::npos; };

  const std::string page = "<ul><li>one</li><li>two</li></ul>\n";
  Segmentation segmentation;
  segmentation.regions = {{0, 34, kNoParent, 0, ""}, {4, 16, 0, 1, ""}, {16, 28, 0, 1, ""}};
  const SplitPage split = split_page(page, segmentation);
  REQUIRE(split.objects.size() == 2);
  CHECK(documented(split.objects[0].id.hash));

  const Version version{{blake3(page), page.size(), "text/html", "utf-8", "auto", 0},
                        id_of(split.layout),
                        {hash_object(ObjectKind::tree, encode_block_tree(split.tree))}};
  CHECK(documented(version.layout.hash));
  CHECK(documented(version.tree.hash));
  CHECK(documented(id_of(version).hash));

  const BlockList list{{{BlockId{split.objects[0].id.hash}, 12}, {BlockId{split.objects[1].id.hash}, 12}}};
  CHECK(documented(hash_object(ObjectKind::list, encode_block_list(list))));
  CHECK(documented(id_of(make_metadata({{"status", "200"}}).value()).hash));
}
