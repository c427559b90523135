/* Digests by the functions of each themselves, linked statically: OpenSSL's newer ones begin by reading its settings and setting
 * up all that it can do, and its library has thousands of names to look up at each start, which takes longer than all else in a
 * short run. They are called deprecated, and stay in OpenSSL 3. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "CCrypto.h"

#include <openssl/md5.h>
#include <openssl/sha.h>
#include <stdbool.h>
#include <string.h>

typedef union {
  MD5_CTX md5;
  SHA_CTX sha1;
  SHA256_CTX sha256;
  SHA512_CTX sha512;
} context;

typedef struct {
  size_t block, size;
  int (*begin)(context *);
  int (*add)(context *, const void *, size_t);
  int (*end)(unsigned char *, context *);
} form;

#define FUNCTIONS(name, member, prefix) \
  static int name##_begin(context *c) { return prefix##_Init(&c->member); } \
  static int name##_add(context *c, const void *data, size_t length) { return prefix##_Update(&c->member, data, length); } \
  static int name##_end(unsigned char *digest, context *c) { return prefix##_Final(digest, &c->member); }

FUNCTIONS(md5, md5, MD5)
FUNCTIONS(sha1, sha1, SHA1)
FUNCTIONS(sha256, sha256, SHA256)
FUNCTIONS(sha384, sha512, SHA384)
FUNCTIONS(sha512, sha512, SHA512)

static const form forms[] = {
    [CCRYPTO_MD5] = {MD5_CBLOCK, MD5_DIGEST_LENGTH, md5_begin, md5_add, md5_end},
    [CCRYPTO_SHA1] = {SHA_CBLOCK, SHA_DIGEST_LENGTH, sha1_begin, sha1_add, sha1_end},
    [CCRYPTO_SHA256] = {SHA256_CBLOCK, SHA256_DIGEST_LENGTH, sha256_begin, sha256_add, sha256_end},
    [CCRYPTO_SHA384] = {SHA512_CBLOCK, SHA384_DIGEST_LENGTH, sha384_begin, sha384_add, sha384_end},
    [CCRYPTO_SHA512] = {SHA512_CBLOCK, SHA512_DIGEST_LENGTH, sha512_begin, sha512_add, sha512_end},
};

/* The digest of a block, if there is one, and the data behind it. */
static bool hash(const form *f, const unsigned char *block, const unsigned char *data, size_t length,
                 unsigned char *digest) {
  context c;
  return f->begin(&c) && (!block || f->add(&c, block, f->block)) && f->add(&c, data, length) && f->end(digest, &c);
}

size_t ccrypto_digest(ccrypto_algorithm algorithm, const unsigned char *key, size_t key_length, const unsigned char *data,
                      size_t length, unsigned char *digest) {
  const form *f = &forms[algorithm];
  if (!key) return hash(f, NULL, data, length, digest) ? f->size : 0;
  unsigned char inner[SHA512_CBLOCK] = {0}, outer[SHA512_CBLOCK];
  if (key_length <= f->block)
    memcpy(inner, key, key_length);
  else if (!hash(f, NULL, key, key_length, inner))
    return 0;
  for (size_t place = 0; place < f->block; place++) {
    outer[place] = inner[place] ^ 0x5c;
    inner[place] ^= 0x36;
  }
  return hash(f, inner, data, length, digest) && hash(f, outer, digest, f->size, digest) ? f->size : 0;
}
