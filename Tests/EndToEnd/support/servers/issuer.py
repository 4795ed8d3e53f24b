"""An OpenID Connect issuer, as CI systems have one. Tests change its keys and documents to make it hostile."""

import base64
import hashlib
import hmac
import http.server
import json
import threading
import time
import uuid

from joserfc import jwk, jws

BAD_KEY = {"kty": "AKP", "kid": "post-quantum", "alg": "ML-DSA-65", "pub": "AAAA"}


def encoded(value):
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


class Issuer(http.server.ThreadingHTTPServer):
    """`keys` are the published keys. `pages` has responses by path that replace the usual ones: a status, header fields
    and a body. `delay` is a pause before each response. `asked` lists the requested paths."""

    daemon_threads = True

    def __init__(self):
        self.pages, self.delay, self.asked = {}, 0, []
        self.key = jwk.RSAKey.generate_key(2048, {"kid": "first"})
        self.keys = [self.public(self.key)]
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @staticmethod
    def public(key, **more):
        """A public key as the issuer publishes it."""
        usual = {"RSA": "RS256", "EC": "ES256", "OKP": "EdDSA"}[key.key_type]
        entry = key.as_dict(private=False) | {"use": "sig", "alg": usual} | more
        return {name: value for name, value in entry.items() if value is not None}

    def claims(self, audience, **more):
        """The claims of a job of GitHub Actions."""
        now = int(time.time())
        usual = {
            "iss": self.url,
            "aud": audience,
            "exp": now + 300,
            "nbf": now - 5,
            "iat": now,
            "jti": str(uuid.uuid4()),
            "sub": "repo:octocat@123456/shop@456789:ref:refs/heads/main",
            "repository": "octocat/shop",
            "repository_id": "456789",
            "repository_owner": "octocat",
            "repository_owner_id": "123456",
            "ref": "refs/heads/main",
            "ref_type": "branch",
            "event_name": "push",
            "run_id": "987654321",
            "run_number": "123",
        }
        return {name: value for name, value in (usual | more).items() if value is not None}

    def signed(self, claims, key=None, algorithm=None, **header):
        """A token with these claims."""
        key = key or self.key
        algorithm = algorithm or self.public(key)["alg"]
        header = {"alg": algorithm, "kid": key.kid, "typ": "JWT"} | header
        header = {name: value for name, value in header.items() if value is not None}
        payload = claims if isinstance(claims, bytes) else json.dumps(claims).encode()
        registry = jws.JWSRegistry(algorithms=[algorithm], strict_check_header=False)
        return jws.serialize_compact(header, payload, key, registry=registry)

    def confused(self, claims):
        """A token with an HMAC whose secret is the public key. A library that takes the algorithm from the token would
        accept it."""
        text = f"{encoded({'alg': 'HS256', 'kid': self.key.kid})}.{encoded(claims)}"
        secret = self.key.as_pem(private=False)
        return f"{text}.{encoded(hmac.new(secret, text.encode(), hashlib.sha256).digest())}"

    def answer(self, path):
        self.asked.append(path)
        time.sleep(self.delay)
        if path in self.pages:
            return self.pages[path]
        if path == "/.well-known/openid-configuration":
            return 200, {}, json.dumps({"issuer": self.url, "jwks_uri": f"{self.url}/keys"}).encode()
        if path == "/keys":
            return 200, {}, json.dumps({"keys": self.keys}).encode()
        return 404, {}, b""

    def handle_error(self, request, client_address):
        """Ignores errors, because clients may close the connection."""


class _Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        self._send(self.server.answer(self.path))

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self._send(self.server.post(self.path, body, self.headers))

    def _send(self, answer):
        status, fields, body = answer
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
