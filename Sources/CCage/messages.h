/* What a process and its broker say to each other: one message asks, one answers. */
#ifndef CCAGE_MESSAGES_H
#define CCAGE_MESSAGES_H

#include "CCage.h"

#include <limits.h>
#include <sys/types.h>

typedef enum { ASK_KEEP, ASK_BEGIN, ASK_END, ASK_PUBLISH, ASK_DISCARD, ASK_EDIT, ASK_PERSON, ASK_NO_MORE } ccage_question;

typedef struct {
  int32_t question;
  int32_t number; /* an index, a flag or a line */
  char path[PATH_MAX];
  char place[CCAGE_MOST_PLACE];
} ccage_message;

/* The broker's life: answers until the other end is gone, then cleans up. */
void ccage_serve(int socket, const ccage_duties *duties, pid_t parent);

#endif
