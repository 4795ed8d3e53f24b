"""A worker, two APIs, two edges and a directory writer behind nginx, under traffic. Each process is ended in turn, at
any moment."""

import random
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import pytest

from fleet import fleet_on_cluster
from installation import eventually
from load import Load
from processes import Process
from publications import PATH, digest, listed, moment, publications
from samples import draft

HOSTS = 12


class Author:
    """Publishes on a host again and again (now, in some seconds, or an older version), and records each accepted
    publication."""

    def __init__(self, fleet, host, seed):
        self.fleet, self.host = fleet, host
        self.chance = random.Random(seed)
        self.promised = []
        self.interrupted = 0

    def publish(self):
        number = len(self.promised)
        kind = self.chance.choice(["now", "now", "later", "back"]) if number else "now"
        if kind != "back":
            self.fleet.put_draft(self.host, draft(f"/{number}"))
        fields = {"message": f"{number}: {kind}"}
        if kind == "back":
            fields["version"] = self.chance.randint(1, max(p["version"] for p in self.promised))
            # It may already be live.
            fields |= {"override": True, "reason": "back"}
        made = self._promise(fields, kind == "later")
        ended = eventually(lambda: self._ended(made), 120, what=f"the end of {made['message']!r} of {self.host}")
        self.promised.append(ended)

    def _promise(self, fields, is_later):
        """Sends a POST. If its API dies, the answer is 502. Then this checks whether the POST took effect before it
        sends it again."""
        while True:
            times = {"at": moment(3)} if is_later else {}
            answer = self.fleet.api("POST", f"/v1/domains/{self.host}/publications", fields | times)
            if answer.status_code == 202:
                return answer.json()
            if "in_the_past" in answer.text:
                # On a busy machine, the time had passed before the request was read.
                continue
            assert answer.status_code == 502, answer.text
            self.interrupted += 1
            time.sleep(1)
            found = [p for p in publications(self.fleet, self.host) if p["message"] == fields["message"]]
            if found:
                return found[0]

    def _ended(self, made):
        """Waits for the end. If both APIs are lost during the wait, the answer is 502, and this asks again."""
        answer = self.fleet.api("GET", f"/v1/domains/{self.host}/publications/{made['id']}?wait=10")
        assert answer.status_code in (200, 502), answer.text
        return answer.json() if answer.status_code == 200 and answer.json()["endedAt"] else None


class Traffic:
    """Authors and readers at work; `down` records when each process was not running."""

    def __init__(self, fleet):
        self.fleet = fleet
        self.down = {part.name: [] for part in fleet.parts}
        hosts = [fleet.new_domain() for _ in range(HOSTS)]
        for host in hosts:
            fleet.cli("domain", "verify", "--organization", "acme", host)
        self.authors = [Author(fleet, host, seed) for seed, host in enumerate(hosts)]
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(Author.publish, self.authors))
        for host in hosts:
            fleet.everywhere(host)
        self.files = [
            (host, Load(url + PATH, {"Host": host}, pause=0.1))
            for host in hosts
            for url in [fleet.edge_url, fleet.directory_url]
        ]
        token = {"Authorization": f"Bearer {fleet.token()}"}
        self.direct = {
            **{api.name: Load(f"{api.url_of('ADDRESS')}/v1/domains", token, pause=0.02) for api in fleet.apis},
            **{edge.name: Load(edge.url + PATH, {"Host": hosts[0]}, pause=0.02) for edge in fleet.edges},
        }

    @contextmanager
    def running(self):
        over = threading.Event()

        def work(authors):
            chance = random.Random(authors[0].host)
            while not over.is_set():
                chance.choice(authors).publish()

        with ExitStack() as stack:
            for load in [*(load for _, load in self.files), *self.direct.values()]:
                stack.enter_context(load)
            pool = stack.enter_context(ThreadPoolExecutor(4))
            work = [pool.submit(work, self.authors[number::4]) for number in range(4)]
            try:
                yield
            finally:
                over.set()
        for ended in work:
            ended.result()

    def renew(self, part, end, pause):
        """Ends a process and starts it again after a pause."""
        began = time.monotonic()
        end(part)
        time.sleep(pause)
        part.start()
        self.fleet.wait_for(part)
        self.down[part.name].append((began, time.monotonic()))

    def check(self, figure, what):
        self._check_files(figure, what)
        self._check_survivors(figure, what)
        self._check_publications(figure, what)

    def _check_files(self, figure, what):
        """Checks that no GET of a file through nginx failed, and that each got a whole version of its host."""
        whole = {}
        for author in self.authors:
            versions = listed(self.fleet, f"/v1/domains/{author.host}/versions")
            assert sorted(v["version"] for v in versions) == list(range(1, len(versions) + 1)), author.host
            whole[author.host] = {version["sha256"] for version in versions}
        for host, load in self.files:
            assert load.failures == [], host
            assert {seen.status for seen in load.seen} == {200}, host
            assert {digest(seen.body) for seen in load.seen} <= whole[host], host
        figure(f"{what}: files through nginx", f"{sum(len(load.seen) for _, load in self.files)}, 0 failed", "0 failed")

    def _check_survivors(self, figure, what):
        """Checks that each process answered every request that was sent while it was running."""

        def was_there(name, failure):
            # Requests in progress failed when the process was ended.
            return not any(failure.at <= ended and began <= failure.ended for began, ended in self.down[name])

        for name, load in self.direct.items():
            assert [failure for failure in load.failures if was_there(name, failure)] == [], name
            assert {seen.status for seen in load.seen} == {200}, name
        seen = sum(len(load.seen) for load in self.direct.values())
        figure(f"{what}: requests to survivors", f"{seen}, 0 failed", "0 failed")

    def _check_publications(self, figure, what):
        """Checks that each publication was carried out once, with its own activation."""
        activations = []
        for author in self.authors:
            found = listed(self.fleet, f"/v1/domains/{author.host}/publications")
            assert Counter(p["message"] for p in found) == Counter(p["message"] for p in author.promised), author.host
            assert {p["state"] for p in found} == {"live"}, author.host
            activations += [p["activation"] for p in found]
            assert self.fleet.everywhere(author.host) == max(p["activation"] for p in found)
        assert sorted(activations) == list(range(1, len(activations) + 1))
        interrupted = sum(author.interrupted for author in self.authors)
        seen = f"{len(activations)} once each, {interrupted} answered with a 502 first"
        figure(f"{what}: publications", seen, "none lost or doubled")


@pytest.mark.destructive
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    "name, way, rounds", [("killed", Process.kill9, (1, 12)), ("ended", Process.end, (1, 6))], ids=["killed", "ended"]
)
def test_ending_one_process_at_a_time_loses_no_file_request_or_publication(name, way, rounds, size, figure):
    chance = random.Random(4)
    with fleet_on_cluster() as (fleet, _):
        traffic = Traffic(fleet)
        with traffic.running():
            for _ in range(size(*rounds)):
                for part in chance.sample(fleet.parts, len(fleet.parts)):
                    time.sleep(chance.uniform(0.2, 0.8))
                    traffic.renew(part, way, chance.uniform(0, 0.5))
        traffic.check(figure, f"{len(fleet.parts)} processes {name} {size(*rounds)} times each")
