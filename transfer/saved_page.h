// The notes that browsers leave in pages they save: where the page came from, and when.
#pragma once

#include <optional>
#include <string>

#include "base/bytes.h"
#include "base/time.h"

namespace blockarch {

struct SavedPageNote {
  std::string url;
  std::optional<Time> time;
};

// How far a note is looked for.
inline constexpr std::size_t kNoteWindow = 16 << 10;

// Of "Save page as" (<!-- saved from url=(0024)https://example.org/ -->, by Chromium and Internet Explorer) or SingleFile
// (<!-- Page saved with SingleFile, url: …, saved date: … -->). Only http and https.
std::optional<SavedPageNote> find_saved_page_note(ByteView page);

}  // namespace blockarch
