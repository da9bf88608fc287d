// Two versions of an archive compared: the pages read, their blocks matched, and where each change stands.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "engine/names.h"
#include "engine/snapshot.h"
#include "history/meaning.h"
#include "history/page_diff.h"
#include "history/significance_rules.h"
#include "segment/describe.h"

namespace blockarch {

struct DiffSide {
  std::string url;           // empty where the version was named by its id
  std::optional<Time> time;  // of the capture
  VersionId id;
  PageFacts version;
  Bytes bytes;
};

// What a change stands in: the innermost visible block around it. A page's own head has the label `data`.
struct Surrounding {
  BlockLabel label = BlockLabel::none;
  std::string topic;
  std::string path;  // of the changed block itself
};

// What is to be left out of a diff.
struct DiffFilter {
  const SignificanceRules* rules = nullptr;  // null: nothing
  SignificanceOptions significance;
};

class VersionDiff {
 public:
  // invalid where a name stands for something else than a page. With rules, blocks that are or differ by noise only count
  // as the same or are left out; of any basis but `source`, so does all that a reader does not see.
  static Result<std::unique_ptr<VersionDiff>> make(const Snapshot& snapshot, const Named& before, const Named& after,
                                                   const DiffFilter& filter = {});
  VersionDiff(const VersionDiff&) = delete;
  VersionDiff& operator=(const VersionDiff&) = delete;

  const DiffSide& before() const { return before_; }
  const DiffSide& after() const { return after_; }
  const PageDiff& pages() const { return pages_; }

  // Pages that have nothing in common in how they are read: HTML and an image. Their blocks are all removed and added.
  bool types_differ() const;

  // There is a difference, noise aside where rules were given.
  bool any() const { return any_; }
  // The pages differ, but only in what the rules leave out.
  bool only_noise() const { return !any_ && before_.version.payload_hash != after_.version.payload_hash; }

  // On the new page, for what was removed on the old one. Labels and topics are found when first asked for.
  Surrounding around(const BlockChange& change);
  // Visible blocks of a page, outermost first.
  const std::vector<DescribedBlock>& visible_before();
  const std::vector<DescribedBlock>& visible_after();

 private:
  VersionDiff() = default;
  void leave_out_unseen(const DiffFilter& filter);

  DiffSide before_;
  DiffSide after_;
  PageDiff pages_;
  bool any_ = false;
  std::optional<std::vector<DescribedBlock>> visible_before_;
  std::optional<std::vector<DescribedBlock>> visible_after_;
};

// The version that a capture changed from. not_found where it is the first.
Result<CaptureInfo> version_before(const Snapshot& snapshot, const CaptureInfo& capture);

}  // namespace blockarch
