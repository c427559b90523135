#include "CText.h"

#include <utf8proc.h>

int ctext_width(uint32_t scalar) {
  const utf8proc_property_t *property = utf8proc_get_property((utf8proc_int32_t)scalar);
  switch (property->boundclass) {
  /* Vowels and final consonants of Korean are drawn into the block that the first consonant begins. */
  case UTF8PROC_BOUNDCLASS_V:
  case UTF8PROC_BOUNDCLASS_T: return 0;
  default: break;
  }
  switch (property->category) {
  /* Vowel signs beside their letter take a cell, as in the C library's wcwidth and in terminals. */
  case UTF8PROC_CATEGORY_MC: return 1;
  /* A soft hyphen is shown only where a line is broken. */
  case UTF8PROC_CATEGORY_CF: return 0;
  default: return property->charwidth;
  }
}
