#include "CXML.h"

#include <expat.h>
#include <limits.h>

struct reading {
  XML_Parser parser;
  struct cxml_listener listener;
  bool is_stopped;
};

static void go_on(struct reading *reading, bool goes_on) {
  if (goes_on || reading->is_stopped) return;
  reading->is_stopped = true;
  XML_StopParser(reading->parser, XML_FALSE);
}

static void begin(void *user, const XML_Char *name, const XML_Char **attributes) {
  struct reading *reading = user;
  if (!reading->is_stopped)
    go_on(reading, reading->listener.begin(reading->listener.owner, name, (const char *const *)attributes));
}

static void end(void *user, const XML_Char *name) {
  (void)name;
  struct reading *reading = user;
  if (!reading->is_stopped) go_on(reading, reading->listener.end(reading->listener.owner));
}

static void text(void *user, const XML_Char *bytes, int count) {
  struct reading *reading = user;
  if (!reading->is_stopped) go_on(reading, reading->listener.text(reading->listener.owner, bytes, (size_t)count));
}

static void declare(void *user, const XML_Char *name, int is_parameter, const XML_Char *value, int length,
                    const XML_Char *base, const XML_Char *system, const XML_Char *public,
                    const XML_Char *notation) {
  (void)is_parameter, (void)value, (void)length, (void)base, (void)system, (void)public, (void)notation;
  struct reading *reading = user;
  if (!reading->is_stopped) go_on(reading, reading->listener.entity(reading->listener.owner, name, true));
}

static void skip(void *user, const XML_Char *name, int is_parameter) {
  (void)is_parameter;
  struct reading *reading = user;
  if (!reading->is_stopped) go_on(reading, reading->listener.entity(reading->listener.owner, name, false));
}

bool cxml_read(const char *bytes, size_t count, struct cxml_listener listener, struct cxml_fault *fault) {
  *fault = (struct cxml_fault){"out of memory", 1, 1};
  struct reading reading = {XML_ParserCreate(NULL), listener, false};
  if (!reading.parser || count > INT_MAX) return false;
  XML_SetUserData(reading.parser, &reading);
  XML_SetElementHandler(reading.parser, begin, end);
  XML_SetCharacterDataHandler(reading.parser, text);
  XML_SetEntityDeclHandler(reading.parser, declare);
  XML_SetSkippedEntityHandler(reading.parser, skip);
  bool is_read = XML_Parse(reading.parser, bytes, (int)count, 1) == XML_STATUS_OK;
  if (!is_read) {
    fault->reason = XML_ErrorString(XML_GetErrorCode(reading.parser));
    fault->line = XML_GetCurrentLineNumber(reading.parser);
    fault->column = XML_GetCurrentColumnNumber(reading.parser) + 1;
  }
  XML_ParserFree(reading.parser);
  return is_read;
}
