/* Preloaded, it makes every file system one on which processes cannot share the index of SQLite's log. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int is_index(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 4) return 0;
  path[length] = 0;
  return strcmp(path + length - 4, "-shm") == 0;
}

void *mmap(void *start, size_t length, int protection, int flags, int fd, off_t offset) {
  static void *(*real)(void *, size_t, int, int, int, off_t);
  if (!real) real = dlsym(RTLD_NEXT, "mmap");
  if (fd >= 0 && (flags & MAP_SHARED) && is_index(fd)) {
    errno = ENODEV;
    return MAP_FAILED;
  }
  return real(start, length, protection, flags, fd, offset);
}

void *mmap64(void *start, size_t length, int protection, int flags, int fd, off_t offset) {
  return mmap(start, length, protection, flags, fd, offset);
}
