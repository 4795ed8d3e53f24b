#include <openssl/asn1.h>
#include <openssl/err.h>
#include <openssl/evp.h>
