/* Reads a whole XML text with expat, and calls back. Nothing outside of the text is read. */
#ifndef CXML_H
#define CXML_H

#include <stdbool.h>
#include <stddef.h>

/* What is called; each ends the reading by false. Names and values are UTF-8, and end with a zero; attributes are names and
 * values in turn, and end with NULL. */
struct cxml_listener {
  void *owner;
  bool (*begin)(void *owner, const char *name, const char *const *attributes);
  bool (*end)(void *owner);
  bool (*text)(void *owner, const char *bytes, size_t count);
  /* An entity that the text declares, or one that it does not have. */
  bool (*entity)(void *owner, const char *name, bool is_declared);
};

/* Where and why a text is not read; `reason` is expat's and stays. */
struct cxml_fault {
  const char *reason;
  size_t line, column;
};

/* False, with the fault, where it is no XML or the listener ended it. At most 2 GB. */
bool cxml_read(const char *bytes, size_t count, struct cxml_listener listener, struct cxml_fault *fault);

#endif
