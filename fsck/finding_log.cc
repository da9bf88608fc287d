#include "fsck/finding_log.h"

#include <fmt/format.h>

#include <utility>

namespace blockarch {

std::span<const FindingKind> all_finding_kinds() {
  using namespace findings;
  static constexpr FindingKind kAll[] = {kFormatDamaged,       kCurrentDamaged,        kHotMissing,
                                         kTmpLeftover,         kFileUnknown,           kHotPageDamaged,
                                         kHotPageLeaked,       kTableMissing,          kTableUnknown,
                                         kPackEntryDamaged,    kPackMissing,           kPackUnlisted,
                                         kPackMisnamed,        kPackDamaged,           kPackFrameDamaged,
                                         kPackRecipeWrong,     kPackIndexWrong,        kObjectDamaged,
                                         kObjectMalformed,     kObjectBaseMissing,     kObjectDepthWrong,
                                         kObjectUnreferenced,  kReferenceMissing,      kReferenceWrongKind,
                                         kReferenceWrongSize,  kVersionInconsistent,   kPageDiffers,
                                         kVersionUnreadable,   kMetadataUnreadable,    kNumberDamaged,
                                         kNumberMissing,       kNumberDangling,        kNumberConflict,
                                         kUrlDamaged,          kUrlMismatch,           kUrlRecordDamaged,
                                         kUrlRecordMissing,    kUrlWithoutHistory,     kHistoryDamaged,
                                         kHistoryMisordered,   kHistoryVersionMissing, kHistoryMetadataMissing,
                                         kHistoryUrlMissing,   kRemovedDamaged,        kVersionUnobserved,
                                         kPayloadIndexMissing, kPayloadIndexWrong,     kTagDamaged,
                                         kSettingDamaged};
  return kAll;
}

void FindingLog::add(const FindingKind& kind, std::string message) {
  if (++counts_[kind.id] > kMaxFindingsOfKind) return;
  findings_.push_back({std::string(kind.id), kind.severity, std::move(message)});
}

std::vector<Finding> FindingLog::take() {
  for (const FindingKind& kind : all_finding_kinds()) {
    const auto count = counts_.find(kind.id);
    if (count == counts_.end() || count->second <= kMaxFindingsOfKind) continue;
    findings_.push_back({std::string(kind.id), kind.severity,
                         fmt::format("and {} more of this kind", count->second - kMaxFindingsOfKind)});
  }
  counts_.clear();
  return std::exchange(findings_, {});
}

}  // namespace blockarch
