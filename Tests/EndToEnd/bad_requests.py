"""Requests that are malformed, ambiguous or too large, byte for byte: what smuggling and desynchronising are made of.

`%H` is the host, `%P` the path. Where a request is well framed for one reader and not for another, the second one is what a
front and a back could disagree on. Written from RFC 9112 (sections 2.2, 3.2, 5.1, 5.2, 6.1, 6.3, 7.1) and RFC 9110.
"""

POST = b"POST %P HTTP/1.1\r\nHost: %H\r\n"
GET = b"GET %P HTTP/1.1\r\nHost: %H\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
CHUNKS = b"1\r\nx\r\n0\r\n\r\n"

BAD_REQUESTS = {
    # Host: RFC 9112 section 3.2.
    "no Host": b"GET %P HTTP/1.1\r\n\r\n",
    "Host twice": GET + b"Host: %H\r\n\r\n",
    "Host twice, of two hosts": GET + b"Host: other.example\r\n\r\n",
    "Host twice, in another case": GET + b"hOST: other.example\r\n\r\n",
    "empty Host": b"GET %P HTTP/1.1\r\nHost:\r\n\r\n",
    "blank Host": b"GET %P HTTP/1.1\r\nHost:  \t \r\n\r\n",
    "Host with a space": b"GET %P HTTP/1.1\r\nHost: %H x\r\n\r\n",
    "Host with a path": b"GET %P HTTP/1.1\r\nHost: %H/x\r\n\r\n",
    "Host with a user": b"GET %P HTTP/1.1\r\nHost: a@%H\r\n\r\n",
    "Host with a word for a port": b"GET %P HTTP/1.1\r\nHost: %H:http\r\n\r\n",
    "Host with two ports": b"GET %P HTTP/1.1\r\nHost: %H:80:80\r\n\r\n",
    "Host with bytes above ASCII": b"GET %P HTTP/1.1\r\nHost: %H\xff\xfe\r\n\r\n",
    "Host with a NUL": b"GET %P HTTP/1.1\r\nHost: %H\0.example\r\n\r\n",
    "two Hosts with a comma": b"GET %P HTTP/1.1\r\nHost: %H, other.example\r\n\r\n",
    "Host with a backslash": b"GET %P HTTP/1.1\r\nHost: %H\\x\r\n\r\n",
    "absolute form without a Host": b"GET http://%H%P HTTP/1.1\r\n\r\n",
    "absolute form with a user": b"GET http://a@%H%P HTTP/1.1\r\nHost: %H\r\n\r\n",
    "absolute form of another scheme": b"GET ftp://%H%P HTTP/1.1\r\nHost: %H\r\n\r\n",
    # Content-Length: section 6.3, rules 3 and 5.
    "length twice, different": POST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
    "length as a list": POST + b"Content-Length: 1, 2\r\n\r\nxx",
    "length negative": POST + b"Content-Length: -1\r\n\r\nx",
    "length with a plus": POST + b"Content-Length: +1\r\n\r\nx",
    "length in hexadecimal": POST + b"Content-Length: 0x1\r\n\r\nx",
    "length with a fraction": POST + b"Content-Length: 1.0\r\n\r\nx",
    "length with an exponent": POST + b"Content-Length: 1e1\r\n\r\nx",
    "length with a space within": POST + b"Content-Length: 1 0\r\n\r\nx",
    "length empty": POST + b"Content-Length:\r\n\r\nx",
    "length a word": POST + b"Content-Length: one\r\n\r\nx",
    "length of 20 digits": POST + b"Content-Length: 99999999999999999999\r\n\r\nx",
    "length of 2^64 + 1": POST + b"Content-Length: 18446744073709551617\r\n\r\nx",
    "length with a form feed": POST + b"Content-Length: \x0c1\r\n\r\nx",
    # Transfer-Encoding: sections 6.1 and 6.3, rule 3.
    "length and chunks": POST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunks and length": POST + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
    "an unknown coding": POST + b"Transfer-Encoding: xchunked\r\n\r\n" + CHUNKS,
    "chunked not last": POST + b"Transfer-Encoding: chunked, gzip\r\n\r\n" + CHUNKS,
    "chunked, then identity": POST + b"Transfer-Encoding: chunked, identity\r\n\r\n" + CHUNKS,
    "identity": POST + b"Transfer-Encoding: identity\r\nContent-Length: 1\r\n\r\nx",
    "chunked in quotes": POST + b'Transfer-Encoding: "chunked"\r\n\r\n' + CHUNKS,
    "chunked with a vertical tab": POST + b"Transfer-Encoding: \x0bchunked\r\n\r\n" + CHUNKS,
    "chunked with a NUL": POST + b"Transfer-Encoding: chunked\0\r\n\r\n" + CHUNKS,
    "two codings, the second unknown": POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n" + CHUNKS,
    "space before the colon of the coding": POST + b"Transfer-Encoding : chunked\r\n\r\n" + CHUNKS,
    "coding on a folded line": POST + b"Transfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n\r\n" + CHUNKS,
    "coding behind a bare LF": POST + b"X: y\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n" + CHUNKS,
    "coding behind a bare CR": POST + b"X: y\rTransfer-Encoding: chunked\r\nContent-Length: 11\r\n\r\n" + CHUNKS,
    # Chunks: section 7.1.
    "chunk size a word": CHUNKED + b"zz\r\n",
    "chunk size negative": CHUNKED + b"-1\r\nx\r\n0\r\n\r\n",
    "chunk size with a plus": CHUNKED + b"+1\r\nx\r\n0\r\n\r\n",
    "chunk size with 0x": CHUNKED + b"0x1\r\nx\r\n0\r\n\r\n",
    "chunk size of 17 digits": CHUNKED + b"10000000000000001\r\nx\r\n0\r\n\r\n",
    "chunk size empty": CHUNKED + b"\r\nx\r\n0\r\n\r\n",
    "chunk size before a space": CHUNKED + b" 1\r\nx\r\n0\r\n\r\n",
    "chunk size ended by a bare CR": CHUNKED + b"1\rx\r\n0\r\n\r\n",
    "chunk longer than its size": CHUNKED + b"1\r\nxy\r\n0\r\n\r\n",
    "chunk extension with a control character": CHUNKED + b"1;a\x00b\r\nx\r\n0\r\n\r\n",
    "chunk extension with a bare CR": CHUNKED + b"1;a\rb\r\nx\r\n0\r\n\r\n",
    "chunk extension with a bare LF": CHUNKED + b"1;a\nx\r\n0\r\n\r\n",
    "chunk extension without a semicolon": CHUNKED + b"1 a=b\r\nx\r\n0\r\n\r\n",
    "a trailer of 20 kB": CHUNKED + b"1\r\nx\r\n0\r\nX: " + b"y" * 20_000 + b"\r\n\r\n",
    "3,000 trailers": CHUNKED + b"0\r\n" + b"".join(b"X-%d: y\r\n" % number for number in range(3_000)) + b"\r\n",
    "a trailer with a bare CR": CHUNKED + b"0\r\nX: a\rb: c\r\n\r\n",
    "malformed trailer": CHUNKED + b"1\r\nx\r\n0\r\nA B: c\r\n\r\n",
    # Fields: sections 5.1 and 5.2, and section 2.2 for line ends.
    "space before a colon": GET + b"X : y\r\n\r\n",
    "tab before a colon": GET + b"X\t: y\r\n\r\n",
    "no colon": GET + b"rubbish\r\n\r\n",
    "empty name": GET + b": y\r\n\r\n",
    "name with a space": GET + b"X Y: z\r\n\r\n",
    "name with a control character": GET + b"X\x01: y\r\n\r\n",
    "name with a NUL": GET + b"X\0Y: z\r\n\r\n",
    "name above ASCII": GET + b"X\xe9: y\r\n\r\n",
    "name in parentheses": GET + b"(X): y\r\n\r\n",
    "value with a NUL": GET + b"X: a\0b\r\n\r\n",
    "value with a control character": GET + b"X: a\x01b\r\n\r\n",
    "value with a bare CR": GET + b"X: a\rb: c\r\n\r\n",
    "a folded field": GET + b"X: a\r\n b\r\n\r\n",
    "a folded Host": b"GET %P HTTP/1.1\r\nHost:\r\n %H\r\n\r\n",
    "white space before the first field": b"GET %P HTTP/1.1\r\n Host: %H\r\n\r\n",
    "a field of 20 kB": GET + b"X: " + b"y" * 20_000 + b"\r\n\r\n",
    "fields of 40 kB": GET + b"".join(b"X-%d: %s\r\n" % (number, b"y" * 1_000) for number in range(40)) + b"\r\n",
    "3,000 fields": GET + b"".join(b"X-%d: y\r\n" % number for number in range(3_000)) + b"\r\n",
    # The request line: section 3.
    "a URL of 9 kB": b"GET /" + b"x" * 9_000 + b" HTTP/1.1\r\nHost: %H\r\n\r\n",
    "a URL of 100 kB": b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: %H\r\n\r\n",
    "a space in the target": b"GET /a b HTTP/1.1\r\nHost: %H\r\n\r\n",
    "a NUL in the target": b"GET /a\0b HTTP/1.1\r\nHost: %H\r\n\r\n",
    "a tab for the spaces": b"GET\t%P\tHTTP/1.1\r\nHost: %H\r\n\r\n",
    "no target": b"GET HTTP/1.1\r\nHost: %H\r\n\r\n",
    "an unknown method": b"FETCH/ %P HTTP/1.1\r\nHost: %H\r\n\r\n",
    "a method in lower case": b"get %P HTTP/1.1\r\nHost: %H\r\n\r\n",
    "HTTP/0.9": b"GET %P\r\n\r\n",
    "HTTP/2.0": b"GET %P HTTP/2.0\r\nHost: %H\r\n\r\n",
    "HTTP/9.9": b"GET %P HTTP/9.9\r\nHost: %H\r\n\r\n",
    "HTTP/1.10": b"GET %P HTTP/1.10\r\nHost: %H\r\n\r\n",
    "http in lower case": b"GET %P http/1.1\r\nHost: %H\r\n\r\n",
    "the preface of HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0",
    "a TLS hello": b"\x16\x03\x01\x00\x05hello\r\n\r\n",
    "CONNECT": b"CONNECT %H:443 HTTP/1.1\r\nHost: %H\r\n\r\n",
    "a line of the proxy protocol": b"PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n" + GET + b"\r\n",
    "bytes of nothing": bytes(range(1, 256)) + b"\r\n\r\n",
}


def bad_request(name, host, path):
    """The bytes of one of them, for a host and a path."""
    return BAD_REQUESTS[name].replace(b"%H", host.encode()).replace(b"%P", path.encode())
