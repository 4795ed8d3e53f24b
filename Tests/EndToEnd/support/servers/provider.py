"""An OpenID Connect provider with which people sign in. It checks what the service sends. Tests make it hostile."""

import base64
import hashlib
import json
import secrets
import time
from urllib.parse import parse_qs, quote, urlsplit

from issuer import Issuer

CLIENT, SECRET = "way mark", "s3cret:with/odd characters"


class Provider(Issuer):
    """`wrong` has claims that replace the usual ones of the next tokens. `token` makes a token from claims. `metadata` is
    added to the discovery document."""

    def __init__(self, **metadata):
        super().__init__()
        self.codes, self.exchanges, self.wrong = {}, [], {}
        self.token = self.signed
        self.metadata = metadata

    def settings(self, **more):
        return {"issuer": self.url, "clientId": CLIENT, "clientSecret": SECRET, **more}

    def answer(self, path):
        if path == "/.well-known/openid-configuration" and path not in self.pages:
            self.asked.append(path)
            document = {
                "issuer": self.url,
                "jwks_uri": f"{self.url}/keys",
                "authorization_endpoint": f"{self.url}/authorize?tenant=1",
                "token_endpoint": f"{self.url}/token",
            }
            return 200, {}, json.dumps(document | self.metadata).encode()
        return super().answer(path)

    def grant(self, location, subject, **claims):
        """Lets a person in who was sent to `location`. Returns what the provider adds to the address of the return."""
        address = urlsplit(location)
        asked = {name: values[0] for name, values in parse_qs(address.query, strict_parsing=True).items()}
        assert f"{address.scheme}://{address.netloc}{address.path}" == f"{self.url}/authorize"
        assert asked["tenant"] == "1" and asked["response_type"] == "code" and asked["client_id"] == CLIENT
        assert asked["code_challenge_method"] == "S256" and "openid" in asked["scope"].split()
        code = secrets.token_urlsafe(16)
        self.codes[code] = asked | {"subject": subject, "claims": claims}
        return {"organization": asked["redirect_uri"].rpartition("/")[2], "state": asked["state"], "code": code}

    def post(self, path, body, headers):
        """The token endpoint."""
        if path in self.pages:
            return self.pages[path]
        form = {name: values[0] for name, values in parse_qs(body, strict_parsing=True).items()}
        self.exchanges.append((form, headers))
        asked = self.codes.pop(form.get("code"), None)
        expected = f"{quote(CLIENT, safe='')}:{quote(SECRET, safe='')}"
        right = "Basic " + base64.b64encode(expected.encode()).decode()
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if (
            not asked
            or path != "/token"
            or form["grant_type"] != "authorization_code"
            or form["redirect_uri"] != asked["redirect_uri"]
            or challenge.rstrip(b"=").decode() != asked["code_challenge"]
            or (headers["Authorization"] != right and form.get("client_secret") != SECRET)
        ):
            return 400, {}, b'{"error":"invalid_grant"}'
        usual = {"sub": asked["subject"], "nonce": asked["nonce"], "auth_time": int(time.time())}
        claims = self.claims(CLIENT, **usual | asked["claims"]) | self.wrong
        token = self.token({name: value for name, value in claims.items() if value is not None})
        return 200, {}, json.dumps({"access_token": "x", "token_type": "Bearer", "id_token": token}).encode()
