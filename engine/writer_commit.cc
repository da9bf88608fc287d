// Order inside the transaction: objects, then numbers and indexes, then histories. It is one LMDB transaction, so a crash
// leaves all of it or nothing.
#include "engine/writer_impl.h"
#include "refs/payload_index.h"

namespace blockarch {

Result<std::vector<CaptureOutcome>> Writer::Impl::commit() {
  std::vector<CaptureOutcome> outcomes;
  const auto written =
      archive.lmdb.write([&](WriteTransaction& transaction) { return write_batch(transaction, outcomes); });
  clear_batch();
  if (!written) {
    bases.clear();
    return written.error();
  }
  return outcomes;
}

Result<void> Writer::Impl::write_batch(WriteTransaction& transaction, std::vector<CaptureOutcome>& outcomes) const {
  outcomes.clear();
  std::vector<VersionNumber> numbers;
  for (const PendingVersion& version : versions) {
    BA_ASSIGN(const VersionNumber number, write_version(transaction, version));
    numbers.push_back(number);
  }
  std::vector<bool> counted(versions.size(), false);
  for (const PendingCapture& capture : captures) {
    BA_ASSIGN(CaptureOutcome outcome, write_capture(transaction, capture, numbers[capture.version]));
    // New objects are counted for the first capture that brought them.
    const PendingVersion& version = versions[capture.version];
    outcome.known_page = version.number || counted[capture.version];
    if (!counted[capture.version]) {
      outcome.new_objects = version.objects.size();
      for (const LooseObject& object : version.objects) outcome.new_stored_bytes += object.value.size();
    }
    counted[capture.version] = true;
    outcomes.push_back(outcome);
  }
  return {};
}

Result<VersionNumber> Writer::Impl::write_version(WriteTransaction& transaction, const PendingVersion& version) const {
  if (version.number) return *version.number;
  for (const LooseObject& object : version.objects) {
    BA_TRY(transaction.put_new(archive.tables.objects, object.id.hash.view(), object.value));
  }
  BA_ASSIGN(const VersionNumber number, append_number(transaction, archive.tables.version_numbers, version.id));
  BA_TRY(add_payload(transaction, archive.tables.payloads, version.version.payload_hash, number));
  return number;
}

Result<CaptureOutcome> Writer::Impl::write_capture(WriteTransaction& transaction, const PendingCapture& capture,
                                                   VersionNumber number) const {
  const PendingVersion& version = versions[capture.version];
  CaptureOutcome outcome;
  outcome.time = capture.time;
  outcome.version = version.id;
  outcome.payload_size = version.version.payload_size;

  BA_ASSIGN(const UrlNumber url, add_url(transaction, archive.tables, capture.url));
  BA_TRY(set_url_metadata(transaction, archive.tables, url, capture.url_metadata));
  std::optional<Observation> before;
  {
    BA_ASSIGN(HistoryCursor cursor, HistoryCursor::open(transaction, archive.tables, url));
    BA_ASSIGN(before, cursor.as_of(capture.time));
  }
  BA_ASSIGN(const bool known, has_observation(transaction, archive.tables, url, capture.time, number));
  if (known) {
    outcome.change = CaptureChange::duplicate;
    return outcome;
  }
  BA_ASSIGN(outcome.change, compare(transaction, before, number, version.version.payload_hash));
  BA_ASSIGN(const auto metadata, write_metadata(transaction, capture, before));
  BA_TRY(insert_observation(transaction, archive.tables, url, {capture.time, number, metadata}));
  return outcome;
}

// The base may belong to a capture that turned out to be a duplicate and was not written, or the same metadata may have
// been stored before as another difference, so that the chain below it is not as long as it was thought to be.
Result<bool> Writer::Impl::fits_base(const ReadTransaction& transaction, ByteView value) const {
  BA_ASSIGN(const LooseStore::Stored stored, LooseStore::describe(value));
  if (!stored.base) return true;
  BA_ASSIGN(const auto base_value, transaction.get(archive.tables.objects, stored.base->view()));
  if (!base_value) return false;
  const auto base = LooseStore::describe(*base_value);
  return base.has_value() && base->depth + 1 == stored.depth;
}

Result<std::optional<MetadataNumber>> Writer::Impl::write_metadata(WriteTransaction& transaction,
                                                                   const PendingCapture& capture,
                                                                   const std::optional<Observation>& before) const {
  if (!capture.metadata) return std::optional<MetadataNumber>();
  const MetadataId id{capture.metadata->id.hash};
  if (before && before->metadata) {
    BA_ASSIGN(const MetadataId same, id_of_number(transaction, archive.tables.metadata_numbers, *before->metadata));
    if (same == id) return before->metadata;
  }
  BA_ASSIGN(const bool fits, fits_base(transaction, capture.metadata->value));
  const Bytes whole = fits ? Bytes() : make_loose_object(id, capture.metadata_content).value;
  BA_TRY(transaction.put_new(archive.tables.objects, id.hash.view(), fits ? capture.metadata->value : whole));
  BA_ASSIGN(const MetadataNumber number, append_number(transaction, archive.tables.metadata_numbers, id));
  return std::optional<MetadataNumber>(number);
}

// Two versions of the same bytes (cut differently) are no change of the page.
Result<CaptureChange> Writer::Impl::compare(const ReadTransaction& transaction,
                                            const std::optional<Observation>& before, VersionNumber number,
                                            const Hash256& payload) const {
  if (!before) return CaptureChange::first;
  if (before->version == number) return CaptureChange::unchanged;
  BA_ASSIGN(const VersionId id, id_of_number(transaction, archive.tables.version_numbers, before->version));
  const auto version = load_version(LooseStore(transaction, archive.tables.objects), id);
  // A damaged neighbour does not keep a capture out; it counts as other bytes.
  const bool same = version.has_value() && version->payload_hash == payload;
  return same ? CaptureChange::unchanged : CaptureChange::changed;
}

}  // namespace blockarch
