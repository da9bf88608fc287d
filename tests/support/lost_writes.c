// Of each file that changes the bytes at its last sync are kept in memory, and of each name that changes the file that it stood
// for, by a link in a directory beside the archive's. Losing writes the bytes back and undoes the names, the last one first.
#define _GNU_SOURCE
#include "lost_writes.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kMostFiles = 256, kMostNames = 4096 };

struct File {
  dev_t device;
  ino_t inode;
  int descriptor;  // our own
  char* bytes;     // at the last sync
  size_t size;
};

enum NameChange { kPut, kPutDirectory, kRemoved };

struct Name {
  enum NameChange change;
  int synced;
  long kept;  // what the name stood for before, or -1
  char path[PATH_MAX];
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct File files[kMostFiles];
static size_t file_count;
static struct Name* names;
static size_t name_count;
static long kept_count;
static char graveyard[PATH_MAX - 32];

static void give_up(const char* why) {
  fprintf(stderr, "failing_io: %s\n", why);
  _exit(127);
}

void lost_start(const char* directory) {
  if (snprintf(graveyard, sizeof graveyard, "%s.lost", directory) >= (int)sizeof graveyard) give_up("too long a path");
  syscall(SYS_mkdirat, AT_FDCWD, graveyard, 0700);
  names = calloc(kMostNames, sizeof *names);
  if (names == NULL) give_up("no memory");
}

// --- bytes
// ---------------------------------------------------------------------------------------------------------

static struct File* find(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return NULL;
  for (size_t i = 0; i < file_count; ++i) {
    if (files[i].device == status.st_dev && files[i].inode == status.st_ino) return &files[i];
  }
  return NULL;
}

static void read_bytes(struct File* file) {
  struct stat status;
  if (fstat(file->descriptor, &status) != 0) give_up("cannot look at a file");
  free(file->bytes);
  file->size = (size_t)status.st_size;
  file->bytes = malloc(file->size + 1);
  if (file->bytes == NULL) give_up("no memory");
  for (size_t done = 0; done < file->size;) {
    const ssize_t n = syscall(SYS_pread64, file->descriptor, file->bytes + done, file->size - done, (off_t)done);
    if (n <= 0) give_up("cannot read a file");
    done += (size_t)n;
  }
}

// Opened by a path that leads to the same file, for reading and writing. Never closed: that would drop the process's locks.
static struct File* add(const char* path) {
  if (file_count == kMostFiles) give_up("too many files changed");
  struct stat status;
  const int own = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
  if (own < 0) return NULL;
  if (fstat(own, &status) != 0 || !S_ISREG(status.st_mode)) return NULL;
  struct File* file = &files[file_count++];
  *file = (struct File){status.st_dev, status.st_ino, own, NULL, 0};
  read_bytes(file);
  return file;
}

static struct File* find_or_add(int descriptor) {
  struct File* known = find(descriptor);
  if (known != NULL) return known;
  struct stat status;
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return NULL;
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  return add(path);
}

void lost_before_change(int descriptor) {
  pthread_mutex_lock(&mutex);
  find_or_add(descriptor);
  pthread_mutex_unlock(&mutex);
}

void lost_before_truncation(const char* path) {
  pthread_mutex_lock(&mutex);
  const int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
  // Left open, as above.
  if (descriptor >= 0) find_or_add(descriptor);
  pthread_mutex_unlock(&mutex);
}

void lost_after_write(int descriptor, size_t size, off_t offset) {
  if ((fcntl(descriptor, F_GETFL) & O_DSYNC) == 0) return;
  pthread_mutex_lock(&mutex);
  struct File* file = find(descriptor);
  if (file != NULL) {
    const off_t begin = offset >= 0 ? offset : lseek(descriptor, 0, SEEK_CUR) - (off_t)size;
    const size_t end = (size_t)begin + size;
    if (end > file->size) {
      file->bytes = realloc(file->bytes, end);
      if (file->bytes == NULL) give_up("no memory");
      memset(file->bytes + file->size, 0, end - file->size);
      file->size = end;
    }
    syscall(SYS_pread64, file->descriptor, file->bytes + begin, size, begin);
  }
  pthread_mutex_unlock(&mutex);
}

static void write_back(const struct File* file) {
  if (syscall(SYS_ftruncate, file->descriptor, (off_t)file->size) != 0) give_up("cannot take back a length");
  for (size_t done = 0; done < file->size;) {
    const ssize_t n = syscall(SYS_pwrite64, file->descriptor, file->bytes + done, file->size - done, (off_t)done);
    if (n <= 0) give_up("cannot take back bytes");
    done += (size_t)n;
  }
}

// --- names
// ---------------------------------------------------------------------------------------------------------

static void kept_path(long kept, char* out) {
  snprintf(out, PATH_MAX, "%s/%ld", graveyard, kept);
}

long lost_keep(const char* path) {
  struct stat status;
  if (lstat(path, &status) != 0 || !S_ISREG(status.st_mode)) return -1;
  char to[PATH_MAX];
  pthread_mutex_lock(&mutex);
  const long kept = kept_count++;
  pthread_mutex_unlock(&mutex);
  kept_path(kept, to);
  if (syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, to, 0) != 0) give_up("cannot keep a file that loses its name");
  return kept;
}

static void note(enum NameChange change, const char* path, long kept) {
  pthread_mutex_lock(&mutex);
  if (name_count == kMostNames) give_up("too many names changed");
  struct Name* name = &names[name_count++];
  *name = (struct Name){.change = change, .kept = kept};
  strncpy(name->path, path, sizeof name->path - 1);
  pthread_mutex_unlock(&mutex);
}

void lost_after_creation(const char* path, int descriptor) {
  note(kPut, path, -1);
  lost_before_change(descriptor);
}

void lost_after_mkdir(const char* path) {
  note(kPutDirectory, path, -1);
}

void lost_after_removal(const char* path, long kept) {
  if (kept >= 0) note(kRemoved, path, kept);
}

// Within one directory both happen or neither; from one to another each waits for the sync of its own.
void lost_after_rename(const char* from, const char* to, long kept_from, long kept_to) {
  if (kept_from < 0) return;
  note(kRemoved, from, kept_from);
  note(kPut, to, kept_to);
}

static int is_directly_in(const char* path, const char* directory) {
  const char* slash = strrchr(path, '/');
  const size_t length = strlen(directory);
  return slash != NULL && (size_t)(slash - path) == length && strncmp(path, directory, length) == 0;
}

void lost_after_sync(int descriptor, const char* path) {
  pthread_mutex_lock(&mutex);
  struct File* file = find(descriptor);
  if (file != NULL) read_bytes(file);
  for (size_t i = 0; i < name_count; ++i) {
    if (is_directly_in(names[i].path, path)) names[i].synced = 1;
  }
  pthread_mutex_unlock(&mutex);
}

static void take_back(const struct Name* name) {
  char kept[PATH_MAX];
  switch (name->change) {
    case kPutDirectory:
      // Files whose names in it were synced stay: a directory is not lost without them on any file system of today.
      syscall(SYS_unlinkat, AT_FDCWD, name->path, AT_REMOVEDIR);
      return;
    case kPut:
      syscall(SYS_unlinkat, AT_FDCWD, name->path, 0);
      break;
    case kRemoved:
      break;
  }
  if (name->kept < 0) return;
  kept_path(name->kept, kept);
  syscall(SYS_linkat, AT_FDCWD, kept, AT_FDCWD, name->path, 0);
}

void lose_unsynced(int bytes, int with_names) {
  pthread_mutex_lock(&mutex);  // for good: nobody changes anything any more
  for (size_t i = 0; bytes && i < file_count; ++i) write_back(&files[i]);
  for (size_t i = name_count; with_names && i-- > 0;) {
    if (!names[i].synced) take_back(&names[i]);
  }
}
