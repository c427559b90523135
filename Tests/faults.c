/* Preloaded into a run by faults.py: calls that change files of one folder fail as on a disk that is full or broken, and the
 * wall clock jumps. What is to fail, and what did, is in a file of numbers that all processes of the run share. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  int64_t calls, first, last, error, cut, device, struck, clock_readings;
  struct {
    int64_t at, offset;
  } jumps[8];
  char what[128];
} faults;

static faults none, *shared = &none;
static char names[1024][64];

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("FAULTS");
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *place = mmap(NULL, sizeof none, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (place != MAP_FAILED) shared = place;
  close(file);
}

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

#define NEXT(name) \
  static __typeof__(name) *real; \
  if (!real) real = next(#name)

/* Counts a call, if such calls are to fail; whether it is to, with the first one told apart. */
static int strike(const char *call, const char *name) {
  const char *only = getenv("FAULTS_CALL");
  if (only && strcmp(only, call)) return 0;
  int64_t number = __atomic_add_fetch(&shared->calls, 1, __ATOMIC_RELAXED);
  if (!shared->first || number < shared->first || number > shared->last) return 0;
  if (__atomic_add_fetch(&shared->struck, 1, __ATOMIC_RELAXED) == 1)
    snprintf(shared->what, sizeof shared->what, "%s %s", call, name);
  errno = (int)shared->error;
  return number == shared->first ? 1 : 2;
}

static bool is_ours(int file) {
  struct stat status;
  int kept = errno;
  bool is = shared != &none && fstat(file, &status) == 0 && (int64_t)status.st_dev == shared->device &&
            (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
  errno = kept;
  return is;
}

static const char *name_of(int file) { return file >= 0 && file < 1024 ? names[file] : ""; }

static bool is_path_ours(const char *path) {
  if (shared == &none) return false;
  const char *folder = getenv("FAULTS_FOLDER");
  return path[0] != '/' || (folder && strncmp(path, folder, strlen(folder)) == 0);
}

/* How many bytes of a write get through before it fails; -1 for all. */
static ssize_t room(const char *call, int file, size_t count) {
  if (!is_ours(file)) return -1;
  int way = strike(call, name_of(file));
  if (way == 0) return -1;
  if (way == 2 || !shared->cut || count < 2) return 0;
  return shared->cut < 0 ? (ssize_t)(count / 2) : (ssize_t)(count - (size_t)shared->cut % count);
}

ssize_t write(int file, const void *bytes, size_t count) {
  NEXT(write);
  ssize_t part = room("write", file, count);
  return part == 0 ? -1 : real(file, bytes, part < 0 ? count : (size_t)part);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t place) {
  NEXT(pwrite64);
  ssize_t part = room("pwrite", file, count);
  return part == 0 ? -1 : real(file, bytes, part < 0 ? count : (size_t)part, place);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t place) { return pwrite64(file, bytes, count, place); }

ssize_t sendfile64(int file, int source, off64_t *place, size_t count) {
  NEXT(sendfile64);
  ssize_t part = room("sendfile", file, count);
  return part == 0 ? -1 : real(file, source, place, part < 0 ? count : (size_t)part);
}

ssize_t sendfile(int file, int source, off_t *place, size_t count) { return sendfile64(file, source, place, count); }

int fsync(int file) {
  NEXT(fsync);
  return is_ours(file) && strike("fsync", name_of(file)) ? -1 : real(file);
}

int fdatasync(int file) {
  NEXT(fdatasync);
  return is_ours(file) && strike("fdatasync", name_of(file)) ? -1 : real(file);
}

/* To make a file shorter needs no room. */
int ftruncate64(int file, off64_t length) {
  NEXT(ftruncate64);
  struct stat status;
  bool needs = shared->error != ENOSPC || (fstat(file, &status) == 0 && length > status.st_size);
  return needs && is_ours(file) && strike("ftruncate", name_of(file)) ? -1 : real(file, length);
}

int ftruncate(int file, off_t length) { return ftruncate64(file, length); }

int posix_fallocate64(int file, off64_t place, off64_t length) {
  NEXT(posix_fallocate64);
  return is_ours(file) && strike("fallocate", name_of(file)) ? (int)shared->error : real(file, place, length);
}

int posix_fallocate(int file, off_t place, off_t length) { return posix_fallocate64(file, place, length); }

int rename(const char *path, const char *other) {
  NEXT(rename);
  return is_path_ours(path) && strike("rename", path) ? -1 : real(path, other);
}

int renameat(int folder, const char *name, int other_folder, const char *other) {
  NEXT(renameat);
  return is_path_ours(name) && strike("rename", name) ? -1 : real(folder, name, other_folder, other);
}

int unlink(const char *path) {
  NEXT(unlink);
  return shared->error != ENOSPC && is_path_ours(path) && strike("unlink", path) ? -1 : real(path);
}

int mkdir(const char *path, mode_t mode) {
  NEXT(mkdir);
  return is_path_ours(path) && access(path, F_OK) != 0 && strike("mkdir", path) ? -1 : real(path, mode);
}

/* To open needs room where it makes a file. */
static int opened(int folder, const char *path, int flags, mode_t mode) {
  static __typeof__(openat64) *real;
  if (!real) real = next("openat64");
  bool makes = (flags & O_CREAT) && is_path_ours(path) && faccessat(folder, path, F_OK, 0) != 0;
  if (makes && strike("open", path)) return -1;
  int file = real(folder, path, flags, mode);
  const char *slash = strrchr(path, '/');
  if (file >= 0 && file < 1024) snprintf(names[file], sizeof names[file], "%s", slash ? slash + 1 : path);
  return file;
}

#define MODE \
  va_list more; \
  va_start(more, flags); \
  mode_t mode = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(more, mode_t) : 0; \
  va_end(more)

int open(const char *path, int flags, ...) {
  MODE;
  return opened(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE;
  return opened(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  MODE;
  return opened(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
  MODE;
  return opened(folder, path, flags, mode);
}

/* Seconds that the wall clock is off; a clock that is set is set for all of the system. */
static int64_t offset(void) {
  NEXT(clock_gettime);
  struct timespec now;
  real(CLOCK_MONOTONIC, &now);
  int64_t instant = now.tv_sec * 1000000000ll + now.tv_nsec, found = 0;
  for (size_t index = 0; index < sizeof shared->jumps / sizeof *shared->jumps; index++)
    if (shared->jumps[index].at && shared->jumps[index].at <= instant) found = shared->jumps[index].offset;
  if (shared != &none) __atomic_add_fetch(&shared->clock_readings, 1, __ATOMIC_RELAXED);
  return found;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  NEXT(clock_gettime);
  int answer = real(clock, time);
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI) time->tv_sec += offset();
  return answer;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  NEXT(gettimeofday);
  int answer = real(time, zone);
  time->tv_sec += offset();
  return answer;
}

time_t time(time_t *place) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (place) *place = now.tv_sec;
  return now.tv_sec;
}
