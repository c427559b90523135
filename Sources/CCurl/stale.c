#include "transfer.h"

#include <netinet/in.h>
#include <sys/socket.h>

/* The port of a socket here; -1 if it has none. */
static int port_of(int socket) {
  struct sockaddr_storage place;
  socklen_t length = sizeof place;
  if (socket < 0 || getsockname(socket, (struct sockaddr *)&place, &length) != 0) return -1;
  switch (place.ss_family) {
    case AF_INET: return ntohs(((struct sockaddr_in *)&place)->sin_port);
    case AF_INET6: return ntohs(((struct sockaddr_in6 *)&place)->sin6_port);
    default: return -1;
  }
}

bool ccurl_transfer_meets_clean_connection(ccurl_transfer *transfer) {
  if (transfer->port <= 0) return true;
  ccurl_client *client = transfer->client;
  ccurl_opened *place = &client->opened[transfer->port % CCURL_OPENED];
  if (transfer->opened >= 0) {
    *place = (ccurl_opened){.socket = transfer->opened, .losses = client->losses};
    return true;
  }
  /* On one that is shared, the answers to others come. Else the answer before was read to its end, and what TLS sends ahead with it. */
  if (transfer->is_encrypted && transfer->speech != CCURL_HTTP1) return true;
  if (port_of(place->socket) != transfer->port) return true;
  char byte;
  return place->losses == client->losses && recv(place->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) <= 0
         && !(transfer->is_encrypted && ccurl_tls_has_unread(transfer));
}

void ccurl_transfer_note_working(ccurl_transfer *transfer) {
  if (transfer->port <= 0) return;
  ccurl_opened *place = &transfer->client->opened[transfer->port % CCURL_OPENED];
  if (port_of(place->socket) == transfer->port) place->losses = transfer->client->losses;
}
