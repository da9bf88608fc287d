// Order inside the transaction: objects, then numbers and indexes, then histories. It is one LMDB transaction, so a crash
// leaves all of it or nothing.
#include <algorithm>

#include "engine/writer_impl.h"
#include "refs/payload_index.h"

namespace blockarch {

Result<std::vector<CaptureOutcome>> Writer::Impl::commit() {
  std::vector<CaptureOutcome> outcomes;
  const auto written =
      hot->lmdb.write([&](WriteTransaction& transaction) { return write_batch(transaction, outcomes); });
  clear_batch();
  hot->lmdb.release_memory();
  if (!written) {
    bases.clear();
    return written.error();
  }
  return outcomes;
}

Result<void> Writer::Impl::write_batch(WriteTransaction& transaction, std::vector<CaptureOutcome>& outcomes) const {
  outcomes.clear();
  const View view(transaction, hot->tables(), packs);
  BA_TRY(write_objects(transaction, view));
  std::vector<VersionNumber> numbers;
  for (const PendingVersion& version : versions) {
    BA_ASSIGN(const VersionNumber number, write_version(transaction, view, version));
    numbers.push_back(number);
  }
  std::vector<bool> counted(versions.size(), false);
  for (const PendingCapture& capture : captures) {
    BA_ASSIGN(CaptureOutcome outcome, write_capture(transaction, view, capture, numbers[capture.version]));
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

// In order of their ids, so that each page of the table is gone to once.
Result<void> Writer::Impl::write_objects(WriteTransaction& transaction, const View& view) const {
  std::vector<const LooseObject*> objects;
  for (const PendingVersion& version : versions) {
    if (version.number) continue;
    for (const LooseObject& object : version.objects) objects.push_back(&object);
  }
  std::sort(objects.begin(), objects.end(),
            [](const LooseObject* a, const LooseObject* b) { return a->id.hash < b->id.hash; });
  for (const LooseObject* object : objects) {
    BA_TRY(transaction.put_new(view.tables.objects, object->id.hash.view(), object->value));
  }
  return {};
}

Result<VersionNumber> Writer::Impl::write_version(WriteTransaction& transaction, const View& view,
                                                  const PendingVersion& version) const {
  if (version.number) return *version.number;
  BA_ASSIGN(const VersionNumber number,
            append_number(transaction, view.tables.version_numbers, version.id, packed_versions));
  BA_TRY(add_payload(transaction, view.tables.payloads, version.version.payload_hash, number));
  return number;
}

Result<CaptureOutcome> Writer::Impl::write_capture(WriteTransaction& transaction, const View& view,
                                                   const PendingCapture& capture, VersionNumber number) const {
  const PendingVersion& version = versions[capture.version];
  CaptureOutcome outcome;
  outcome.time = capture.time;
  outcome.version = version.id;
  outcome.payload_size = version.version.payload_size;

  BA_ASSIGN(const UrlNumber url, add_url(transaction, view.tables, capture.url));
  BA_TRY(set_url_metadata(transaction, view.tables, url, capture.url_metadata));
  std::optional<Observation> before;
  {
    BA_ASSIGN(HistoryCursor cursor, HistoryCursor::open(transaction, view.tables, url));
    BA_ASSIGN(before, cursor.as_of(capture.time));
  }
  BA_ASSIGN(const bool known, has_observation(transaction, view.tables, url, capture.time, number));
  if (known) {
    outcome.change = CaptureChange::duplicate;
    return outcome;
  }
  BA_ASSIGN(outcome.change, compare(view, before, number, version.version.payload_hash));
  BA_ASSIGN(const auto metadata, write_metadata(transaction, view, capture, before));
  BA_TRY(insert_observation(transaction, view.tables, url, {capture.time, number, metadata}));
  return outcome;
}

// The base may belong to a capture that turned out to be a duplicate and was not written, or the same metadata may have
// been stored before as another difference, so that the chain below it is longer than it was thought to be.
Result<bool> Writer::Impl::fits_base(const View& view, ByteView value) const {
  BA_ASSIGN(const LooseStore::Stored stored, LooseStore::describe(value));
  if (!stored.base) return true;
  BA_ASSIGN(const auto base_value, view.transaction().get(view.tables.objects, stored.base->view()));
  if (!base_value) return view.objects.is_packed(*stored.base);
  const auto base = LooseStore::describe(*base_value);
  return base.has_value() && base->depth < stored.depth;
}

Result<std::optional<MetadataNumber>> Writer::Impl::write_metadata(WriteTransaction& transaction, const View& view,
                                                                   const PendingCapture& capture,
                                                                   const std::optional<Observation>& before) const {
  if (!capture.metadata) return std::optional<MetadataNumber>();
  const MetadataId id{capture.metadata->id.hash};
  if (before && before->metadata) {
    BA_ASSIGN(const MetadataId same, view.metadata_id(*before->metadata));
    if (same == id) return before->metadata;
  }
  BA_ASSIGN(const bool fits, fits_base(view, capture.metadata->value));
  const Bytes whole = fits ? Bytes() : make_loose_object(id, capture.metadata_content).value;
  BA_TRY(transaction.put_new(view.tables.objects, id.hash.view(), fits ? capture.metadata->value : whole));
  BA_ASSIGN(const MetadataNumber number, append_number(transaction, view.tables.metadata_numbers, id, packed_metadata));
  return std::optional<MetadataNumber>(number);
}

// Two versions of the same bytes (cut differently) are no change of the page.
Result<CaptureChange> Writer::Impl::compare(const View& view, const std::optional<Observation>& before,
                                            VersionNumber number, const Hash256& payload) const {
  if (!before) return CaptureChange::first;
  if (before->version == number) return CaptureChange::unchanged;
  // A damaged neighbour does not keep a capture out; it counts as other bytes.
  const auto facts = view.facts(before->version);
  const bool same = facts.has_value() && facts->payload_head == head_of(payload);
  return same ? CaptureChange::unchanged : CaptureChange::changed;
}

}  // namespace blockarch
