/* The memory of libraries, and of the program itself. */
#define _GNU_SOURCE
#include "CCage.h"

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

/* Whether the linker has written into code, which is then not what the file has. */
static bool has_written_code(const struct dl_phdr_info *library) {
  for (int i = 0; i < library->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &library->dlpi_phdr[i];
    if (part->p_type != PT_DYNAMIC) continue;
    const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(library->dlpi_addr + part->p_vaddr);
    for (; entry->d_tag != DT_NULL; entry++)
      if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && entry->d_un.d_val & DF_TEXTREL)) return true;
  }
  return false;
}

static int release(struct dl_phdr_info *library, size_t size, void *context) {
  (void)size, (void)context;
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < library->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &library->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || part->p_flags & PF_W) continue;
    const uintptr_t start = library->dlpi_addr + part->p_vaddr, end = start + part->p_filesz;
    if (getauxval(AT_SYSINFO_EHDR) == start || has_written_code(library)) break;
    const uintptr_t first = (start + page - 1) / page * page, last = end / page * page;
    if (first < last) (void)madvise((void *)first, last - first, MADV_DONTNEED);
  }
  return 0;
}

void ccage_release_libraries(void) { (void)dl_iterate_phdr(release, NULL); }
