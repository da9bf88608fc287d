// A capture as a WARC record: the reverse of what the import does (docs/format.md, "Captures from WARC").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/snapshot.h"
#include "transfer/export_selection.h"
#include "warc/warc_writer.h"

namespace blockarch {

// What the metadata of a capture says about its record.
struct RecordFacts {
  std::optional<std::string> head;  // the stored HTTP head: then it is a response
  std::string content_type;         // of the record, where it is more than the media type
  std::string type;                 // of the record, where it is not what `head` says
  std::string profile;              // of a revisit
  std::string record_id;            // of the original record, where the import was exact
  HeaderFields fields;              // all other fields of the record
};

// Of a capture, or of a record of another kind that an exact import has kept.
RecordFacts record_facts(const Metadata& metadata, bool is_capture = true);

// "warc-ip-address" → "WARC-IP-Address"
std::string warc_field_name(std::string_view key);

// A page as it stands in a record.
struct RecordPage {
  PageFacts version;
  std::uint64_t payload_size = 0;
  Bytes head;                   // of HTTP, with the empty line; empty where there is none
  ByteView body;                // valid until the next page is made
  std::uint64_t body_size = 0;  // without chunking
  std::string payload_digest;
  int status = 0;         // of HTTP
  std::string mime_type;  // as the head says, else the version's
};

// Keeps the last page, since captures that follow each other most often show the same.
class RecordPages {
 public:
  explicit RecordPages(const Snapshot& snapshot) : snapshot_(snapshot) {}

  // With a stored head, the body is encoded as it says: the same bytes for the same page and build. `wire` is the body
  // as it stood in the record, where it is known.
  Result<RecordPage> make(const VersionId& version, const std::optional<std::string>& head,
                          const std::optional<VersionId>& wire = std::nullopt);

  // The type of a record without HTTP head, such that an import finds the version's media type and charset again.
  Result<std::string> content_type(const VersionId& version);

 private:
  struct Coding {
    std::vector<std::string> content;
    bool chunked = false;
    bool operator==(const Coding&) const = default;
  };

  Result<void> load(const VersionId& version);
  void encode(const Coding& coding);
  Result<RecordPage> make_of_wire(const VersionId& wire, RecordPage page, std::string_view head);

  const Snapshot& snapshot_;
  std::optional<VersionId> loaded_;
  PageFacts version_;
  Bytes bytes_;
  std::optional<Coding> coding_;  // of what follows
  Bytes coded_;                   // without chunking
  Bytes chunked_;
  bool is_coded_ = false;
  std::string digest_;
  Bytes wire_;
};

}  // namespace blockarch
