/*
 * The anchor in C: OpenSSL with its GOST engine, in one process that answers line by line, so that it can be measured in
 * turns with ours.
 *
 *   verify ALGORITHM PARAMSET COUNT   "COUNT verifications" of one signature, key decoded each time
 *   digest NAME MEGABYTES             one digest of so many megabytes
 *   check FOLDER CONTENT FIRST COUNT  whole checks of the signatures FOLDER/FIRST.cms and so on, of that content
 *
 * Each answer is the time it took, in milliseconds.
 */
#include <openssl/cms.h>
#include <openssl/conf.h>
#include <openssl/engine.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ocsp.h>
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
  ERR_print_errors_fp(stderr);
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

typedef struct {
  unsigned char *bytes;
  long length;
} File;

static File file_of(const char *folder, const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *in = fopen(path, "rb");
  must(in != NULL, path);
  fseek(in, 0, SEEK_END);
  File file = {NULL, ftell(in)};
  file.bytes = malloc(file.length);
  rewind(in);
  must(fread(file.bytes, 1, file.length, in) == (size_t)file.length, path);
  fclose(in);
  return file;
}

static File numbered(const char *folder, int number, const char *kind) {
  char name[64];
  snprintf(name, sizeof name, "%d.%s", number, kind);
  return file_of(folder, name);
}

static X509 *certificate_of(File file) {
  const unsigned char *at = file.bytes;
  X509 *certificate = d2i_X509(NULL, &at, file.length);
  must(certificate != NULL, "certificate");
  return certificate;
}

/*
 * Five signatures: the document's, those of the signer's certificate, of its centre's and of the responder's, and the
 * answer's. (OCSP_basic_verify would follow the responder's chain to the root and verify the centre's a second time; so
 * the responder's certificate is checked against the centre's key alone, as ours is.)
 */
static void check_one(X509_STORE *store, File content, File cms_file, File centre_file, File ocsp_file) {
  const unsigned char *at = cms_file.bytes;
  CMS_ContentInfo *cms = d2i_CMS_ContentInfo(NULL, &at, cms_file.length);
  X509 *centre = certificate_of(centre_file);
  must(CMS_add1_cert(cms, centre) == 1, "centre");
  BIO *document = BIO_new_mem_buf(content.bytes, content.length);
  must(CMS_verify(cms, NULL, store, document, NULL, CMS_BINARY) == 1, "CMS");
  STACK_OF(X509) *signers = CMS_get0_signers(cms);

  at = ocsp_file.bytes;
  OCSP_RESPONSE *response = d2i_OCSP_RESPONSE(NULL, &at, ocsp_file.length);
  OCSP_BASICRESP *basic = OCSP_response_get1_basic(response);
  X509 *responder = NULL;
  must(OCSP_basic_verify(basic, NULL, store, OCSP_NOVERIFY) == 1, "answer");
  must(OCSP_resp_get0_signer(basic, &responder, NULL) == 1, "responder");
  must(X509_verify(responder, X509_get0_pubkey(centre)) == 1, "responder's certificate");
  must(X509_get_extended_key_usage(responder) & XKU_OCSP_SIGN, "responder's use");
  OCSP_CERTID *id = OCSP_cert_to_id(EVP_sha256(), sk_X509_value(signers, 0), centre);
  int status = -1;
  ASN1_GENERALIZEDTIME *since, *until;
  must(OCSP_resp_find_status(basic, id, &status, NULL, NULL, &since, &until) == 1, "single answer");
  must(status == V_OCSP_CERTSTATUS_GOOD && OCSP_check_validity(since, until, 300, -1) == 1, "status");

  OCSP_CERTID_free(id);
  OCSP_BASICRESP_free(basic);
  OCSP_RESPONSE_free(response);
  sk_X509_free(signers);
  BIO_free(document);
  X509_free(centre);
  CMS_ContentInfo_free(cms);
}

static void check(const char *folder, const char *content_name, int first, int count) {
  X509_STORE *store = X509_STORE_new();
  X509 *root = certificate_of(file_of(folder, "root"));
  X509_STORE_add_cert(store, root);
  File content = file_of(folder, content_name), files[3];
  double spent = 0;
  for (int i = first; i < first + count; i++) {
    static const char *kinds[] = {"cms", "centre", "ocsp"};
    for (int k = 0; k < 3; k++) files[k] = numbered(folder, i, kinds[k]);
    double start = now();
    check_one(store, content, files[0], files[1], files[2]);
    spent += now() - start;
    for (int k = 0; k < 3; k++) free(files[k].bytes);
  }
  printf("%f\n", spent);
  free(content.bytes);
  X509_free(root);
  X509_STORE_free(store);
}

int main(void) {
  ENGINE_load_builtin_engines();
  ENGINE *engine = ENGINE_by_id("gost");
  must(engine && ENGINE_init(engine) && ENGINE_set_default(engine, ENGINE_METHOD_ALL), "engine");
  char line[512], first[256], second[64];
  int count, start;
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "verify %255s %63s %d", first, second, &count) == 3) verify(engine, first, second, count);
    else if (sscanf(line, "digest %255s %d", first, &count) == 2) digest(engine, first, count);
    else if (sscanf(line, "check %255s %63s %d %d", first, second, &start, &count) == 4)
      check(first, second, start, count);
    else must(0, line);
    fflush(stdout);
  }
  return 0;
}
