"""Replacements with kills in the middle: every draft is changed once, and no edit is lost."""

import random
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import httpx
import pytest

from copies import copy_draft
from fault_points import REPLACEMENT_POINTS
from installation import EXECUTABLE, RELEASE_EXECUTABLE, eventually, installed
from publications import digest
from roles import Worker, api_alone, end_leases, ending, meanwhile, until_frozen, verified_host, wake
from samples import APP, OTHER_APP, draft

ELSEWHERE = "ABCDE12345.com.example.elsewhere"
PATH = f"/v1/apps/{APP}/replacements"


def register_apps(waymark):
    waymark.api("POST", "/v1/teams", {"teamID": "ABCDE12345", "name": "Team"})
    for app in (APP, OTHER_APP):
        answer = waymark.api("POST", "/v1/apps", {"teamID": "ABCDE12345", "bundleID": app.split(".", 1)[1]})
        assert answer.status_code == 201, answer.text


def die_at(point, template):
    with installed(like=template) as waymark:
        register_apps(waymark)
        hosts = [waymark.new_domain(draft(f"/{number}")) for number in range(3)]
        before = [waymark.api("GET", f"/v1/domains/{host}/draft").json()["revision"] for host in hosts]
        waymark.restart({"WAYMARK_FAULT": point})
        try:
            waymark.api("POST", PATH, {"with": OTHER_APP})
        except httpx.TransportError:
            pass
        assert waymark.process.wait(60) == -signal.SIGKILL, point
        waymark.start()
        ended = eventually(
            lambda: [one for one in waymark.api("GET", PATH).json()["items"] if one["state"] == "done"], 30, what=point
        )
        assert ended[0]["domains"] == {"total": 3, "waiting": 0, "changed": 3, "passing": 3, "refused": 0}
        for host, revision in zip(hosts, before):
            after = waymark.api("GET", f"/v1/domains/{host}/draft").json()
            assert (after["revision"], after["entries"][0]["apps"]) == (revision + 1, [OTHER_APP]), point


@pytest.mark.destructive
@pytest.mark.timeout(180)
def test_a_replacement_killed_at_each_of_its_steps_changes_each_draft_once(template):
    with ThreadPoolExecutor(len(REPLACEMENT_POINTS)) as pool:
        list(pool.map(lambda point: die_at(point, template), REPLACEMENT_POINTS))


class Editor:
    """Adds rules to drafts as a person does: reads, thinks, and writes unless another user has changed the draft
    meanwhile. Tries again if the draft stays locked for too long."""

    def __init__(self, waymark, chance):
        self.chance, self.added, self.overtaken = chance, {}, 0
        self.client = httpx.Client(
            base_url=waymark.url, headers={"Authorization": f"Bearer {waymark.token()}"}, timeout=30
        )
        # One edit at a time, in any thread.
        self.turn = threading.Lock()

    def edit(self, host, seconds=0.0):
        """Makes an edit that takes this many seconds. If the draft has changed meanwhile, nothing is added."""
        with self.turn:
            read = self.client.get(f"/v1/domains/{host}/draft")
            time.sleep(seconds)
            added = self.added.setdefault(host, [])
            path = f"/added/{len(added)}"
            add = partial(
                self.client.post,
                f"/v1/domains/{host}/rules",
                json={"path": path},
                headers={"If-Match": read.headers["ETag"]},
            )
            # On a slow machine, the last statement of a killed worker can hold a lock for longer than a request waits.
            while (answer := add()).status_code == 503:
                assert answer.json()["code"] == "unavailable" and "database lock" in answer.json()["detail"], answer.text
            if answer.status_code == 412:
                self.overtaken += 1
            else:
                assert answer.status_code == 201, answer.text
                added.append(path)

    @property
    def edits(self):
        return sum(map(len, self.added.values()))


def waiting(cluster, limit):
    """The domains that are changed next."""
    return cluster.sql(
        f"select host from replacement_domains where state = 'waiting' order by host limit {limit}"
    ).split()


def changed(cluster):
    return int(cluster.sql("select count(*) from replacement_domains where state = 'changed'"))


def edit_what_is_in_hand(cluster, worker, editor):
    """Stops a worker after it has read drafts and before it writes them, and edits some of these drafts."""
    until_frozen(worker)
    in_hand = waiting(cluster, 500)
    for host in in_hand[:: max(1, len(in_hand) // 10)]:
        editor.edit(host)
    wake(worker)
    until_frozen(worker)
    worker.kill9()


def count_of(cluster, condition):
    return int(cluster.sql(f"select count(*) from {condition}"))


def assert_each_changed_once(cluster, replacement, revision, elsewhere):
    """Checks the drafts. `revision` is the earlier revision of all copies; `elsewhere` is the number of drafts that no
    longer named the app."""
    entries = (
        "select host, count(*) as all_changes, count(*) filter (where action = 'draft.changed'"
        f" and detail->>'replacement' = '{replacement}') as replaced from audit_entries"
        " where action in ('draft.changed', 'rule.created') and host like 'copy-%' group by host"
    )
    of_copies = f"drafts left join ({entries}) as entries using (host) where drafts.host like 'copy-%'"
    assert count_of(cluster, f"{of_copies} and replaced is distinct from 1") == elsewhere, "changed twice or never"
    assert count_of(cluster, f"{of_copies} and replaced is distinct from 1 and replaced <> 0") == 0
    assert count_of(cluster, f"{of_copies} and revision <> {revision} + all_changes") == 0, "a change without an entry"
    assert count_of(cluster, f"drafts where document::text like '%{APP}\"%'") == 0, "a draft names the old app"
    assert count_of(cluster, f"drafts where document::text not like '%{OTHER_APP}\"%'") == elsewhere
    assert count_of(cluster, f"draft_apps where app_id = '{APP}'") == 0
    assert count_of(cluster, f"tests where app_id <> '{OTHER_APP}' or revision <> 2") == 0


@pytest.mark.destructive
@pytest.mark.timeout(3600)
def test_a_replacement_whose_workers_are_killed_loses_no_edit_and_changes_each_draft_once(size, figure):
    """Workers are killed at each step and at random moments in between. All the time, an editor edits the drafts that
    are changed next."""
    count, kills, waits_for_leases = size(2_000, 100_000), size(1, 20), size(False, True)
    chance = random.Random(20261122)
    with api_alone() as (waymark, cluster), ending([]) as processes:
        register_apps(waymark)
        host = verified_host(waymark, "/copied", host="copied.example")
        expectation = {"url": "/copied", "expected": {"outcome": "opens", "app": APP}}
        assert waymark.api("POST", f"/v1/domains/{host}/tests", expectation).status_code == 201
        revision = waymark.api("GET", f"/v1/domains/{host}/draft").json()["revision"]
        hosts = copy_draft(cluster, host, count - 1)
        unverified = count_of(cluster, "claims where host like '%0.example'")
        cluster.sql("delete from claims where host like '%0.example'")
        made = waymark.api("POST", PATH, {"with": OTHER_APP})
        assert made.status_code == 202 and made.json()["domains"]["total"] == count, made.text
        elsewhere = hosts[:3]
        for one in elsewhere:
            waymark.put_draft(one, draft("/copied", apps=[ELSEWHERE]))
        told, editor, went_on = [], Editor(waymark, chance), []

        def look():
            told.append(waymark.api("GET", f"{PATH}/{made.json()['id']}").json())
            time.sleep(0.1)

        def edit():
            editor.edit(chance.choice(waiting(cluster, 2_000) or hosts), chance.uniform(0, 0.3))

        def has_ended():
            return told[-1]["state"] != "running"

        def goes_on():
            """Waits until more drafts have been changed."""
            before = changed(cluster)
            eventually(lambda: changed(cluster) > before or has_ended(), 60, 0.02, what="a draft that is changed")

        started = time.monotonic()
        with meanwhile(look, edit):
            processes += [worker := Worker(waymark, fault="replacement.judged:stop")]
            edit_what_is_in_hand(cluster, worker, editor)
            for point in REPLACEMENT_POINTS:
                before = changed(cluster)
                if point == "replacement.written":
                    # As if four workers had been lost before: the progress of this worker resets the count.
                    cluster.sql("update jobs set attempts = 4")
                end_leases(cluster)
                worker.start(point)
                assert worker.process.wait(60) == -signal.SIGKILL, point
                assert changed(cluster) >= before, "changed drafts were changed back"
            # No worker is running, so the service must report exactly this progress.
            eventually(lambda: told[-1]["domains"]["changed"] == changed(cluster), what="the reported progress")
            end_leases(cluster)
            processes += [worker := Worker(waymark, "steady", executable=size(EXECUTABLE, RELEASE_EXECUTABLE))]
            for _ in range(kills):
                restarted = time.monotonic()
                goes_on()
                went_on.append(time.monotonic() - restarted)
                time.sleep(chance.uniform(0, 1.5))
                before = changed(cluster)
                worker.kill9()
                assert changed(cluster) >= before, "changed drafts were changed back"
                if not waits_for_leases:
                    end_leases(cluster)
                worker.start()
            goes_on()
            left, begun = count - changed(cluster), time.monotonic()
            eventually(has_ended, 180 + count / 100, what="the end of the replacement")
            undisturbed, seconds = time.monotonic() - begun, time.monotonic() - started
        ended = waymark.api("GET", f"{PATH}/{made.json()['id']}").json()
        assert (ended["state"], ended["cause"], ended["tests"]) == ("done", None, count)
        done = count - len(elsewhere)
        counts = {"total": count, "waiting": 0, "changed": done, "passing": done - unverified, "refused": unverified}
        assert ended["domains"] == counts
        steps = [(one["domains"]["changed"], -one["domains"]["waiting"], one["tests"]) for one in told]
        assert all(a <= b for one, next in zip(steps, steps[1:]) for a, b in zip(one, next)), "progress went back"
        # At least three values: none, the progress when the last worker was killed at a point, and all.
        assert len({step[0] for step in steps}) > size(2, 3), "the progress is not reported"
        assert_each_changed_once(cluster, ended["id"], revision, len(elsewhere))
        for edited, paths in editor.added.items():
            found = waymark.api("GET", f"/v1/domains/{edited}/draft").json()["entries"][0]["rules"]
            assert [rule["path"] for rule in found][1:] == paths, f"an edit of {edited} is lost"
        for some in chance.sample(hosts, 30):
            known = cluster.sql(f"select encode(file_sha256, 'hex') from drafts where host = '{some}'")
            assert known == digest(waymark.api("GET", f"/v1/domains/{some}/draft/file").content)
        assert count_of(cluster, "jobs") == 0
        assert count_of(cluster, "audit_entries where action like 'replacement.%'") == 2, "created once, ended once"
        figure(
            f"an app replaced in {count} drafts, {len(REPLACEMENT_POINTS) + 1 + kills} workers killed in the middle,"
            f" {editor.edits} edits meanwhile",
            f"each changed once, after {seconds:.0f} s, continued at most {max(went_on):.1f} s after a kill,"
            f" {left / undisturbed:.0f} a second after the last; no edit lost, {editor.overtaken} refused",
            "each once, none lost; continued within 30 s; 2,000 a second",
        )
