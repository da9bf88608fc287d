// How often URLs and the blocks of a page change, from the captures in the archive.
#pragma once

#include <functional>
#include <vector>

#include "engine/snapshot.h"
#include "history/blame.h"
#include "history/rate_estimate.h"

namespace blockarch {

struct RateSpan {
  std::optional<Time> since;
  std::optional<Time> until;
};

struct UrlRate {
  RateEstimate estimate;
  Time first;
  Time last;
};

// From all captures of the URL in the span; a capture counts as changed where its bytes differ from those before it.
Result<UrlRate> rate_of(const Snapshot& snapshot, UrlNumber url, const RateSpan& span = {});

// For each block of the page: how often its place changes, since there is such a place. In the order of `page.blocks`.
struct BlockRates {
  Blame page;
  std::vector<RateEstimate> rates;
};
Result<BlockRates> block_rates(const Snapshot& snapshot, const CaptureInfo& capture);

}  // namespace blockarch
