// Every kind of finding there is, in one place. docs/fsck.md says of each what it means and what to do; a test keeps the
// two lists equal. Ids never change their meaning.
#pragma once

#include <span>
#include <string_view>

#include "fsck/fsck.h"

namespace blockarch {

struct FindingKind {
  std::string_view id;
  Severity severity;
};

namespace findings {

// Files of the archive.
inline constexpr FindingKind kFormatDamaged{"format-damaged", Severity::damage};
inline constexpr FindingKind kCurrentDamaged{"current-damaged", Severity::damage};
inline constexpr FindingKind kHotMissing{"hot-missing", Severity::damage};
inline constexpr FindingKind kTmpLeftover{"tmp-leftover", Severity::notice};
inline constexpr FindingKind kFileUnknown{"file-unknown", Severity::notice};

// Pages and tables of hot.mdb.
inline constexpr FindingKind kHotPageDamaged{"hot-page-damaged", Severity::damage};
inline constexpr FindingKind kHotPageLeaked{"hot-page-leaked", Severity::notice};
inline constexpr FindingKind kTableMissing{"table-missing", Severity::damage};
inline constexpr FindingKind kTableUnknown{"table-unknown", Severity::damage};

// Packs.
inline constexpr FindingKind kPackEntryDamaged{"pack-entry-damaged", Severity::damage};
inline constexpr FindingKind kPackMissing{"pack-missing", Severity::damage};
inline constexpr FindingKind kPackUnlisted{"pack-unlisted", Severity::notice};
inline constexpr FindingKind kPackMisnamed{"pack-misnamed", Severity::damage};
inline constexpr FindingKind kPackDamaged{"pack-damaged", Severity::damage};
inline constexpr FindingKind kPackFrameDamaged{"pack-frame-damaged", Severity::damage};
inline constexpr FindingKind kPackRecipeWrong{"pack-recipe-wrong", Severity::damage};
inline constexpr FindingKind kPackIndexWrong{"pack-index-wrong", Severity::derived};

// Objects, each by itself.
inline constexpr FindingKind kObjectDamaged{"object-damaged", Severity::damage};
inline constexpr FindingKind kObjectMalformed{"object-malformed", Severity::damage};
inline constexpr FindingKind kObjectBaseMissing{"object-base-missing", Severity::damage};
inline constexpr FindingKind kObjectDepthWrong{"object-depth-wrong", Severity::damage};
inline constexpr FindingKind kObjectUnreferenced{"object-unreferenced", Severity::notice};

// What objects say of each other.
inline constexpr FindingKind kReferenceMissing{"reference-missing", Severity::damage};
inline constexpr FindingKind kReferenceWrongKind{"reference-wrong-kind", Severity::damage};
inline constexpr FindingKind kReferenceWrongSize{"reference-wrong-size", Severity::damage};
inline constexpr FindingKind kVersionInconsistent{"version-inconsistent", Severity::damage};
inline constexpr FindingKind kPageDiffers{"page-differs", Severity::damage};

// What that costs: captures that cannot be had back.
inline constexpr FindingKind kVersionUnreadable{"version-unreadable", Severity::damage};
inline constexpr FindingKind kMetadataUnreadable{"metadata-unreadable", Severity::damage};

// Numbers of versions and metadata.
inline constexpr FindingKind kNumberDamaged{"number-damaged", Severity::damage};
inline constexpr FindingKind kNumberMissing{"number-missing", Severity::damage};
inline constexpr FindingKind kNumberDangling{"number-dangling", Severity::damage};
inline constexpr FindingKind kNumberConflict{"number-conflict", Severity::damage};

// URLs.
inline constexpr FindingKind kUrlDamaged{"url-damaged", Severity::derived};
inline constexpr FindingKind kUrlMismatch{"url-mismatch", Severity::derived};
inline constexpr FindingKind kUrlRecordDamaged{"url-record-damaged", Severity::damage};
inline constexpr FindingKind kUrlRecordMissing{"url-record-missing", Severity::damage};
inline constexpr FindingKind kUrlWithoutHistory{"url-without-history", Severity::damage};

// Histories.
inline constexpr FindingKind kHistoryDamaged{"history-damaged", Severity::damage};
inline constexpr FindingKind kHistoryMisordered{"history-misordered", Severity::damage};
inline constexpr FindingKind kHistoryVersionMissing{"history-version-missing", Severity::damage};
inline constexpr FindingKind kHistoryMetadataMissing{"history-metadata-missing", Severity::damage};
inline constexpr FindingKind kHistoryUrlMissing{"history-url-missing", Severity::damage};
inline constexpr FindingKind kRemovedDamaged{"removed-damaged", Severity::damage};
inline constexpr FindingKind kVersionUnobserved{"version-unobserved", Severity::notice};

// The rest of hot.mdb.
inline constexpr FindingKind kPayloadIndexMissing{"payload-index-missing", Severity::derived};
inline constexpr FindingKind kPayloadIndexWrong{"payload-index-wrong", Severity::derived};
inline constexpr FindingKind kTagDamaged{"tag-damaged", Severity::damage};
inline constexpr FindingKind kSettingDamaged{"setting-damaged", Severity::damage};

}  // namespace findings

// All of the above, in that order.
std::span<const FindingKind> all_finding_kinds();

}  // namespace blockarch
