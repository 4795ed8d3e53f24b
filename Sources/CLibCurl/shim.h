// Swift cannot call variadic functions, so each kind of option has a function here.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

static inline CURLcode waymark_curl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode waymark_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode waymark_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode waymark_curl_set_callback(
    CURL *handle, CURLoption option, size_t (*value)(char *buffer, size_t size, size_t count, void *data)) {
  return curl_easy_setopt(handle, option, value);
}

static inline long waymark_curl_response_code(CURL *handle) {
  long code = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &code);
  return code;
}
