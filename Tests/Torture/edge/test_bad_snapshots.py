"""An edge with a false source: it keeps the last good file of each host, and applies the next good manifest."""

import dataclasses
import gzip
import hashlib
import itertools
import os
import random
import re
import time

import httpx
import pytest

from consumers import Edge
from hostile_source import HostileSource, Live, Says, Signer, manifest_text
from installation import eventually
from publications import PATH

HOSTS = ["a.example", "b.example", "c.example"]
LARGEST_FILE = 128 * 1024
LARGEST_MANIFEST = 256 * 1024 * 1024


def file(number):
    return b'{"applinks":{"details":[]},"number":%d}' % number


class Fooled:
    """An edge, its source, and the files that the edge must serve. Each false manifest has a new activation, so the
    edge would apply it if it were correct."""

    def __init__(self, waymark):
        self.source = HostileSource()
        self.client = httpx.Client(verify=False, timeout=30)
        self.signer, self.stranger = Signer.of(waymark.state / "signing-key"), Signer(os.urandom(32))
        self.activation = 100
        self.live = {host: Live(number + 1, 1, file(number)) for number, host in enumerate(HOSTS)}
        self.numbers = itertools.count(1_000)
        self.tags = itertools.count()
        self.tag = None
        for live in self.live.values():
            self.offer(live.body)
        self.edge = Edge(waymark, "edge-fooled", {"WAYMARK_SNAPSHOT_URL": self.source.url})
        self.say_good({})

    def offer(self, body, says=None):
        """Offers a blob under the digest of `body`."""
        self.source.blobs[hashlib.sha256(body).hexdigest()] = says or Says(body)

    def next(self, changes):
        """The text of a manifest with a new activation and these changes."""
        self.activation += 1
        return manifest_text(self.activation, self.live | changes)

    def new_file(self, says=None):
        """A file that has never been live, with the answers to requests for it."""
        body = file(next(self.numbers))
        self.offer(body, says)
        return Live(self.activation + 1, 2, body)

    def say(self, answer):
        """Sends an answer, and waits until the edge has processed it and asks again."""
        told = self.source.told
        self.source.manifests.put(answer)
        eventually(lambda: told < self.source.told < self.source.asked, 60, 0.01, "the next request of the edge")

    def say_good(self, changes):
        """Sends a good manifest, and checks that the edge applies it."""
        signed = self.signer.signed(self.next(changes))
        self.live |= changes
        self.tag = f'"{self.activation}-{next(self.tags)}"'
        self.say(Says(signed, fields={"ETag": self.tag}))
        eventually(lambda: self.metric("waymark_follower_activation") == self.activation, pause=0.02)
        self.check()

    def check(self):
        """Checks that every host is served as before."""
        for host, live in self.live.items():
            answer = self.client.get(self.edge.url + PATH, headers={"Host": host, "Accept-Encoding": "identity"})
            assert (answer.status_code, answer.content) == (200, live.body), host

    def metric(self, name):
        text = self.client.get(f"{self.edge.metrics_url}/metrics").text
        return sum(float(value) for value in re.findall(rf"^{name}(?:{{.*}})? (\S+)$", text, re.M))

    def lie(self, answer):
        """Sends a false manifest, and then a good one."""
        before = self.metric("waymark_follower_rejections_total")
        self.say(answer)
        assert self.metric("waymark_follower_rejections_total") > before, "no rejection was counted"
        self.check()
        self.say_good({random.choice(HOSTS): self.new_file()})


@pytest.fixture(scope="module")
def fooled(waymark):
    fooled = Fooled(waymark)
    yield fooled
    fooled.edge.end()
    fooled.source.shutdown()


def mutated(text, chance):
    """A manifest with random changes: of bytes, of lines, or at its end."""
    place = chance.randrange(len(text))
    lines = text.splitlines(keepends=True)
    line, other = chance.sample(range(len(lines)), 2)
    match chance.randrange(9):
        case 0:
            return text[:place] + bytes([text[place] ^ (1 << chance.randrange(8))]) + text[place + 1 :]
        case 1:
            return text[:place]
        case 2:
            return text[:place] + text[place : place + chance.randrange(1, 80)] + text[place:]
        case 3:
            lines[line], lines[other] = lines[other], lines[line]
        case 4:
            del lines[line]
        case 5:
            lines.insert(other, lines[line])
        case 6:
            return text[:place] + chance.randbytes(chance.randrange(1, 40)) + text[place:]
        case 7:
            return text[:place] + text[place + chance.randrange(1, 40) :]
        case 8:
            lines[line] = re.sub(rb"\d", lambda digit: b"%d" % ((int(digit[0]) + 1) % 10), lines[line])
    return b"".join(lines)


def test_mutated_manifests_and_deltas_are_never_applied(fooled, size, figure):
    count, chance = size(30, 300), random.Random(4)
    for number in range(count):
        fresh = {chance.choice(HOSTS): fooled.new_file()}
        signed = fooled.signer.signed(fooled.next(fresh))
        fields = {"ETag": f'"lie-{number}"'}
        if number % 3 == 0:
            head, changed = signed.split(b"\n", 1)
            kept = {live.line(host).encode() for host, live in (fooled.live | fresh).items()} - {
                live.line(host).encode() for host, live in fresh.items()
            }
            signed = b"waymark-delta 1\n" + b"".join(
                line for line in changed.splitlines(keepends=True) if line not in kept
            )
            fields |= {"Delta-Base": fooled.tag, "IM": "waymark-delta"}
        lie = signed
        while lie == signed:
            lie = mutated(signed, chance)
        fooled.lie(Says(lie, status=226 if number % 3 == 0 else 200, fields=fields))
    figure(f"{count} mutations of manifests and deltas", "none applied, each rejected", "≥ 200, none applied")


def false_manifests(fooled):
    """False manifests that are complete or correctly signed, by name. Each is created when it is sent."""
    signer, live = fooled.signer, fooled.live

    def signed(change=lambda text: text, by=signer, **changes):
        return Says(by.signed(change(fooled.next({HOSTS[0]: dataclasses.replace(fooled.new_file(), **changes)}))))

    def text(*arguments, **more):
        fooled.activation += 1
        return Says(signer.signed(manifest_text(fooled.activation, *arguments, **more)))

    def cut(says, least=1):
        return Says(says.body[:-least])

    def renamed(old, new):
        return signed(lambda text: text.replace(old, new))

    def other(body, status=200, **fields):
        return Says(body, status, fields)

    return {
        "another key": lambda: signed(by=fooled.stranger),
        "another key under the right name": lambda: Says(
            signed(by=fooled.stranger).body.replace(fooled.stranger.id.encode(), signer.id.encode())
        ),
        "no signature": lambda: Says(fooled.next({})),
        "two signatures": lambda: Says(signer.signed(signed().body)),
        "cut by a byte": lambda: cut(signed()),
        "cut by a line": lambda: cut(signed(), 156),
        "a byte behind the end": lambda: Says(signed().body + b"\n"),
        "an older manifest": lambda: Says(signer.signed(manifest_text(1, live))),
        "a host that went back": lambda: text(live | {HOSTS[0]: dataclasses.replace(fooled.new_file(), activation=0 + 1)}),
        "a host changed in place": lambda: text(
            live | {HOSTS[0]: dataclasses.replace(fooled.new_file(), activation=live[HOSTS[0]].activation)}
        ),
        "no hosts, unexplained": lambda: text({}),
        "hosts renamed": lambda: Says(signed().body.replace(b"a.example", b"x.example")),
        "hosts not in order": lambda: Says(
            signer.signed(b"".join(sorted(fooled.next({}).splitlines(keepends=True)[4:], reverse=True)))
        ),
        "a host twice": lambda: renamed(b"b.example", b"a.example"),
        "a host in upper case": lambda: renamed(b"a.example", b"A.example"),
        "a host with a slash": lambda: renamed(b"a.example", b"a/../.."),
        "more hosts than said": lambda: text(live, count=2),
        "fewer hosts than said": lambda: text(live, count=4),
        "emptied and not empty": lambda: text(live, emptied="yes"),
        "an activation above its manifest's": lambda: signed(activation=fooled.activation + 1_000),
        "activation 0": lambda: signed(activation=0),
        "version 0": lambda: signed(version=0),
        "a negative version": lambda: signed(version=-1),
        "a version of 20 digits": lambda: signed(version=10**19),
        "leading zeros": lambda: renamed(b"activation ", b"activation 0"),
        "a file of 1 byte": lambda: signed(size=1),
        "a file above the limit": lambda: signed(size=LARGEST_FILE + 1),
        "a digest in upper case": lambda: signed(sha256="A" * 64),
        "line ends of another system": lambda: renamed(b"\n", b"\r\n"),
        "another format": lambda: renamed(b"waymark-manifest 1", b"waymark-manifest 2"),
        "nothing": lambda: Says(b""),
        "JSON": lambda: Says(b'{"activation":999}'),
        "a page": lambda: Says(b"<!doctype html><title>Sign in</title>", fields={"Content-Type": "text/html"}),
        "compressed": lambda: other(gzip.compress(signed().body), **{"Content-Encoding": "gzip"}),
        "a bomb": lambda: other(gzip.compress(bytes(100_000_000)), **{"Content-Encoding": "gzip"}),
        "a length above the limit": lambda: other(b"", **{"Content-Length": str(LARGEST_MANIFEST + 1)}),
        "a length that is not kept": lambda: Says(pieces=[b"waymark-manifest 1\n"], fields={"Content-Length": "1000"}),
        "a redirect": lambda: other(b"", 302, Location=f"{fooled.source.url}/elsewhere"),
        "a permanent redirect": lambda: other(b"", 308, Location=f"{fooled.source.url}/elsewhere"),
        "a 401": lambda: other(b"", 401),
        "a 404": lambda: other(b"", 404),
        "a 500": lambda: other(signed().body, 500),
        "a 206": lambda: other(signed().body, 206),
        "a 226 without its base": lambda: other(signed().body, 226, ETag='"x"'),
        "a delta from another": lambda: other(signed().body, 226, **{"ETag": '"x"', "Delta-Base": '"other"'}),
        "a whole manifest as a delta": lambda: other(signed().body, 226, **{"ETag": '"x"', "Delta-Base": fooled.tag}),
    }


def test_false_manifests_are_not_applied(fooled, size, figure):
    """Signed with the right key or another, complete or not, in various answers."""
    names = list(false_manifests(fooled))[:: size(3, 1)]
    for name in names:
        try:
            fooled.lie(false_manifests(fooled)[name]())
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error
    assert fooled.source.others == [], "a redirect was followed"
    figure(f"{len(names)} kinds of false manifests", "none applied, each rejected", "none applied")


def endless():
    while True:
        yield b" " * 65_536


def slow():
    yield b"{"
    while True:
        time.sleep(0.5)
        yield b" "


def blob_lies(good):
    return {
        "another byte": Says(good[:-2] + b"X}"),
        "cut": Says(good[:-1]),
        "longer": Says(good + b" "),
        "empty": Says(b""),
        "compressed": Says(gzip.compress(good), fields={"Content-Encoding": "gzip"}),
        "endless": Says(pieces=endless()),
        "a length above the limit": Says(fields={"Content-Length": str(64 * LARGEST_FILE)}),
        "a length that is not kept": Says(pieces=[good[:5]], fields={"Content-Length": str(len(good))}),
        "a redirect": Says(status=302, fields={"Location": "/elsewhere"}),
        "absent": Says(status=404),
        "refused": Says(status=403),
        "an error": Says(good, status=500),
        "slow": Says(pieces=slow()),
    }


def test_a_false_file_affects_only_its_host(fooled, size, figure):
    """The manifest is correct, but a file does not match it. This host keeps its old file, and another host
    continues."""
    names = [name for name in blob_lies(b"{}") if name != "slow" or size(False, True)]
    whole = [b"[]", b'"text"', b'{"a":1', b"{}{}", b"\xff{}", b'{"a":1}\0', b"null"]
    for number, name in enumerate([*names, *whole][:: size(3, 1)]):
        fresh = fooled.new_file()
        if isinstance(name, bytes):
            # Its digest is right, but it is not a JSON object.
            fresh = Live(fresh.activation, fresh.version, name)
            fooled.offer(name)
        else:
            fooled.offer(fresh.body, blob_lies(fresh.body)[name])
        good = fooled.new_file()
        before = fooled.metric("waymark_follower_rejections_total")
        signed = fooled.signer.signed(fooled.next({HOSTS[0]: fresh, HOSTS[1]: good}))
        fooled.live |= {HOSTS[1]: good}
        fooled.say(Says(signed, fields={"ETag": f'"held-{number}"'}))
        assert fooled.metric("waymark_follower_rejections_total") > before, name
        # A file that could not be fetched with others is requested alone next. That may take up to 10 s, the limit for
        # a file.
        eventually(lambda: fooled.metric("waymark_follower_hosts_held") == 1, 60, what=f"the one host held: {name}")
        fooled.check()
        fooled.say_good({HOSTS[0]: fooled.new_file()})
        assert fooled.metric("waymark_follower_hosts_held") == 0, name
    assert fooled.source.others == []
    figure(f"{len(names) + len(whole)} kinds of false files", "each host kept its old file, others continued", "the same")
