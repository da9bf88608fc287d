#include "base/lmdb_meta.h"

#include <lmdb.h>
#include <unistd.h>

namespace blockarch::lmdb_detail {

MetaPageKeeper::MetaPageKeeper(MDB_env* env, std::uint64_t transaction) {
  constexpr std::uint64_t kMetaPages = 2;  // used by turns
  MDB_stat stat;
  int descriptor = -1;
  if (mdb_env_stat(env, &stat) != MDB_SUCCESS || mdb_env_get_fd(env, &descriptor) != MDB_SUCCESS) return;
  offset_ = static_cast<std::int64_t>(transaction % kMetaPages * stat.ms_psize);
  const ssize_t read = ::pread(descriptor, bytes_.data(), bytes_.size(), offset_);
  if (read == static_cast<ssize_t>(bytes_.size())) descriptor_ = descriptor;
}

void MetaPageKeeper::put_back() const {
  if (descriptor_ == -1) return;
  std::array<char, sizeof bytes_> now;
  if (::pread(descriptor_, now.data(), now.size(), offset_) == static_cast<ssize_t>(now.size()) && now == bytes_)
    return;
  [[maybe_unused]] const ssize_t written = ::pwrite(descriptor_, bytes_.data(), bytes_.size(), offset_);
}

}  // namespace blockarch::lmdb_detail
