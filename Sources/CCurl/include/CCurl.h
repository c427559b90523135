/* Many HTTP exchanges at once on one thread, through libcurl: the variadic and macro parts of it, behind functions that
 * Swift can call. A client and its transfers are used by one thread at a time; no function blocks except ccurl_wait_readable. */
#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Readable zero bytes after a body, for parsers that read in wide strides. */
#define CCURL_PADDING 64

typedef struct ccurl_client ccurl_client;
typedef struct ccurl_transfer ccurl_transfer;

/* How an exchange ended. */
typedef enum __attribute__((enum_extensibility(closed))) {
  CCURL_DONE = 0,
  CCURL_TIMEOUT,        /* over the time that was allowed */
  CCURL_NO_HOST,        /* the name does not resolve */
  CCURL_NO_PROXY,       /* the proxy's name does not resolve, or it refuses */
  CCURL_PROXY_REFUSED,  /* the proxy makes no way to the host; the status is its answer's */
  CCURL_NO_CONNECTION,  /* refused, unreachable */
  CCURL_BROKEN,         /* the connection ended before the answer, or was reset */
  CCURL_CUT,            /* the body ended early */
  CCURL_TOO_LARGE,      /* the body is over the limit */
  CCURL_HEAD_TOO_LARGE, /* the header lines are over CCURL_MAX_HEAD */
  CCURL_NOT_TRUSTED,    /* the certificate does not verify */
  CCURL_NO_CERTIFICATES,/* the file of trusted certificates can't be used */
  CCURL_TLS,            /* no agreement on an encrypted connection */
  CCURL_NOT_HTTP,       /* what answers does not speak HTTP */
  CCURL_BAD_ENCODING,   /* the body does not decompress */
  CCURL_NO_MEMORY,
  CCURL_REFUSED,        /* the client's guard refuses the address that the host turned out to have */
  CCURL_INVALID,        /* libcurl refuses the URL or an option */
  CCURL_OTHER
} ccurl_outcome;

/* Bytes of header lines that are taken at most. */
#define CCURL_MAX_HEAD (256 * 1024)

/* The result of a transfer. Pointers other than `body` are valid until the transfer is recycled. */
typedef struct {
  int64_t tag;
  ccurl_outcome outcome;
  long status;
  const char *head;          /* the header lines of the last answer, each with its line end */
  size_t head_length;
  char *body;                /* the receiver's, to be released with free(); NULL when there is none */
  size_t body_length;        /* CCURL_PADDING zeroes follow */
  const char *redirect_url;  /* absolute, or NULL */
  int64_t elapsed_us;
  int64_t expected;          /* bytes announced, before decompression; -1 when unknown */
  int64_t received;          /* bytes that came, before decompression */
  bool is_connected;         /* whether a connection was there, fit for a request */
  int os_error;              /* errno of the connection, or 0 */
  const char *peer;          /* the address that was connected to, in figures; may be empty */
  const char *detail;        /* libcurl's words */
  bool is_lost;              /* whether libcurl would have sent the request again, on another connection: there was nothing of an answer */
  bool needs_connection;     /* whether a transfer on lent connections found none that was free, and sent nothing */
} ccurl_result;

/* Loads libcurl, once in a process; NULL, or why it can't be loaded. The first client does so too: a process that is about to
 * lose the right to read the system's libraries calls it before. */
const char *ccurl_load(void);

/* What it and the libraries behind it are, as `libcurl/7.88.1 OpenSSL/3.0.15`; NULL where it can't be loaded. */
const char *ccurl_version(void);

/* A client without connections; prepares libcurl at the first call in the process. NULL without memory, or without libcurl. */
ccurl_client *ccurl_client_create(void);

/* Says whether a request may go to the peer, of an address in figures; `local` is the end on this side, the same address where
 * the peer is this machine. Asked when the connection is there, before anything is sent, except where a proxy is asked. */
typedef bool (*ccurl_guard)(void *context, const char *address, const char *local, int port);

/* A guard for all transfers that are created from now on; `context` has to outlive them. */
void ccurl_client_set_guard(ccurl_client *client, ccurl_guard guard, void *context);

/* Ends all transfers and connections. */
void ccurl_client_free(ccurl_client *client);

/* A transfer to be described by the functions below and then started; its tag comes back in the result. */
ccurl_transfer *ccurl_transfer_create(ccurl_client *client, int64_t tag);

/* The address and what to do there; texts are copied. */
void ccurl_transfer_set_target(ccurl_transfer *transfer, const char *method, const char *url);
/* The proxy to send it through, or NULL for none; without a call, or with whatever the environment says, there is none. */
void ccurl_transfer_set_proxy(ccurl_transfer *transfer, const char *proxy);
/* User and password for basic authentication. */
void ccurl_transfer_set_login(ccurl_transfer *transfer, const char *user, const char *password);
/* One header line, as `Name: value`, or `Name;` for one without a value. */
void ccurl_transfer_add_header(ccurl_transfer *transfer, const char *line);
/* A body to send; copied. One that `is_sent_once` is not sent again where the connection ends before an answer. */
void ccurl_transfer_set_body(ccurl_transfer *transfer, const void *bytes, size_t length, bool is_sent_once);
/* No connection that was used before, on which libcurl would send a request without a body again. */
void ccurl_transfer_set_sent_once(ccurl_transfer *transfer);
/* For the whole, for connecting, and the largest body after decompression. */
void ccurl_transfer_set_limits(ccurl_transfer *transfer, long timeout_ms, long connect_ms, size_t max_body);
/* The connection is encrypted: one is shared among transfers where the server can (HTTP/2), which wait to see instead of opening more. */
void ccurl_transfer_set_encrypted(ccurl_transfer *transfer);
/* A file and a folder of trusted certificates instead of the system's; either may be NULL. */
void ccurl_transfer_set_trust(ccurl_transfer *transfer, const char *file, const char *folder);

/* Has the transfer make no connection and look up no name: it takes one that others before it have left, or else the descriptor,
 * which is connected, becomes this client's, and may be -1 for none. Not with a proxy; the guard is not asked. */
void ccurl_transfer_set_lent(ccurl_transfer *transfer, int descriptor);

/* Hands the transfer over; false when one of the above failed, and then the transfer is gone. */
bool ccurl_transfer_start(ccurl_transfer *transfer);
/* Ends a transfer under way, without a result. */
void ccurl_transfer_cancel(ccurl_transfer *transfer);

/* Does what can be done without waiting, for one socket that is ready; false if none was. */
bool ccurl_client_perform(ccurl_client *client);
/* Can be read when there is something to do; it is the client's. */
int ccurl_client_descriptor(const ccurl_client *client);
/* When there is something to do at the latest, in nanoseconds from now; -1 is never. */
int64_t ccurl_client_time_left(const ccurl_client *client);
/* The next transfer that is over, with its result, or NULL; to be recycled by the caller. */
ccurl_transfer *ccurl_client_finished(ccurl_client *client, ccurl_result *result);
void ccurl_transfer_recycle(ccurl_transfer *transfer);
/* Waits until one of the descriptors (-1 is none) can be read, or the time has passed; a negative time is for ever. Answers whether the
 * first one can be read. */
bool ccurl_wait_readable(int descriptor, int other, int third, int64_t timeout_ns);
/* A descriptor that can be read once 8 bytes that are no zero were written to it, or -1. */
int ccurl_wake_create(void);

#endif
