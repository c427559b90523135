#include "transfer.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/* Handles kept for later; each holds some 20 kB. */
#define MAX_UNUSED 64

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CURLcode prepared;

static void prepare(void) {
  prepared = ccurl_load() ? CURLE_FAILED_INIT : curl_global_init(CURL_GLOBAL_DEFAULT);
}

ccurl_client *ccurl_client_create(void) {
  pthread_once(&once, prepare);
  if (prepared != CURLE_OK) return NULL;
  ccurl_client *client = calloc(1, sizeof *client);
  if (!client) return NULL;
  client->sockets = -1;
  for (size_t place = 0; place < CCURL_OPENED; place++) client->opened[place].socket = -1;
  client->multi = curl_multi_init();
  if (!client->multi || !ccurl_client_watch(client)) {
    if (client->multi) curl_multi_cleanup(client->multi);
    free(client);
    return NULL;
  }
  curl_multi_setopt(client->multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
  return client;
}

void ccurl_client_set_guard(ccurl_client *client, ccurl_guard guard, void *context) {
  client->guard = guard;
  client->guard_context = context;
}

void ccurl_client_free(ccurl_client *client) {
  while (client->running) ccurl_transfer_cancel(client->running);
  while (client->unused) {
    ccurl_transfer *transfer = client->unused;
    client->unused = transfer->next;
    ccurl_transfer_free(transfer);
  }
  curl_multi_cleanup(client->multi);
  close(client->sockets);
  libdeflate_free_decompressor(client->decompressor);
  free(client);
}

ccurl_transfer *ccurl_transfer_create(ccurl_client *client, int64_t tag) {
  ccurl_transfer *transfer = ccurl_transfer_allocate(client);
  if (transfer) transfer->tag = tag;
  return transfer;
}

/* Keeps the connections of the busiest moment: left to itself, libcurl closes those beyond four for each transfer that runs
   just then, so that a moment in which one runs costs the next ones their connections. */
static void keep_connections(ccurl_client *client) {
  if (client->running_count <= client->most_running) return;
  client->most_running = client->running_count;
  curl_multi_setopt(client->multi, CURLMOPT_MAXCONNECTS, 4 * client->most_running);
}

/* Adds it to those that run; false if libcurl does not take it. */
static bool begin(ccurl_transfer *transfer) {
  ccurl_client *client = transfer->client;
  if (curl_multi_add_handle(client->multi, transfer->easy) != CURLM_OK) return false;
  transfer->next = client->running;
  if (transfer->next) transfer->next->link = &transfer->next;
  transfer->link = &client->running;
  client->running = transfer;
  client->running_count++;
  keep_connections(client);
  return true;
}

bool ccurl_transfer_start(ccurl_transfer *transfer) {
  curl_easy_setopt(transfer->easy, CURLOPT_HTTPHEADER, transfer->headers);
  if (!transfer->is_failed && begin(transfer)) return true;
  ccurl_transfer_recycle(transfer);
  return false;
}

/* Another time, on another connection. */
static bool start_again(ccurl_transfer *transfer) {
  transfer->is_on_stale = false;
  transfer->detail[0] = 0;
  return begin(transfer);
}

void ccurl_transfer_unlink(ccurl_transfer *transfer) {
  curl_multi_remove_handle(transfer->client->multi, transfer->easy);
  *transfer->link = transfer->next;
  if (transfer->next) transfer->next->link = transfer->link;
  transfer->link = NULL;
  transfer->client->running_count--;
}

void ccurl_transfer_cancel(ccurl_transfer *transfer) {
  ccurl_transfer_unlink(transfer);
  ccurl_transfer_recycle(transfer);
}

ccurl_transfer *ccurl_client_finished(ccurl_client *client, ccurl_result *result) {
  int left;
  CURLMsg *message;
  while ((message = curl_multi_info_read(client->multi, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    CURLcode code = message->data.result; /* the message is gone once its handle is removed */
    ccurl_transfer *transfer = NULL;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&transfer);
    ccurl_transfer_unlink(transfer);
    /* That connection is closed now, and nothing was sent on it. */
    if (transfer->is_on_stale && code != CURLE_OK && start_again(transfer)) continue;
    if (code == CURLE_OK) ccurl_transfer_note_working(transfer);
    if (transfer->is_lost && transfer->speech != CCURL_HTTP2) client->losses++;
    ccurl_transfer_read_result(transfer, code, result);
    return transfer;
  }
  return NULL;
}

void ccurl_transfer_recycle(ccurl_transfer *transfer) {
  ccurl_client *client = transfer->client;
  if (client->unused_count >= MAX_UNUSED) {
    ccurl_transfer_free(transfer);
    return;
  }
  ccurl_decompress_end(transfer);
  curl_easy_reset(transfer->easy);
  ccurl_transfer_drop_lent(transfer);
  curl_slist_free_all(transfer->headers);
  transfer->headers = NULL;
  free(transfer->body.bytes);
  transfer->body = (ccurl_buffer){0};
  free(transfer->sent.bytes);
  transfer->sent = (ccurl_buffer){0};
  transfer->next = client->unused;
  client->unused = transfer;
  client->unused_count += 1;
}
