/* Digests, from OpenSSL. */
#ifndef CCRYPTO_H
#define CCRYPTO_H

#include <stddef.h>

typedef enum { CCRYPTO_MD5, CCRYPTO_SHA1, CCRYPTO_SHA256, CCRYPTO_SHA384, CCRYPTO_SHA512 } ccrypto_algorithm;

/* Bytes of a digest, at most. */
#define CCRYPTO_MOST 64

/* Writes the digest of the data, or with a key its HMAC (RFC 2104). Returns its bytes; none where OpenSSL refuses. */
size_t ccrypto_digest(ccrypto_algorithm algorithm, const unsigned char *key, size_t key_length, const unsigned char *data,
                      size_t length, unsigned char *digest);

#endif
