"""Processes that follow the snapshot of a service: `waymark serve --role edge` and `--role directory`."""

import contextlib
import os
import shutil

from installation import eventually
from load import Load
from processes import Process, addresses
from publications import digest
from samples import APP, OTHER_APP, draft


class Consumer(Process):
    """A consumer. If `elsewhere` is true, it has its own state folder with copies of the two key files, as on another
    machine."""

    def __init__(self, waymark, role, name, elsewhere, environment, fault="", **how):
        super().__init__(waymark, role, name, {"WAYMARK_SNAPSHOT_URL": waymark.url} | environment, **how)
        self.waymark = waymark
        self.state = waymark.state
        if elsewhere:
            self.state = waymark.directory / f"{name}-state"
            self.state.mkdir(exist_ok=True)
            self.environment["WAYMARK_STATE_DIRECTORY"] = str(self.state)
            self.copy("signing-key.pub", "consumer-secret")
        self.start(fault)

    def copy(self, *names):
        """Copies files from the API's state folder."""
        for name in names:
            copied = self.state / f"{name}.copied"
            shutil.copy2(self.waymark.state / name, copied)
            os.replace(copied, self.state / name)

    def manifest(self):
        """The lines of the consumer's manifest."""
        return (self.folder / "manifest").read_text().splitlines()


class DirectoryWriter(Consumer):
    """A directory writer. `root` is its output folder. `more` contains additional settings."""

    def __init__(self, waymark, name="directory", elsewhere=False, more=None, **how):
        self.root = self.folder = waymark.directory / name
        environment = {"WAYMARK_DIRECTORY_ROOT": str(self.root)} | (more or {})
        super().__init__(waymark, "directory", name, elsewhere, environment, **how)

    def sha256(self, host):
        """The digest of the file for a host."""
        return (self.root / "hosts" / host).resolve().stem


class Edge(Consumer):
    """An edge as on another machine. `more` contains additional settings."""

    def __init__(self, waymark, name="edge-elsewhere", more=None, **how):
        environment = addresses("EDGE_ADDRESS", "EDGE_METRICS_ADDRESS") | (more or {})
        super().__init__(waymark, "edge", name, True, environment, **how)
        self.url, self.metrics_url = self.url_of("EDGE_ADDRESS"), self.url_of("EDGE_METRICS_ADDRESS")
        self.folder = self.state / "edge"


def publish_while_asked(waymark, server, live):
    """Publishes six versions of each of two hosts, alternating between them. Meanwhile, requests both hosts and an
    alias of the first one without a pause. Checks that no request fails, that each body is a complete published
    version, and that the last version arrives.

    `server` is a web server that serves the folder of a directory writer. `live` maps the first host, the second host
    and the alias to their bytes. All versions of a host have the same length, so ETags must not depend only on the time
    and the size. Returns two values for each host: the digests of the published versions, in order, and the responses
    with the digests of their bodies.
    """
    first, second, alias = live
    published = {host: [digest(body)] for host, body in live.items()}
    loads = {host: Load(f"{server.url}/.well-known/apple-app-site-association", {"Host": host}, pause=0) for host in live}
    with contextlib.ExitStack() as running:
        for load in loads.values():
            running.enter_context(load)
        for load in loads.values():
            eventually(lambda: load.seen, what="a first answer")
        for number in range(12):
            host = [first, second][number % 2]
            apps = [APP] if host == first else [APP, OTHER_APP]
            waymark.put_draft(host, draft(f"/{number:05}", apps=apps))
            sha256 = waymark.api("GET", f"/v1/domains/{host}/draft/findings").json()["sha256"]
            shown = [first, alias] if host == first else [second]
            for name in shown:
                published[name].append(sha256)
            waymark.publish(host)
            if number < 6:
                # Wait for each of the first six versions, so that several are seen. Publish the others without a pause.
                for name in shown:
                    eventually(lambda: digest(loads[name].seen[-1].body) == sha256, 60, 0.005, f"{number} on {name}")
        for host, load in loads.items():
            eventually(
                lambda: digest(load.seen[-1].body) == published[host][-1], 60, what=f"the last version of {host}"
            )
    answers = {}
    for host, load in loads.items():
        assert load.failures == []
        assert {seen.status for seen in load.seen} == {200}
        answers[host] = [(answer, digest(answer.body)) for answer in load.seen]
        seen = {sha256 for _, sha256 in answers[host]}
        assert seen <= set(published[host])
        assert len(seen) > 3, "too few versions were seen"
    return published, answers
