// An archive on disk, opened for reading or writing.
//
//   auto archive = Archive::open("pages.ba");
//   auto snapshot = archive->snapshot();                     // a consistent view; any number at once
//   auto writer = archive->writer({.wait = 10s});            // one in the world at a time
//
// Archive is safe to use from many threads; a Snapshot or a Writer belongs to one thread at a time. Both must end
// before the Archive does. Many processes may read beside one that writes.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/result.h"

namespace blockarch {

class FileSystem;
class Snapshot;
class Writer;

struct OpenOptions {
  FileSystem* files = nullptr;  // for tests; null = the operating system's
};

struct WriterOptions {
  // How long to wait for another writer to finish, before error `locked`.
  std::chrono::milliseconds wait{10'000};
};

class Archive {
 public:
  // Makes an empty archive in a directory that is missing or empty (its parent must exist). Fails with `invalid` where
  // one is there already or the directory holds other files. A crash half-way leaves a directory where create() can be
  // called again.
  static Result<void> create(const std::string& directory, const OpenOptions& options = {});

  // no_archive where there is none; unsupported for a newer format; corrupt where it is damaged.
  static Result<Archive> open(const std::string& directory, const OpenOptions& options = {});

  Archive(Archive&&) noexcept;
  Archive& operator=(Archive&&) noexcept;
  ~Archive();

  const std::string& directory() const;

  // Everything that is committed now.
  Result<Snapshot> snapshot() const;

  // Error `locked` where another writer does not finish in time.
  Result<Writer> writer(const WriterOptions& options = {});

  struct Impl;
  Impl& impl() const { return *impl_; }  // for engine/ itself

 private:
  explicit Archive(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace blockarch
