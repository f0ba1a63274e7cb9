/*
 * Stands between a program and its disk: counts every call that changes something below one folder, and lets one of
 * them go wrong. Loaded into the command with LD_PRELOAD; built by `shim.ts` when the tests run. Linux, 64 bit.
 *
 *   PAWL_FAULT_ROOT   only calls on paths below this folder count (absolute, without links)
 *   PAWL_FAULT_LOG    every call that counts is written down here: number, operation, path
 *   PAWL_FAULT_AT     the number of the call that goes wrong, from 1; absent: none does
 *   PAWL_FAULT_PATH   instead: the first call on a path that ends with this goes wrong
 *   PAWL_FAULT        what happens then:
 *     kill-before     SIGKILL instead of the call
 *     kill-after      SIGKILL when the call is done
 *     tear            half of a write, then SIGKILL; instead of any other call: SIGKILL
 *     short           half of a write, and no room for the rest until the next try; any other call is left alone
 *     full            half of a write; from then on there is no room for anything (ENOSPC)
 *     dead            from then on everything that counts fails (EIO)
 *     ENOSPC, …       the call fails with that, once
 *   PAWL_FAULT_READS  when set, opening something for reading counts too
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

_Static_assert(sizeof(long) == 8, "offsets are handed to the kernel in one piece");

/* PATH_MAX for the folder and for the path in it. */
enum { path_bytes = 2 * PATH_MAX + 2 };

/* What becomes of a call. `fails` goes with an errno; the halves make sense for writes only. */
enum verdict { passes, fails, halved, torn, dies_after };

static const char *root;
static size_t root_length;
static const char *fault = "";
static long fault_at;
static const char *fault_path;
static int counts_reads;
static int log_fd = -1;
static long calls;
/* The file of which a write was cut short. libuv tries the rest at once: only when that fails too it tells a short count. */
static int short_fd = -1;

static const struct {
  const char *name;
  int code;
} errnos[] = {{"ENOSPC", ENOSPC}, {"EIO", EIO},       {"EMFILE", EMFILE}, {"EDQUOT", EDQUOT},
              {"EROFS", EROFS},   {"ESTALE", ESTALE}, {"ENOLCK", ENOLCK}, {"EXDEV", EXDEV}};

/* Everything goes to the kernel directly: a libc function might end in one of ours. */
__attribute__((constructor)) static void begin(void) {
  const char *folder = getenv("PAWL_FAULT_ROOT");
  const char *at = getenv("PAWL_FAULT_AT");
  const char *kind = getenv("PAWL_FAULT");
  const char *log = getenv("PAWL_FAULT_LOG");
  if (folder == NULL) return;
  if (log != NULL) {
    log_fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  }
  if (kind != NULL) fault = kind;
  if (at != NULL) fault_at = atol(at);
  fault_path = getenv("PAWL_FAULT_PATH");
  counts_reads = getenv("PAWL_FAULT_READS") != NULL;
  root_length = strlen(folder);
  root = folder;
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

static int is_fault(const char *name) { return strcmp(fault, name) == 0; }

static enum verdict refuse(int code) {
  errno = code;
  return fails;
}

static int is_below_root(const char *path) {
  return strncmp(path, root, root_length) == 0 && (path[root_length] == '/' || path[root_length] == '\0');
}

static int is_fault_path(const char *path) {
  size_t length = strlen(path);
  size_t end = fault_path == NULL ? 0 : strlen(fault_path);
  return end > 0 && end <= length && strcmp(path + length - end, fault_path) == 0;
}

static void write_down(long number, const char *operation, const char *path) {
  char line[path_bytes + 64];
  int length = snprintf(line, sizeof line, "%ld %s %s\n", number, operation, path);
  if (log_fd >= 0 && length > 0) (void)!syscall(SYS_write, log_fd, line, (size_t)length);
}

static enum verdict judge_first(int is_write) {
  if (is_fault("kill-before")) die();
  if (is_fault("kill-after")) return dies_after;
  if (is_fault("tear")) {
    if (is_write) return torn;
    die();
  }
  if (is_fault("short")) return is_write ? halved : passes;
  if (is_fault("full") && is_write) return halved;
  for (size_t i = 0; i < sizeof errnos / sizeof *errnos; i++) {
    if (is_fault(errnos[i].name)) return refuse(errnos[i].code);
  }
  return passes;
}

/* `takes_room`: it cannot succeed on a full disk. */
static enum verdict judge(const char *operation, const char *path, int is_write, int takes_room) {
  if (root == NULL || !is_below_root(path)) return passes;
  long number = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
  write_down(number, operation, path);
  if (fault_at == 0 && is_fault_path(path)) fault_at = number;
  if (fault_at == 0 || number < fault_at) return passes;
  if (number == fault_at) {
    enum verdict verdict = judge_first(is_write);
    if (verdict != passes) return verdict;
  }
  if (is_fault("dead")) return refuse(EIO);
  if (is_fault("full") && takes_room) return refuse(ENOSPC);
  return passes;
}

static enum verdict judge_path(int folder, const char *path, const char *operation, int takes_room) {
  char whole[path_bytes];
  if (root == NULL) return passes;
  if (path[0] == '/') return judge(operation, path, 0, takes_room);
  char link[64];
  if (folder == AT_FDCWD) snprintf(link, sizeof link, "/proc/self/cwd");
  else snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
  ssize_t length = readlink(link, whole, PATH_MAX);
  if (length < 0) return passes;
  snprintf(whole + length, sizeof whole - (size_t)length, "/%s", path);
  return judge(operation, whole, 0, takes_room);
}

static enum verdict judge_fd(int fd, const char *operation, int is_write) {
  char link[64];
  char path[path_bytes];
  if (root == NULL) return passes;
  int before = errno;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  errno = before;
  if (length < 0) return passes;
  path[length] = '\0';
  if (is_write && __sync_bool_compare_and_swap(&short_fd, fd, -1)) return refuse(ENOSPC);
  return judge(operation, path, is_write, is_write);
}

static long after(enum verdict verdict, long result) {
  if (verdict == dies_after || verdict == torn) die();
  return result;
}

static size_t share(enum verdict verdict, int fd, size_t count) {
  if ((verdict != halved && verdict != torn) || count < 2) return count;
  if (is_fault("short")) short_fd = fd;
  return count / 2;
}

/* Opening. */

static int open_at(int folder, const char *path, int flags, mode_t mode) {
  enum verdict verdict = passes;
  if (flags & O_CREAT) verdict = judge_path(folder, path, "create", 1);
  else if (counts_reads) verdict = judge_path(folder, path, "open", 0);
  if (verdict == fails) return -1;
  return (int)after(verdict, syscall(SYS_openat, folder, path, flags, mode));
}

static mode_t mode_in(int flags, va_list arguments) {
  return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}

#define OPEN(name)                                         \
  int name(const char *path, int flags, ...) {             \
    va_list arguments;                                     \
    va_start(arguments, flags);                            \
    mode_t mode = mode_in(flags, arguments);               \
    va_end(arguments);                                     \
    return open_at(AT_FDCWD, path, flags, mode);           \
  }
#define OPENAT(name)                                       \
  int name(int folder, const char *path, int flags, ...) { \
    va_list arguments;                                     \
    va_start(arguments, flags);                            \
    mode_t mode = mode_in(flags, arguments);               \
    va_end(arguments);                                     \
    return open_at(folder, path, flags, mode);             \
  }
OPEN(open)
OPENAT(openat)
#ifdef __GLIBC__
OPEN(open64)
OPENAT(openat64)
#endif

/* Writing. A vector is halved by leaving out all but its first part. */

ssize_t write(int fd, const void *bytes, size_t count) {
  enum verdict verdict = judge_fd(fd, "write", 1);
  if (verdict == fails) return -1;
  return after(verdict, syscall(SYS_write, fd, bytes, share(verdict, fd, count)));
}

static ssize_t write_at(int fd, const void *bytes, size_t count, off_t offset) {
  enum verdict verdict = judge_fd(fd, "write", 1);
  if (verdict == fails) return -1;
  return after(verdict, syscall(SYS_pwrite64, fd, bytes, share(verdict, fd, count), offset));
}

static ssize_t write_vector(int fd, const struct iovec *parts, int count, off_t offset) {
  enum verdict verdict = judge_fd(fd, "write", 1);
  if (verdict == fails) return -1;
  struct iovec first;
  if (count > 0 && (verdict == halved || verdict == torn)) {
    first = (struct iovec){parts[0].iov_base, share(verdict, fd, parts[0].iov_len)};
    parts = &first;
    count = 1;
  }
  if (offset < 0) return after(verdict, syscall(SYS_writev, fd, parts, count));
  return after(verdict, syscall(SYS_pwritev, fd, parts, count, offset, 0));
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) { return write_at(fd, bytes, count, offset); }
ssize_t writev(int fd, const struct iovec *parts, int count) { return write_vector(fd, parts, count, -1); }
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
  return write_vector(fd, parts, count, offset);
}
#ifdef __GLIBC__
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) { return write_at(fd, bytes, count, offset); }
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) {
  return write_vector(fd, parts, count, offset);
}
#endif

/* Syncing. */

static int sync_fd(int fd, long call) {
  enum verdict verdict = judge_fd(fd, "sync", 0);
  if (verdict == fails) return -1;
  return (int)after(verdict, syscall(call, fd));
}

int fsync(int fd) { return sync_fd(fd, SYS_fsync); }
int fdatasync(int fd) { return sync_fd(fd, SYS_fdatasync); }

/* Names. Of two paths the new one decides. */

static int rename_at(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
  enum verdict verdict = judge_path(to_folder, to, "rename", 0);
  if (verdict == fails) return -1;
  return (int)after(verdict, syscall(SYS_renameat2, from_folder, from, to_folder, to, flags));
}

int rename(const char *from, const char *to) { return rename_at(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int from_folder, const char *from, int to_folder, const char *to) {
  return rename_at(from_folder, from, to_folder, to, 0);
}
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
  return rename_at(from_folder, from, to_folder, to, flags);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
  enum verdict verdict = judge_path(to_folder, to, "link", 1);
  if (verdict == fails) return -1;
  return (int)after(verdict, syscall(SYS_linkat, from_folder, from, to_folder, to, flags));
}
int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }

int mkdirat(int folder, const char *path, mode_t mode) {
  enum verdict verdict = judge_path(folder, path, "mkdir", 1);
  if (verdict == fails) return -1;
  return (int)after(verdict, syscall(SYS_mkdirat, folder, path, mode));
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int unlinkat(int folder, const char *path, int flags) {
  enum verdict verdict = judge_path(folder, path, "remove", 0);
  if (verdict == fails) return -1;
  return (int)after(verdict, syscall(SYS_unlinkat, folder, path, flags));
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
