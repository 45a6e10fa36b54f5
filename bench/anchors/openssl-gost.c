/*
 * The anchor in C: OpenSSL with its GOST engine, in one process that answers line by line, so that it can be measured in
 * turns with ours.
 *
 *   verify ALGORITHM PARAMSET COUNT   "COUNT verifications" of one signature, key decoded each time
 *   digest NAME MEGABYTES             one digest of so many megabytes
 *
 * Each answer is the time it took, in milliseconds.
 */
#include <openssl/conf.h>
#include <openssl/engine.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static void must(int is_ok, const char *what) {
  if (is_ok) return;
  fprintf(stderr, "%s failed\n", what);
  exit(1);
}

typedef struct {
  char name[64];
  unsigned char *key;
  int key_length;
  unsigned char digest[64], signature[128];
  size_t digest_length, signature_length;
} Case;

/* A key and a signature of the engine's own, made once for each algorithm and paramset. */
static Case *case_of(ENGINE *engine, const char *algorithm, const char *paramset) {
  static Case cases[16];
  static int count = 0;
  char name[64];
  snprintf(name, sizeof name, "%s %s", algorithm, paramset);
  for (int i = 0; i < count; i++)
    if (strcmp(cases[i].name, name) == 0) return &cases[i];
  Case *made = &cases[count++];
  strcpy(made->name, name);
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *generation = EVP_PKEY_CTX_new_id(OBJ_sn2nid(algorithm), engine);
  must(generation && EVP_PKEY_keygen_init(generation) > 0, "key generation");
  must(EVP_PKEY_CTX_ctrl_str(generation, "paramset", paramset) > 0, "paramset");
  must(EVP_PKEY_keygen(generation, &key) > 0, "key");
  made->key_length = i2d_PUBKEY(key, &made->key);
  made->digest_length = strstr(algorithm, "512") ? 64 : 32;
  for (size_t i = 0; i < made->digest_length; i++) made->digest[i] = (unsigned char)(i * 37 + 11);
  EVP_PKEY_CTX *signing = EVP_PKEY_CTX_new(key, engine);
  made->signature_length = sizeof made->signature;
  must(EVP_PKEY_sign_init(signing) > 0, "signing");
  must(EVP_PKEY_sign(signing, made->signature, &made->signature_length, made->digest, made->digest_length) > 0, "signature");
  return made;
}

static void verify(ENGINE *engine, const char *algorithm, const char *paramset, int count) {
  Case *c = case_of(engine, algorithm, paramset);
  double start = now();
  for (int i = 0; i < count; i++) {
    const unsigned char *at = c->key;
    EVP_PKEY *key = d2i_PUBKEY(NULL, &at, c->key_length);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, engine);
    must(EVP_PKEY_verify_init(context) > 0, "verification");
    must(EVP_PKEY_verify(context, c->signature, c->signature_length, c->digest, c->digest_length) == 1, "verdict");
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(key);
  }
  printf("%f\n", now() - start);
}

static void digest(ENGINE *engine, const char *name, int megabytes) {
  size_t size = (size_t)megabytes * 1000000;
  unsigned char *message = malloc(size), out[64];
  for (size_t i = 0; i < size; i++) message[i] = (unsigned char)(i * 7);
  double start = now();
  must(EVP_Digest(message, size, out, NULL, EVP_get_digestbyname(name), engine) == 1, "digest");
  printf("%f\n", now() - start);
  free(message);
}

int main(void) {
  ENGINE_load_builtin_engines();
  ENGINE *engine = ENGINE_by_id("gost");
  must(engine && ENGINE_init(engine) && ENGINE_set_default(engine, ENGINE_METHOD_ALL), "engine");
  char line[128], first[64], second[64];
  int count;
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "verify %63s %63s %d", first, second, &count) == 3) verify(engine, first, second, count);
    else if (sscanf(line, "digest %63s %d", first, &count) == 2) digest(engine, first, count);
    else must(0, line);
    fflush(stdout);
  }
  return 0;
}
