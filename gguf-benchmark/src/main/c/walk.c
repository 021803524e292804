/* The least that any reader of a GGUF header must do: touch every length in it, once, in order. Nothing is checked and
   nothing is kept. It is what the reader is measured against. */
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const int size_of[13] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

static uint64_t u64(const uint8_t *p) {
  uint64_t v;
  memcpy(&v, p, 8);
  return v;
}

static uint32_t u32(const uint8_t *p) {
  uint32_t v;
  memcpy(&v, p, 4);
  return v;
}

/* Returns the offset of the end of the tensor table of a little-endian file of version 2 or 3, or 0. */
uint64_t gguf_walk(const char *path) {
  int fd = open(path, O_RDONLY);
  struct stat st;
  if (fd < 0 || fstat(fd, &st) != 0) return 0;
  const uint8_t *b = mmap(0, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (b == MAP_FAILED) {
    close(fd);
    return 0;
  }
  uint64_t at = 24, tensors = u64(b + 8), keys = u64(b + 16);
  volatile uint64_t sink = 0;
  for (uint64_t i = 0; i < keys; i++) {
    at += 8 + u64(b + at);
    uint32_t type = u32(b + at);
    at += 4;
    if (type == 8) {
      at += 8 + u64(b + at);
    } else if (type == 9) {
      uint32_t element = u32(b + at);
      uint64_t count = u64(b + at + 4);
      at += 12;
      if (element == 8) {
        for (uint64_t k = 0; k < count; k++) at += 8 + u64(b + at);
      } else {
        at += count * size_of[element];
      }
    } else {
      at += size_of[type];
    }
  }
  uint64_t sum = 0;
  for (uint64_t i = 0; i < tensors; i++) {
    at += 8 + u64(b + at);
    uint32_t dimensions = u32(b + at);
    at += 4;
    for (uint32_t k = 0; k < dimensions; k++, at += 8) sum += u64(b + at);
    sum += u32(b + at) + u64(b + at + 4);
    at += 12;
  }
  sink = sum;
  munmap((void *)b, st.st_size);
  close(fd);
  return at;
}
