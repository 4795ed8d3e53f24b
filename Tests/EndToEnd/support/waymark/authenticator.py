"""An authenticator in software: makes passkeys and signs with them, also wrongly (https://www.w3.org/TR/webauthn-2/)."""

import base64
import hashlib
import json
import os
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa

PRESENT, VERIFIED, HAS_KEY = 0x01, 0x04, 0x40


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value, length):
    return value.to_bytes(length, "big")


class ES256:
    def __init__(self):
        self.key = ec.generate_private_key(ec.SECP256R1())
        point = self.key.public_key().public_numbers()
        self.cose = (
            bytes.fromhex("a5010203262001215820") + number(point.x, 32) + bytes.fromhex("225820") + number(point.y, 32)
        )

    def sign(self, data):
        return self.key.sign(data, ec.ECDSA(hashes.SHA256()))


class EdDSA:
    def __init__(self):
        self.key = ed25519.Ed25519PrivateKey.generate()
        self.cose = bytes.fromhex("a4010103272006215820") + self.key.public_key().public_bytes_raw()

    def sign(self, data):
        return self.key.sign(data)


class RS256:
    def __init__(self):
        self.key = rsa.generate_private_key(65_537, 2_048)
        modulus = number(self.key.public_key().public_numbers().n, 256)
        self.cose = bytes.fromhex("a401030339010020590100") + modulus + bytes.fromhex("2143010001")

    def sign(self, data):
        return self.key.sign(data, padding.PKCS1v15(), hashes.SHA256())


class ES384:
    """An algorithm that the service did not ask for."""

    def __init__(self):
        self.key = ec.generate_private_key(ec.SECP384R1())
        point = self.key.public_key().public_numbers()
        self.cose = (
            bytes.fromhex("a5010203382220022158") + b"\x30" + number(point.x, 48) + b"\x22\x58\x30" + number(point.y, 48)
        )

    def sign(self, data):
        return self.key.sign(data, ec.ECDSA(hashes.SHA384()))


class Authenticator:
    """An authenticator with one passkey for a service. Each method's settings replace what an honest one would use."""

    def __init__(self, url, algorithm=ES256, counts=False):
        self.url, self.party = url, urlsplit(url).hostname
        self.id, self.pair, self.counter, self.counts = os.urandom(32), algorithm(), 0, counts

    def _client_data(self, kind, challenge, origin=None, **more):
        return json.dumps({"type": kind, "challenge": challenge, "origin": origin or self.url, **more}).encode()

    def _data(self, flags, party=None, counter=None):
        if self.counts:
            self.counter += 1
        counter = self.counter if counter is None else counter
        return hashlib.sha256((party or self.party).encode()).digest() + bytes([flags]) + number(counter, 4)

    def create(self, challenge, kind="webauthn.create", flags=PRESENT | VERIFIED | HAS_KEY, party=None, id=None, **more):
        id = self.id if id is None else id
        key = bytes(16) + number(len(id), 2) + id + self.pair.cose if flags & HAS_KEY else b""
        return {
            "clientDataJSON": text(self._client_data(kind, challenge, **more)),
            "authenticatorData": text(self._data(flags, party) + key),
        }

    def use(self, challenge, kind="webauthn.get", flags=PRESENT | VERIFIED, party=None, counter=None, id=None, **more):
        client_data, data = self._client_data(kind, challenge, **more), self._data(flags, party, counter)
        return {
            "id": text(self.id if id is None else id),
            "clientDataJSON": text(client_data),
            "authenticatorData": text(data),
            "signature": text(self.pair.sign(data + hashlib.sha256(client_data).digest())),
        }
