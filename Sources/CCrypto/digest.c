#include "CCrypto.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

_Bool ccrypto_sha256(const unsigned char *key, size_t key_length, const unsigned char *data, size_t length,
                     unsigned char *digest) {
  unsigned int written = 0;
  if (key) return HMAC(EVP_sha256(), key, (int)key_length, data, length, digest, &written) != NULL;
  return EVP_Digest(data, length, digest, &written, EVP_sha256(), NULL) == 1;
}
