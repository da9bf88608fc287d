// One moment of an archive, wherever its objects are. Private to engine/.
#pragma once

#include <vector>

#include "base/lmdb.h"
#include "objects/metadata.h"
#include "pack/object_store.h"
#include "refs/number_table.h"
#include "refs/tables.h"

namespace blockarch {

class View {
 public:
  // The transaction must outlive this.
  View(const ReadTransaction& transaction, const Tables& known, PackList packs)
      : tables(known), objects(transaction, known.objects, std::move(packs)), transaction_(transaction) {}

  const Tables tables;
  const ObjectStore objects;
  const ReadTransaction& transaction() const { return transaction_; }

  Result<VersionId> version_id(VersionNumber number) const;
  Result<MetadataId> metadata_id(MetadataNumber number) const;
  Result<Metadata> metadata(MetadataNumber number) const;
  Result<Bytes> metadata_content(MetadataNumber number) const;

  // Without reading the page.
  Result<VersionFacts> facts(VersionNumber number) const;
  Result<VersionFacts> facts(const VersionId& id) const;
  // The whole hash of a version's payload; costs reading the page where it is packed.
  Result<Hash256> payload_hash(VersionNumber number) const;

  // Versions whose payload hash begins as this one does; oldest first.
  Result<std::vector<VersionNumber>> find_payload(const Hash256& payload) const;

  // How many numbers were ever given.
  Result<std::uint32_t> version_count() const;
  Result<std::uint32_t> metadata_count() const;

 private:
  const ReadTransaction& transaction_;
};

VersionFacts facts_of(const Version& version);

}  // namespace blockarch
