/* SHA-256 by the functions of it themselves, linked statically: OpenSSL's newer ones begin by reading its settings and setting up
 * all that it can do, and its library has thousands of names to look up at each start, which takes longer than all else in a
 * short run. They are called deprecated, and stay in OpenSSL 3. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "CCrypto.h"

#include <openssl/sha.h>
#include <stdbool.h>
#include <string.h>

/* The hash of a block, if there is one, and the data behind it. */
static bool hash(const unsigned char *block, const unsigned char *data, size_t length, unsigned char *digest) {
  SHA256_CTX context;
  return SHA256_Init(&context) && (!block || SHA256_Update(&context, block, SHA256_CBLOCK)) &&
         SHA256_Update(&context, data, length) && SHA256_Final(digest, &context);
}

_Bool ccrypto_sha256(const unsigned char *key, size_t key_length, const unsigned char *data, size_t length,
                     unsigned char *digest) {
  if (!key) return hash(NULL, data, length, digest);
  unsigned char inner[SHA256_CBLOCK] = {0}, outer[SHA256_CBLOCK];
  if (key_length <= sizeof inner)
    memcpy(inner, key, key_length);
  else if (!hash(NULL, key, key_length, inner))
    return false;
  for (size_t place = 0; place < sizeof inner; place++) {
    outer[place] = inner[place] ^ 0x5c;
    inner[place] ^= 0x36;
  }
  return hash(inner, data, length, digest) && hash(outer, digest, SHA256_DIGEST_LENGTH, digest);
}
