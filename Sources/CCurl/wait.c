#define _GNU_SOURCE /* ppoll */
#include "transfer.h"

#include <poll.h>
#include <time.h>

void ccurl_client_wait(ccurl_client *client, int descriptor, int timeout_ms) {
  struct curl_waitfd extra = {.fd = descriptor, .events = CURL_WAIT_POLLIN};
  curl_multi_poll(client->multi, &extra, 1, timeout_ms, NULL);
}

void ccurl_wait_readable(int descriptor, int other, int64_t timeout_ns) {
  struct pollfd watched[2] = {{.fd = descriptor, .events = POLLIN}, {.fd = other, .events = POLLIN}};
  struct timespec time = {.tv_sec = timeout_ns / 1000000000, .tv_nsec = timeout_ns % 1000000000};
  ppoll(watched, 2, timeout_ns < 0 ? NULL : &time, NULL);
}
