/* A plain hash goes to the functions of SHA-256 themselves: the newer ones begin by reading OpenSSL's settings and setting up
 * all that it can do, which takes longer than anything else in a short run. They are called deprecated, and stay in OpenSSL 3. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "CCrypto.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

_Bool ccrypto_sha256(const unsigned char *key, size_t key_length, const unsigned char *data, size_t length,
                     unsigned char *digest) {
  unsigned int written = 0;
  if (key) return HMAC(EVP_sha256(), key, (int)key_length, data, length, digest, &written) != NULL;
  SHA256_CTX context;
  return SHA256_Init(&context) && SHA256_Update(&context, data, length) && SHA256_Final(digest, &context);
}
