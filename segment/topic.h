// What a block is about, in a few words: found where something in it stands out, else extracted from its words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "segment/auto.h"

namespace blockarch {

struct TopicOptions {
  std::uint32_t theta = 10;   // a topic has at most this many words
  std::uint32_t delta = 20;   // a text of fewer words is trimmed instead of counted
  std::uint32_t epsilon = 1;  // a counted word must occur more often than this
};

// A function of the bytes alone (with their charset and markup): the same content has the same topic wherever it
// stands. Only the first 4 KiB are looked at. UTF-8 on one line; empty where there are no words.
//   Found: the first heading of the highest rank; else the text in the largest font; else a short line at the top with
//   text after it; else the text in a colour of its own.
//   Extracted: of fewer than delta words the first theta that are no stop words; else the words that occur more than
//   epsilon times by their stems, at most theta, in the order of the text.
// A found text of more than theta words is trimmed in the same way.
std::string find_topic(ByteView block, std::string_view charset, Markup markup, const TopicOptions& options);

}  // namespace blockarch
