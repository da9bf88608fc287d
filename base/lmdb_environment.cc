#include "base/lmdb_environment.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <lmdb.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/file.h"
#include "base/lmdb_maps.h"

namespace blockarch::lmdb_detail {
namespace {

constexpr std::uint64_t kMinMapSize = 64 << 10;
std::atomic<void (*)(const char*)> damage_handler = nullptr;

void report_damage(MDB_env* env, const char* message) {
  const auto handler = damage_handler.load();
  if (handler == nullptr) return;
  const char* path = nullptr;
  mdb_env_get_path(env, &path);
  handler(fmt::format("{}: archive damaged (LMDB: {})", path != nullptr ? path : "?", message).c_str());
}

std::uint64_t round_up(std::uint64_t size) {
  const auto unit = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return (size + unit - 1) / unit * unit;
}

// Whether the system still has that many addresses. Asked beforehand, because LMDB gives up its old map before it asks
// for the new one.
bool can_map(std::uint64_t size) {
  void* map = ::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED) return false;
  ::munmap(map, size);
  return true;
}

std::uint64_t first_map_size(const LmdbOptions& options, std::uint64_t used) {
  const std::uint64_t least = std::max(kMinMapSize, round_up(used));
  std::uint64_t size = std::max(round_up(options.initial_map_size), least * 2);
  size = std::max(std::min(size, options.max_map_size), least);
  while (size / 2 >= least && !can_map(size)) size = round_up(size / 2);
  return size;
}

// Opens the gate again on the way out.
class ClosedGate {
 public:
  ClosedGate(TransactionGate& gate, std::chrono::milliseconds wait) : gate_(gate), closed_(gate.close(wait)) {}
  ClosedGate(const ClosedGate&) = delete;
  ClosedGate& operator=(const ClosedGate&) = delete;
  ~ClosedGate() {
    if (closed_) gate_.open();
  }
  explicit operator bool() const { return closed_; }

 private:
  TransactionGate& gate_;
  bool closed_;
};

Error busy_error(const std::string& path) {
  return Error{ErrorCode::io,
               fmt::format("the map of {} cannot grow while transactions of this process are open", path)};
}

}  // namespace

Error lmdb_error(int rc, const std::string& what, const std::string& path) {
  if (rc == MDB_PANIC) {
    return Error{ErrorCode::io, fmt::format("cannot {} {}: it failed earlier and must be opened again", what, path)};
  }
  if (rc > 0) return system_error(rc, what, path);
  ErrorCode code = ErrorCode::io;
  switch (rc) {
    case MDB_BAD_TXN:  // an earlier call met a damaged page and LMDB has given the transaction up
    case MDB_CORRUPTED:
    case MDB_PAGE_NOTFOUND:
    case MDB_INVALID:
    case MDB_VERSION_MISMATCH:
    case MDB_INCOMPATIBLE:
      code = ErrorCode::corrupt;
      break;
    case MDB_MAP_FULL:
      code = ErrorCode::no_space;
      break;
    case MDB_BAD_VALSIZE:
      code = ErrorCode::invalid;
      break;
    default:
      break;
  }
  return Error{code, fmt::format("cannot {} {}: {}", what, path, mdb_strerror(rc))};
}

Environment::Environment(std::string file_path, const LmdbOptions& wanted)
    : path(std::move(file_path)), options(wanted) {}

Environment::~Environment() {
  forget_map();
  mdb_env_close(env);
}

Result<void> Environment::open(bool for_writing, std::uint64_t page_count, std::uint64_t page_size) {
  read_only = !for_writing;
  int rc = mdb_env_create(&env);
  if (rc == 0) rc = mdb_env_set_maxdbs(env, kMaxTables);
  if (rc == 0) rc = mdb_env_set_maxreaders(env, options.max_readers);
  if (rc == 0) rc = mdb_env_set_mapsize(env, first_map_size(options, page_count * page_size));
  if (rc == 0) rc = mdb_env_set_assert(env, report_damage);
  // No thread-local readers: any thread may hold several read transactions and end those of others.
  const unsigned flags = MDB_NOSUBDIR | MDB_NOTLS | (for_writing ? 0u : unsigned{MDB_RDONLY});
  if (rc == 0) rc = mdb_env_open(env, path.c_str(), flags, 0666);
  if (rc != 0) {
    // The data file is fine, so it was the lock file.
    const bool other = rc == EACCES && ::access(path.c_str(), for_writing ? R_OK | W_OK : R_OK) == 0;
    return lmdb_error(rc, "open", other ? path + "-lock" : path);
  }
  ::fcntl(descriptor(), F_SETFD, FD_CLOEXEC);
  int dead = 0;
  mdb_reader_check(env, &dead);
  note_map();
  return {};
}

int Environment::descriptor() const {
  int descriptor = -1;
  return mdb_env_get_fd(env, &descriptor) == 0 ? descriptor : -1;
}

bool Environment::is_blank() const {
  MDB_envinfo info = {};
  return mdb_env_info(env, &info) == 0 && info.me_last_txnid == 0;
}

Result<std::vector<std::string>> Environment::open_tables_in(bool writing, const std::vector<std::string>& names) {
  MDB_txn* txn = nullptr;
  const auto begin = [&] { return writing ? mdb_txn_begin(env, nullptr, 0, &txn) : begin_reading(env, &txn); };
  int rc = begin();
  if (rc == MDB_MAP_RESIZED) {
    BA_TRY(set_map_size(sizes().used * 2));
    rc = begin();
  }
  if (rc != 0) return lmdb_error(rc, "open", path);
  std::map<std::string, unsigned> found;
  std::vector<std::string> absent;
  for (const auto& name : names) {
    MDB_dbi handle = 0;
    rc = mdb_dbi_open(txn, name.c_str(), writing ? unsigned{MDB_CREATE} : 0u, &handle);
    if (rc == MDB_NOTFOUND) {
      absent.push_back(name);
    } else if (rc != 0) {
      mdb_txn_abort(txn);
      return lmdb_error(rc, "open", path);
    } else {
      found[name] = handle;
    }
  }
  // A reading transaction is committed too: else the handles opened in it are forgotten.
  rc = mdb_txn_commit(txn);
  if (rc != 0) return lmdb_error(rc, writing ? "create tables in" : "open", path);
  tables.merge(found);
  return absent;
}

std::vector<std::string> Environment::unknown_of(const std::vector<std::string>& names) const {
  std::vector<std::string> unknown;
  for (const auto& name : names) {
    if (!tables.contains(name)) unknown.push_back(name);
  }
  return unknown;
}

Result<void> Environment::open_tables(const std::vector<std::string>& names, bool create) {
  std::vector<std::string> missing = unknown_of(names);
  if (missing.empty()) return {};
  // LMDB changes its list of tables without a lock.
  const ClosedGate alone(gate, options.growth_wait);
  if (!alone) return busy_error(path);
  if (broken) return lmdb_error(MDB_PANIC, "open", path);
  BA_ASSIGN(missing, open_tables_in(false, missing));
  if (missing.empty()) return {};
  if (!create || read_only) {
    return Error{ErrorCode::corrupt, fmt::format("{} lacks the table {}", path, missing.front())};
  }
  BA_TRY(open_tables_in(true, missing));
  return {};
}

Result<void> Environment::open_later_tables(const std::vector<std::string>& names, bool create) {
  if (create) return open_tables(names, true);
  const std::vector<std::string> missing = unknown_of(names);
  if (missing.empty()) return {};
  // Nobody waits for what is probably not there: every opening of an old file would.
  const ClosedGate alone(gate, std::chrono::milliseconds(0));
  if (!alone || broken) return {};
  BA_TRY(open_tables_in(false, missing));
  return {};
}

Environment::Sizes Environment::sizes() const {
  MDB_envinfo info = {};
  MDB_stat stat = {};
  mdb_env_info(env, &info);
  mdb_env_stat(env, &stat);
  return {.page_size = stat.ms_psize,
          .map_size = info.me_mapsize,
          .used = (std::uint64_t{info.me_last_pgno} + 1) * stat.ms_psize};
}

Result<void> Environment::set_map_size(std::uint64_t size) {
  if (!can_map(size)) {
    return Error{ErrorCode::io, fmt::format("the system has no room to map {} bytes of {}", size, path)};
  }
  forget_map();
  const int rc = mdb_env_set_mapsize(env, size);
  if (rc != 0) {
    broken = true;
    return lmdb_error(rc, "map", path);
  }
  note_map();
  return {};
}

Result<void> Environment::resize(bool larger, std::chrono::milliseconds wait) {
  const ClosedGate alone(gate, wait);
  if (!alone) return busy_error(path);
  if (broken) return lmdb_error(MDB_PANIC, "map", path);
  const Sizes now = sizes();
  std::uint64_t size = larger ? now.map_size * 2 : now.map_size;
  // Half of it free, so that following a process that grows step by step takes few steps.
  while (size < now.used * 2) size *= 2;
  size = std::max(std::min(size, options.max_map_size), round_up(now.used));
  if (larger && size <= now.map_size) {
    return Error{ErrorCode::no_space, fmt::format("{} has reached its limit of {} bytes", path, now.map_size)};
  }
  return set_map_size(size);
}

Result<void> Environment::grow() {
  return resize(true, options.growth_wait);
}

Result<void> Environment::adopt_size() {
  return resize(false, options.growth_wait);
}

Result<void> Environment::make_room() {
  Sizes now;
  {
    const GatePass pass(gate);
    if (broken) return {};
    now = sizes();
  }
  if (now.used <= now.map_size / 4 * 3 || now.map_size >= options.max_map_size) return {};
  auto grown = resize(true, std::chrono::milliseconds(0));
  if (!grown && broken) return grown;
  return {};
}

void Environment::note_map() {
  if (const int file = descriptor(); file >= 0) map_slot_ = note_memory_map(file, sizes().map_size);
}

void Environment::release_memory() const {
  constexpr std::uint64_t kSmall = std::uint64_t{128} << 20;
  if (sizes().used > kSmall) release_memory_map(map_slot_);
}

void Environment::forget_map() {
  forget_memory_map(std::exchange(map_slot_, -1));
}

}  // namespace blockarch::lmdb_detail

namespace blockarch {

void Lmdb::on_damage(void (*handler)(const char* message)) {
  lmdb_detail::damage_handler = handler;
}

}  // namespace blockarch
