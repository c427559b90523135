/* SHA-256, from OpenSSL. */
#ifndef CCRYPTO_H
#define CCRYPTO_H

#include <stddef.h>

/* Writes 32 bytes: the hash of the data, or with a key its HMAC (RFC 2104). False when OpenSSL refuses. */
_Bool ccrypto_sha256(const unsigned char *key, size_t key_length, const unsigned char *data, size_t length,
                     unsigned char *digest);

#endif
