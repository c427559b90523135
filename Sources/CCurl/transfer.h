/* What client.c and transfer.c share. */
#ifndef CCURL_TRANSFER_H
#define CCURL_TRANSFER_H

#include "CCurl.h"
#include "library.h"

#include <libdeflate.h>
#include <zlib.h>

/* Places for connections that may be used again; where two have one place, the later one has it. */
#define CCURL_OPENED 1024

/* Bytes that grow. */
typedef struct {
  char *bytes;
  size_t length, capacity;
} ccurl_buffer;

/* How a body is compressed; unknown until its first byte. */
typedef enum { CCURL_UNKNOWN = 0, CCURL_PLAIN, CCURL_GZIP, CCURL_DEFLATE } ccurl_form;

/* What decompresses a body. */
typedef struct {
  z_stream stream;
  ccurl_form form;
  size_t taken;              /* compressed bytes that have come */
  char first;                /* the first of them */
  bool is_whole, is_unwrapped;
  bool is_streamed;          /* it is decompressed as it comes, not once it is there */
  ccurl_buffer packed;       /* what has come and is not decompressed yet */
  const char *problem;       /* why it does not decompress, or NULL */
} ccurl_inflater;

/* What an encrypted connection carries. */
typedef enum { CCURL_UNKNOWN_SPEECH = 0, CCURL_HTTP1, CCURL_HTTP2 } ccurl_speech;

/* A connection that may be used again. */
typedef struct {
  int socket;                /* may be another's by now */
  long losses;               /* how many the client had lost when this one was last seen to work */
} ccurl_opened;

struct ccurl_transfer {
  CURL *easy;
  ccurl_client *client;
  ccurl_transfer *next;      /* among the unused, or the running ones */
  ccurl_transfer **link;     /* what points to it, while it runs */
  struct curl_slist *headers;
  int64_t tag;
  size_t max_body;
  ccurl_buffer head, body;
  ccurl_buffer sent;         /* a body that is given piece by piece, as it is sent only once */
  size_t given;              /* how much of it was given */
  ccurl_inflater inflater;
  bool is_head_complete, expects_body, is_failed, is_proxied, is_lent, needs_connection;
  int lent;                  /* a connection that was not needed yet, or -1 */
  int opened;                /* the socket that was opened last for it, or -1 */
  int port;                  /* this side's end of its connection, or -1 */
  bool is_encrypted, is_on_stale; /* whether the connection that it was given had bytes that nobody asked for */
  bool is_sent, is_lost;     /* whether it was let through, and then libcurl wanted to send it again */
  ccurl_speech speech;       /* of the connection that it was sent on, where that is encrypted */
  bool needs_farewell, has_farewell; /* whether only the end of encryption says that the body is whole, and it came */
  struct curl_slist *places; /* where a host is taken to be */
  ccurl_outcome stopped;     /* why a callback ended the transfer, or CCURL_DONE */
  char detail[CURL_ERROR_SIZE];
};

struct ccurl_client {
  CURLM *multi;
  int sockets;               /* of epoll: those that libcurl waits for */
  int64_t due_ns;            /* when libcurl wants to be called at the latest, or -1 */
  int64_t checked_ns;        /* when all transfers were looked at */
  ccurl_transfer *unused, *running;
  size_t unused_count;
  long running_count, most_running;
  struct libdeflate_decompressor *decompressor; /* made with the first body that needs it */
  ccurl_opened opened[CCURL_OPENED]; /* by their ports here */
  long losses;               /* connections that were used before and ended instead of an answer */
  ccurl_guard guard;         /* NULL lets all through */
  void *guard_context;
};

/* A transfer with default options, on a handle used before or a new one; NULL without memory. */
ccurl_transfer *ccurl_transfer_allocate(ccurl_client *client);
void ccurl_transfer_free(ccurl_transfer *transfer);
/* Closes a connection that was lent and not needed. */
void ccurl_transfer_drop_lent(ccurl_transfer *transfer);
void ccurl_transfer_unlink(ccurl_transfer *transfer);
void ccurl_transfer_read_result(ccurl_transfer *transfer, CURLcode code, ccurl_result *result);

/* Between the connection and the request: keeps the socket of a new connection; false for an old one that has bytes waiting, which belong
 * to no request: an answer that came twice, or a body where there is none. They would be taken for the answer to this one. False, too,
 * for one that has not been used since another one was lost: the server may have closed them all. */
bool ccurl_transfer_meets_clean_connection(ccurl_transfer *transfer);
/* Its connection has brought an answer. */
void ccurl_transfer_note_working(ccurl_transfer *transfer);

/* What the connection carries that the transfer was given. */
ccurl_speech ccurl_tls_speech(const ccurl_transfer *transfer);
/* Whether something has come on it that was decrypted, or taken to be, and not read. */
bool ccurl_tls_has_unread(const ccurl_transfer *transfer);
/* Has the body be whole only if the server says that it ends the encryption, not where somebody just ends the connection. */
void ccurl_tls_await_farewell(ccurl_transfer *transfer);

/* Has libcurl say which sockets it waits for, and how long; false without a descriptor. */
bool ccurl_client_watch(ccurl_client *client);

/* Room for `more` bytes and `padding` after them. */
bool ccurl_buffer_reserve(ccurl_buffer *buffer, size_t more, size_t padding);

/* The ways of compressing that are offered. */
const char *ccurl_decompress_offer(void);
/* Appends what a piece of the body stands for, if the body is compressed; `form` says afterwards whether it is. */
ccurl_outcome ccurl_decompress(ccurl_transfer *transfer, char *bytes, size_t length);
/* Decompresses what is left of a body that has come, which may turn out to be the beginning of a longer one. */
ccurl_outcome ccurl_decompress_finish(ccurl_transfer *transfer);
void ccurl_decompress_end(ccurl_transfer *transfer);

/* Whether its answer, whose head is complete, has a body of other than no bytes. */
bool ccurl_transfer_has_body(const ccurl_transfer *transfer);

/* The callbacks that collect an answer; `transfer` is their user pointer. */
size_t ccurl_receive_head(char *bytes, size_t size, size_t count, void *transfer);
size_t ccurl_receive_body(char *bytes, size_t size, size_t count, void *transfer);

#endif
