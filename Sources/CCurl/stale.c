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

bool ccurl_transfer_meets_clean_connection(ccurl_transfer *transfer, int local_port) {
  /* Of an encrypted connection there may be something to read that is none of HTTP. */
  if (local_port <= 0 || transfer->is_encrypted) return true;
  int *place = &transfer->client->opened[local_port % CCURL_OPENED];
  if (transfer->opened >= 0) {
    *place = transfer->opened;
    return true;
  }
  char byte;
  return port_of(*place) != local_port || recv(*place, &byte, 1, MSG_PEEK | MSG_DONTWAIT) <= 0;
}
