// A library for LD_PRELOAD that makes the Nth file operation of any program fail, on Linux with glibc.
//
//   FAILING_IO_DIR    only operations on paths under this directory count
//   FAILING_IO_AT     which of them fails, from 1; none where absent or 0
//   FAILING_IO_ERRNO  with which errno value, a number; EIO where absent
//   FAILING_IO_MODE   once     that operation fails
//                     forever  that one and all after it fail
//                     short    as once, but a write first does half of its bytes
//                     kill     the process dies by SIGKILL just before that operation
//                     torn     as kill, but a write first does half of its bytes
//                     (a write of up to 512 bytes is done whole or not at all)
//                     lost     as kill, and all that was not synced is lost: bytes of files and names in directories.
//                              A process that ends by itself before that operation loses it at its end
//                     lost-bytes, lost-names  as lost, but only the one, as file systems may
//   FAILING_IO_READS  1: reads, and opening for reading, count too
//   FAILING_IO_COUNT  a file that always holds the number of operations counted so far
//
// Counted are: opening for writing or with O_CREAT, write, writev, pwrite, pwritev, fsync, fdatasync, msync,
// rename, link, unlink, rmdir, mkdir, truncate, ftruncate, fallocate, flock, mmap of a file. What libc does
// on its own behalf (stdio, remove()) does not pass through here.
//
// The real work is done by system calls, so that nothing has to be looked up before the first one. 64-bit
// systems only.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "lost_writes.h"

_Static_assert(sizeof(long) == 8, "the system calls below pass offsets in one register");

enum Mode { kOnce, kForever, kShort, kKill, kTorn, kLost, kLostBytes, kLostNames };
enum Verdict { kPass, kFail, kHalf };

static struct {
  char directory[PATH_MAX];
  size_t directory_length;
  long at;
  int number;
  enum Mode mode;
  int reads;
  int count_file;
} settings = {.count_file = -1};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long counted;

// The path without links, where the file itself need not exist. Empty where there is no such directory.
static void resolve(const char* path, char* out) {
  if (realpath(path, out) != NULL) return;
  out[0] = '\0';
  const char* slash = strrchr(path, '/');
  const char* name = slash != NULL ? slash + 1 : path;
  char parent[PATH_MAX] = ".";
  if (slash != NULL) {
    const size_t length = slash == path ? 1 : (size_t)(slash - path);
    if (length >= sizeof parent) return;
    memcpy(parent, path, length);
    parent[length] = '\0';
  }
  char full[PATH_MAX];
  if (realpath(parent, full) == NULL) return;
  const size_t length = strcmp(full, "/") == 0 ? 0 : strlen(full);
  if (length + strlen(name) + 2 > PATH_MAX) return;
  memcpy(out, full, length);
  out[length] = '/';
  strcpy(out + length + 1, name);
}

static int loses(void) {
  return settings.mode >= kLost;
}

static void start(void) {
  const char* directory = getenv("FAILING_IO_DIR");
  const char* at = getenv("FAILING_IO_AT");
  const char* number = getenv("FAILING_IO_ERRNO");
  const char* mode = getenv("FAILING_IO_MODE");
  const char* reads = getenv("FAILING_IO_READS");
  const char* count = getenv("FAILING_IO_COUNT");
  if (directory != NULL) resolve(directory, settings.directory);
  settings.directory_length = strlen(settings.directory);
  settings.at = at != NULL ? atol(at) : 0;
  settings.number = number != NULL ? atoi(number) : EIO;
  settings.reads = reads != NULL && strcmp(reads, "1") == 0;
  if (mode == NULL || strcmp(mode, "once") == 0)
    settings.mode = kOnce;
  else if (strcmp(mode, "forever") == 0)
    settings.mode = kForever;
  else if (strcmp(mode, "short") == 0)
    settings.mode = kShort;
  else if (strcmp(mode, "kill") == 0)
    settings.mode = kKill;
  else if (strcmp(mode, "torn") == 0)
    settings.mode = kTorn;
  else if (strcmp(mode, "lost") == 0)
    settings.mode = kLost;
  else if (strcmp(mode, "lost-bytes") == 0)
    settings.mode = kLostBytes;
  else if (strcmp(mode, "lost-names") == 0)
    settings.mode = kLostNames;
  else {
    fprintf(stderr, "failing_io: unknown FAILING_IO_MODE %s\n", mode);
    _exit(127);
  }
  if (count != NULL) {
    const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
    settings.count_file = (int)syscall(SYS_openat, AT_FDCWD, count, flags, 0666);
    if (settings.count_file >= 0) syscall(SYS_pwrite64, settings.count_file, "0\n", (size_t)2, 0L);
  }
  if (settings.directory_length == 0) settings.mode = kOnce;
  if (loses()) lost_start(settings.directory);
}

static int is_inside(const char* path) {
  return settings.directory_length > 0 && strncmp(path, settings.directory, settings.directory_length) == 0 &&
         (path[settings.directory_length] == '/' || path[settings.directory_length] == '\0');
}

static void lose(void) {
  lose_unsynced(settings.mode != kLostNames, settings.mode != kLostBytes);
}

// The power goes when the program has said that it is done.
__attribute__((destructor)) static void end(void) {
  pthread_once(&once, start);
  if (loses()) lose();
}

static void die(void) {
  if (loses()) lose();
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

// Counts one operation and says what becomes of it; sets errno where it fails. `can_tear` is true for writes.
static enum Verdict count_one(int can_tear) {
  char text[32];
  pthread_mutex_lock(&mutex);
  const long n = ++counted;
  if (settings.count_file >= 0) {
    const int length = snprintf(text, sizeof text, "%ld\n", n);
    syscall(SYS_pwrite64, settings.count_file, text, (size_t)length, 0L);
  }
  pthread_mutex_unlock(&mutex);
  const int hit = settings.at > 0 && (settings.mode == kForever ? n >= settings.at : n == settings.at);
  if (!hit) return kPass;
  if (settings.mode == kKill || loses() || (settings.mode == kTorn && !can_tear)) die();
  errno = settings.number;
  return can_tear && (settings.mode == kShort || settings.mode == kTorn) ? kHalf : kFail;
}

// False where it lies outside the directory that counts.
static int full_path(int directory, const char* path, char* full) {
  full[0] = '\0';
  if (path[0] == '/' || directory == AT_FDCWD) {
    resolve(path, full);
  } else {
    char base[PATH_MAX];
    char joined[2 * PATH_MAX];
    snprintf(base, sizeof base, "/proc/self/fd/%d", directory);
    snprintf(joined, sizeof joined, "%s/%s", base, path);
    resolve(joined, full);
  }
  return is_inside(full);
}

static int path_of(int descriptor, char* full) {
  if (settings.directory_length == 0) return 0;
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(name, full, PATH_MAX - 1);
  if (length <= 0) return 0;
  full[length] = '\0';
  return is_inside(full);
}

static enum Verdict judge_path(int directory, const char* path, int can_tear) {
  const int saved = errno;
  pthread_once(&once, start);
  char full[PATH_MAX];
  const int inside = full_path(directory, path, full);
  errno = saved;
  return inside ? count_one(can_tear) : kPass;
}

static enum Verdict judge_descriptor(int descriptor, int can_tear) {
  const int saved = errno;
  pthread_once(&once, start);
  char full[PATH_MAX];
  const int inside = path_of(descriptor, full);
  errno = saved;
  return inside ? count_one(can_tear) : kPass;
}

// --- what may be lost
// -----------------------------------------------------------------------------------------------

static void before_change(int descriptor) {
  char full[PATH_MAX];
  const int saved = errno;
  if (loses() && path_of(descriptor, full)) lost_before_change(descriptor);
  errno = saved;
}

static ssize_t after_write(int descriptor, ssize_t size, off_t offset) {
  char full[PATH_MAX];
  const int saved = errno;
  if (loses() && size > 0 && path_of(descriptor, full)) lost_after_write(descriptor, (size_t)size, offset);
  errno = saved;
  return size;
}

static int after_sync(int descriptor, int result) {
  char full[PATH_MAX];
  const int saved = errno;
  if (loses() && result == 0 && path_of(descriptor, full)) lost_after_sync(descriptor, full);
  errno = saved;
  return result;
}

static int open_and_note(int directory, const char* path, int flags, mode_t mode) {
  char full[PATH_MAX];
  struct stat status;
  const int saved = errno;
  const int inside = loses() && full_path(directory, path, full);
  const int there = inside && lstat(full, &status) == 0;
  if (there && (flags & O_TRUNC) != 0) lost_before_truncation(full);
  errno = saved;
  const int descriptor = (int)syscall(SYS_openat, directory, path, flags, mode);
  if (inside && !there && descriptor >= 0) lost_after_creation(full, descriptor);
  return descriptor;
}

// Disks write a sector as a whole, and the kernel copies so small a piece as a whole: it is there or it is not. LMDB builds
// on that with its meta pages.
enum { kSector = 512 };
static size_t half_of(size_t size) {
  return size <= kSector ? 0 : size / 2;
}

// After half of a write was done: fails it or ends the process.
static ssize_t tear(void) {
  if (settings.mode == kTorn) die();
  errno = settings.number;
  return -1;
}

// --- opening
// -------------------------------------------------------------------------------------------------------

static int do_open(int directory, const char* path, int flags, mode_t mode) {
  const int writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
  pthread_once(&once, start);
  if ((writes || settings.reads) && judge_path(directory, path, 0) != kPass) return -1;
  return open_and_note(directory, path, flags, mode);
}

#define MODE_ARGUMENT(flags)                      \
  mode_t mode = 0;                                \
  if (((flags) & (O_CREAT | __O_TMPFILE)) != 0) { \
    va_list arguments;                            \
    va_start(arguments, flags);                   \
    mode = va_arg(arguments, mode_t);             \
    va_end(arguments);                            \
  }

int open(const char* path, int flags, ...) {
  MODE_ARGUMENT(flags)
  return do_open(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  MODE_ARGUMENT(flags)
  return do_open(AT_FDCWD, path, flags, mode);
}
int openat(int directory, const char* path, int flags, ...) {
  MODE_ARGUMENT(flags)
  return do_open(directory, path, flags, mode);
}
int openat64(int directory, const char* path, int flags, ...) {
  MODE_ARGUMENT(flags)
  return do_open(directory, path, flags, mode);
}
int creat(const char* path, mode_t mode) {
  return do_open(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
// What the compiler calls instead where it checks arguments.
int __open_2(const char* path, int flags) {
  return do_open(AT_FDCWD, path, flags, 0);
}
int __open64_2(const char* path, int flags) {
  return do_open(AT_FDCWD, path, flags, 0);
}

// --- reading
// -------------------------------------------------------------------------------------------------------

static int read_fails(int descriptor) {
  pthread_once(&once, start);
  return settings.reads && judge_descriptor(descriptor, 0) != kPass;
}

ssize_t read(int descriptor, void* out, size_t size) {
  return read_fails(descriptor) ? -1 : syscall(SYS_read, descriptor, out, size);
}
ssize_t pread(int descriptor, void* out, size_t size, off_t offset) {
  return read_fails(descriptor) ? -1 : syscall(SYS_pread64, descriptor, out, size, offset);
}
ssize_t pread64(int descriptor, void* out, size_t size, off_t offset) {
  return pread(descriptor, out, size, offset);
}

// --- writing
// -------------------------------------------------------------------------------------------------------

ssize_t write(int descriptor, const void* bytes, size_t size) {
  const enum Verdict verdict = judge_descriptor(descriptor, 1);
  if (verdict == kFail) return -1;
  before_change(descriptor);
  const ssize_t n = syscall(SYS_write, descriptor, bytes, verdict == kHalf ? half_of(size) : size);
  return verdict == kHalf ? tear() : after_write(descriptor, n, -1);
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t offset) {
  const enum Verdict verdict = judge_descriptor(descriptor, 1);
  if (verdict == kFail) return -1;
  before_change(descriptor);
  const ssize_t n = syscall(SYS_pwrite64, descriptor, bytes, verdict == kHalf ? half_of(size) : size, offset);
  return verdict == kHalf ? tear() : after_write(descriptor, n, offset);
}
ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off_t offset) {
  return pwrite(descriptor, bytes, size, offset);
}

// Half of the bytes of a vector; at `offset`, or at the descriptor's own place where that is -1.
static void write_half(int descriptor, const struct iovec* parts, int count, off_t offset) {
  size_t left = 0;
  for (int i = 0; i < count; ++i) left += parts[i].iov_len;
  left = half_of(left);
  for (int i = 0; i < count && left > 0; ++i) {
    const size_t size = parts[i].iov_len < left ? parts[i].iov_len : left;
    if (offset < 0) {
      syscall(SYS_write, descriptor, parts[i].iov_base, size);
    } else {
      syscall(SYS_pwrite64, descriptor, parts[i].iov_base, size, offset);
      offset += (off_t)size;
    }
    left -= size;
  }
}

ssize_t writev(int descriptor, const struct iovec* parts, int count) {
  const enum Verdict verdict = judge_descriptor(descriptor, 1);
  if (verdict == kFail) return -1;
  before_change(descriptor);
  if (verdict == kPass) return after_write(descriptor, syscall(SYS_writev, descriptor, parts, count), -1);
  write_half(descriptor, parts, count, -1);
  return tear();
}

ssize_t pwritev(int descriptor, const struct iovec* parts, int count, off_t offset) {
  const enum Verdict verdict = judge_descriptor(descriptor, 1);
  if (verdict == kFail) return -1;
  before_change(descriptor);
  if (verdict == kPass) {
    return after_write(descriptor, syscall(SYS_pwritev, descriptor, parts, (long)count, offset, 0L), offset);
  }
  write_half(descriptor, parts, count, offset);
  return tear();
}
ssize_t pwritev64(int descriptor, const struct iovec* parts, int count, off_t offset) {
  return pwritev(descriptor, parts, count, offset);
}

int ftruncate(int descriptor, off_t size) {
  if (judge_descriptor(descriptor, 0) != kPass) return -1;
  before_change(descriptor);
  return (int)syscall(SYS_ftruncate, descriptor, size);
}
int ftruncate64(int descriptor, off_t size) {
  return ftruncate(descriptor, size);
}
int truncate(const char* path, off_t size) {
  if (judge_path(AT_FDCWD, path, 0) != kPass) return -1;
  char full[PATH_MAX];
  if (loses() && full_path(AT_FDCWD, path, full)) lost_before_truncation(full);
  return (int)syscall(SYS_truncate, path, size);
}
int truncate64(const char* path, off_t size) {
  return truncate(path, size);
}
int fallocate(int descriptor, int mode, off_t offset, off_t size) {
  if (judge_descriptor(descriptor, 0) != kPass) return -1;
  before_change(descriptor);
  return (int)syscall(SYS_fallocate, descriptor, (long)mode, offset, size);
}
int fallocate64(int descriptor, int mode, off_t offset, off_t size) {
  return fallocate(descriptor, mode, offset, size);
}

// --- syncing
// -------------------------------------------------------------------------------------------------------

int fsync(int descriptor) {
  return judge_descriptor(descriptor, 0) != kPass ? -1 : after_sync(descriptor, (int)syscall(SYS_fsync, descriptor));
}
int fdatasync(int descriptor) {
  if (judge_descriptor(descriptor, 0) != kPass) return -1;
  return after_sync(descriptor, (int)syscall(SYS_fdatasync, descriptor));
}
// Which file is mapped there is not known: every one counts.
int msync(void* address, size_t size, int flags) {
  pthread_once(&once, start);
  if (settings.directory_length > 0 && count_one(0) != kPass) return -1;
  return (int)syscall(SYS_msync, address, size, flags);
}

// --- names
// ---------------------------------------------------------------------------------------------------------

// Counted once, by whichever of the two names lies inside.
static int pair_fails(int from_directory, const char* from, int to_directory, const char* to) {
  const long before = __atomic_load_n(&counted, __ATOMIC_RELAXED);
  if (judge_path(to_directory, to, 0) != kPass) return 1;
  if (__atomic_load_n(&counted, __ATOMIC_RELAXED) != before) return 0;
  return judge_path(from_directory, from, 0) != kPass;
}

int rename(const char* from, const char* to) {
  return renameat(AT_FDCWD, from, AT_FDCWD, to);
}
int renameat(int from_directory, const char* from, int to_directory, const char* to) {
  if (pair_fails(from_directory, from, to_directory, to)) return -1;
  char full_from[PATH_MAX];
  char full_to[PATH_MAX];
  const int noted = loses() && full_path(from_directory, from, full_from) && full_path(to_directory, to, full_to);
  const long kept_from = noted ? lost_keep(full_from) : -1;
  const long kept_to = noted ? lost_keep(full_to) : -1;
  const int result = (int)syscall(SYS_renameat2, from_directory, from, to_directory, to, 0L);
  if (noted && result == 0) lost_after_rename(full_from, full_to, kept_from, kept_to);
  return result;
}
int link(const char* from, const char* to) {
  if (pair_fails(AT_FDCWD, from, AT_FDCWD, to)) return -1;
  return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0L);
}
int unlink(const char* path) {
  return unlinkat(AT_FDCWD, path, 0);
}
int unlinkat(int directory, const char* path, int flags) {
  if (judge_path(directory, path, 0) != kPass) return -1;
  char full[PATH_MAX];
  const int saved = errno;
  const long kept = loses() && full_path(directory, path, full) ? lost_keep(full) : -1;
  errno = saved;
  const int result = (int)syscall(SYS_unlinkat, directory, path, flags);
  if (result == 0) lost_after_removal(full, kept);
  return result;
}
int rmdir(const char* path) {
  return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}
int mkdir(const char* path, mode_t mode) {
  return mkdirat(AT_FDCWD, path, mode);
}
int mkdirat(int directory, const char* path, mode_t mode) {
  if (judge_path(directory, path, 0) != kPass) return -1;
  char full[PATH_MAX];
  const int noted = loses() && full_path(directory, path, full);
  const int result = (int)syscall(SYS_mkdirat, directory, path, mode);
  if (noted && result == 0) lost_after_mkdir(full);
  return result;
}

// --- locks and maps
// ------------------------------------------------------------------------------------------------

int flock(int descriptor, int operation) {
  return judge_descriptor(descriptor, 0) != kPass ? -1 : (int)syscall(SYS_flock, descriptor, operation);
}

void* mmap(void* address, size_t size, int protection, int flags, int descriptor, off_t offset) {
  if (descriptor >= 0 && judge_descriptor(descriptor, 0) != kPass) return MAP_FAILED;
  return (void*)syscall(SYS_mmap, address, size, (long)protection, (long)flags, (long)descriptor, offset);
}
void* mmap64(void* address, size_t size, int protection, int flags, int descriptor, off_t offset) {
  return mmap(address, size, protection, flags, descriptor, offset);
}
