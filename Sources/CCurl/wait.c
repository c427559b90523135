#define _GNU_SOURCE /* ppoll */
#include "transfer.h"

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>

#define SECOND_NS 1000000000

static int64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * SECOND_NS + time.tv_nsec;
}

/* libcurl waits for a socket from now on, for something else, or no more. */
static int note_socket(CURL *easy, curl_socket_t socket, int what, void *user, void *known) {
  (void)easy;
  (void)known;
  ccurl_client *client = user;
  struct epoll_event event = {.data.fd = socket};
  if (what & CURL_POLL_IN) event.events |= EPOLLIN;
  if (what & CURL_POLL_OUT) event.events |= EPOLLOUT;
  if (what == CURL_POLL_REMOVE) {
    epoll_ctl(client->sockets, EPOLL_CTL_DEL, socket, &event);
  } else if (epoll_ctl(client->sockets, EPOLL_CTL_ADD, socket, &event) != 0 && errno == EEXIST) {
    epoll_ctl(client->sockets, EPOLL_CTL_MOD, socket, &event);
  }
  return 0;
}

static int note_time(CURLM *multi, long timeout_ms, void *user) {
  (void)multi;
  ccurl_client *client = user;
  client->due_ns = timeout_ms < 0 ? -1 : now_ns() + (int64_t)timeout_ms * 1000000;
  return 0;
}

bool ccurl_client_watch(ccurl_client *client) {
  client->sockets = epoll_create1(EPOLL_CLOEXEC);
  client->due_ns = -1;
  client->checked_ns = now_ns();
  curl_multi_setopt(client->multi, CURLMOPT_SOCKETFUNCTION, note_socket);
  curl_multi_setopt(client->multi, CURLMOPT_SOCKETDATA, client);
  curl_multi_setopt(client->multi, CURLMOPT_TIMERFUNCTION, note_time);
  curl_multi_setopt(client->multi, CURLMOPT_TIMERDATA, client);
  return client->sockets >= 0;
}

int ccurl_client_descriptor(const ccurl_client *client) { return client->sockets; }

int64_t ccurl_client_time_left(const ccurl_client *client) {
  if (client->running_count == 0) return -1;
  int64_t due = client->checked_ns + SECOND_NS;
  if (client->due_ns >= 0 && client->due_ns < due) due = client->due_ns;
  int64_t left = due - now_ns();
  return left < 0 ? 0 : left;
}

bool ccurl_client_perform(ccurl_client *client) {
  int running;
  struct epoll_event event;
  bool is_ready = epoll_wait(client->sockets, &event, 1, 0) == 1;
  /* Of a socket with an error libcurl finds out itself what it is. */
  if (is_ready)
    curl_multi_socket_action(client->multi, event.data.fd, event.events == EPOLLIN ? CURL_CSELECT_IN : 0, &running);
  int64_t now = now_ns();
  if (client->due_ns >= 0 && now >= client->due_ns) {
    client->due_ns = -1;
    curl_multi_socket_action(client->multi, CURL_SOCKET_TIMEOUT, 0, &running);
  }
  /* Should libcurl ever have forgotten to say what a transfer waits for, it is not for ever. */
  if (now - client->checked_ns >= SECOND_NS) {
    client->checked_ns = now;
    curl_multi_socket_all(client->multi, &running);
  }
  return is_ready;
}

bool ccurl_wait_readable(int descriptor, int other, int third, int64_t timeout_ns) {
  struct pollfd watched[3] = {
    {.fd = descriptor, .events = POLLIN}, {.fd = other, .events = POLLIN}, {.fd = third, .events = POLLIN}};
  struct timespec time = {.tv_sec = timeout_ns / SECOND_NS, .tv_nsec = timeout_ns % SECOND_NS};
  return ppoll(watched, 3, timeout_ns < 0 ? NULL : &time, NULL) > 0 && watched[0].revents != 0;
}

int ccurl_wake_create(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }
