"""There is one run for each due time and no other, despite wrong clocks and killed workers. libfaketime changes
PostgreSQL's clock. The test computes the expected runs from Python's zones and a naive calendar.
"""

import random
import signal
import subprocess
import time
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from clocks import MovedClock, off_by
from fault_points import SCHEDULE_POINTS
from installation import EXECUTABLE, eventually, free_port, installed_on_cluster
from postgres import Session
from samples import draft

# Name: expression, zone, and the meaning of the expression: hours, minutes, and a condition for its dates.
EVERY_DAY = lambda date: True
SCHEDULES = {
    "new york": ("30 1,2 * * *", "America/New_York", [1, 2], [30], EVERY_DAY),
    "lord howe": ("15,45 1,2 * * *", "Australia/Lord_Howe", [1, 2], [15, 45], EVERY_DAY),
    "utc": ("0 12 * * *", "UTC", [12], [0], EVERY_DAY),
    "leap day": ("59 23 29 2 *", "UTC", [23], [59], lambda date: (date.month, date.day) == (2, 29)),
}
# In 2028: 29 February, and the clock changes of New York and Lord Howe, in order.
TURNS = [(2, 28), (3, 11), (4, 1), (9, 30), (11, 4)]


def moment_of(local, zone):
    """The first moment at which clocks in the zone show a local time. If they never show it, the end of the gap."""
    early = local.replace(tzinfo=zone, fold=0)
    if early.astimezone(UTC).astimezone(zone).replace(tzinfo=None) == local:
        return early.astimezone(UTC)
    low, high = (local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (1, 0))
    while high - low > timedelta(seconds=1):
        middle = low + timedelta(seconds=(high - low) // timedelta(seconds=2))
        low, high = (low, middle) if middle.astimezone(zone).replace(tzinfo=None) > local else (middle, high)
    return high


def expected_runs(start, end):
    """The due times of all schedules after one moment and up to another, each once."""
    found = set()
    for name, (_, zone, hours, minutes, is_on) in SCHEDULES.items():
        day = (start - timedelta(days=2)).date()
        while day <= (end + timedelta(days=2)).date():
            for hour in hours if is_on(day) else []:
                for minute in minutes:
                    due = moment_of(datetime(day.year, day.month, day.day, hour, minute), ZoneInfo(zone))
                    if start < due <= end:
                        found.add((due, name))
            day += timedelta(days=1)
    return sorted(found)


class Workers:
    """Worker processes with wrong clocks, each by another amount."""

    def __init__(self, waymark, count):
        self.waymark = waymark
        self.wrong = [round(-300 + 600 * number / max(1, count - 1)) for number in range(count)]
        self.running = {}

    def start(self, number, fault=""):
        environment = self.waymark.environment | off_by(self.wrong[number], self.waymark.directory)
        environment |= {"WAYMARK_METRICS_ADDRESS": f"127.0.0.1:{free_port()}", "WAYMARK_FAULT": fault}
        with (self.waymark.directory / f"worker-{number}").open("a") as log:
            self.running[number] = subprocess.Popen(
                [EXECUTABLE, "serve", "--role", "worker"], cwd=self.waymark.directory, env=environment, stdout=log,
                stderr=log,
            )
        return self.running[number]

    def start_all(self):
        for number in range(len(self.wrong)):
            self.start(number)

    def kill(self, number):
        process = self.running.pop(number)
        process.send_signal(signal.SIGKILL)
        process.wait()

    def kill_all(self):
        for number in list(self.running):
            self.kill(number)


class Scene:
    """A Waymark with workers. The test changes the clock of its database."""

    def __init__(self, waymark, clock, workers):
        self.waymark, self.clock, self.workers = waymark, clock, workers
        self.session = Session(clock.cluster)
        self.schedules = {}
        self.interrupted = 0

    def schedule(self, name, expression, zone, **fields):
        body = {"name": name, "expression": expression, "zone": zone, **fields}
        made = self.waymark.api("POST", "/v1/schedules", body)
        assert made.status_code == 201, made.text
        self.schedules[made.json()["id"]] = name
        return made.json()

    def domain(self, path, **fields):
        host = self.waymark.new_domain(draft(path), **fields)
        self.waymark.cli("domain", "verify", "--organization", "acme", host)
        return host

    def move_to(self, moment):
        self.clock.move_to(moment)
        self.session.ask("notify waymark_jobs")

    def runs(self):
        """All runs: due time, name of the schedule, kind, state."""
        rows = self.session.ask(
            "select extract(epoch from due_at), schedule_id, kind, state from schedule_runs"
            " order by due_at, schedule_id"
        )
        return [
            (datetime.fromtimestamp(float(due), UTC), self.schedules.get(schedule), kind, state)
            for due, schedule, kind, state in rows
        ]

    def until_run(self, moment, names, seconds=120):
        def look():
            rows = self.session.ask(
                "select schedule_id from schedule_runs"
                f" where due_at = to_timestamp({moment.timestamp()}) and state = 'ended'"
            )
            return names <= {self.schedules.get(row[0]) for row in rows}

        eventually(look, seconds, 0.01, what=f"the runs of {names} at {moment}")


@pytest.fixture
def scene(size):
    clock = MovedClock()
    clock.move_to(datetime(2027, 12, 1, tzinfo=UTC))
    with installed_on_cluster(("serve", "--role", "api"), clock.cluster) as (waymark, _):
        scene = Scene(waymark, clock, Workers(waymark, size(3, 5)))
        try:
            yield scene
        finally:
            scene.workers.kill_all()
            scene.session.close()
    clock.remove()


def live_through(scene, start, end, chance, kills, jumps):
    """Moves the clock from due time to due time. At random moments, it kills the workers and sets the clock back."""
    scene.clock.move_to(start)
    # A domain with nothing to publish: this test only checks the runs and their times.
    host = scene.domain("/1")
    label = f"from-{start:%m-%d}"
    assert scene.waymark.api("PATCH", f"/v1/domains/{host}", {"labels": [label]}).status_code == 200
    began = {}
    for name, (expression, zone, *_) in SCHEDULES.items():
        began[name] = scene.schedule(f"{name} {label}", expression, zone, label=label)
    scene.schedules |= {made["id"]: f"{name} {label}" for name, made in began.items()}
    due = expected_runs(start, end)
    moments = sorted({moment for moment, _ in due})
    killing = set(chance.sample(range(len(moments)), min(kills, len(moments))))
    jumping = set(chance.sample(range(len(moments)), min(jumps, len(moments))))
    for number, moment in enumerate(moments):
        names = {f"{name} {label}" for when, name in due if when == moment}
        scene.move_to(moment + timedelta(seconds=chance.uniform(0, 10)))
        if number in killing:
            time.sleep(chance.uniform(0, 0.06))
            scene.workers.kill_all()
            # A started run waits until the lease of its worker ends.
            [[held]] = scene.session.ask("select count(*) from jobs where token > 0 and kind <> 'schedule'")
            scene.interrupted += held != "0"
            scene.workers.start_all()
        scene.until_run(moment, names)
        if number in jumping:
            scene.move_to(moment - timedelta(minutes=chance.choice([1, 59, 61, 180])))
            time.sleep(0.05)
    scene.move_to(end)
    for made in began.values():
        answer = scene.waymark.api("PATCH", f"/v1/schedules/{made['id']}", {"state": "paused"}, {"If-Match": "*"})
        assert answer.status_code == 200
    return [(moment, f"{name} {label}") for moment, name in due]


@pytest.mark.destructive
@pytest.mark.timeout(3600)
def test_each_due_time_of_a_year_runs_once_despite_wrong_clocks_kills_and_jumps(scene, size, figure):
    chance = random.Random(5)
    scene.workers.start_all()
    day = timedelta(days=1)
    whole_year = [(datetime(2028, 1, 1, tzinfo=UTC), datetime(2029, 1, 1, tzinfo=UTC))]
    turns = [(datetime(2028, *date, 12, tzinfo=UTC), datetime(2028, *date, 12, tzinfo=UTC) + day) for date in TURNS]
    kills, jumps = size(1, 60), size(2, 120)
    expected = []
    for start, end in size(turns, whole_year):
        expected += live_through(scene, start, end, chance, kills, jumps)
    seen = scene.runs()
    assert [(due, name) for due, name, _, _ in seen] == sorted(expected, key=lambda run: (run[0], id_of(scene, run[1])))
    assert {(kind, state) for _, _, kind, state in seen} == {("due", "ended")}
    assert scene.session.ask("select distinct missed from schedule_runs") == [["0"]]
    assert scene.session.ask("select count(*) from jobs where kind in ('schedule', 'run')") == [["0"]]
    assert scene.interrupted >= size(0, 1), "no kill came in the middle of a run"
    count = len(scene.workers.wrong)
    figure(
        f"due times of {len(SCHEDULES)} schedules in 3 zones, {count} workers off by up to 5 min, all killed {kills} times"
        f" ({scene.interrupted} within a run), {jumps} jumps back",
        f"{len(seen)} runs",
        f"{len(expected)}, each once",
    )


def id_of(scene, name):
    return next(id for id, found in scene.schedules.items() if found == name)


@pytest.mark.destructive
@pytest.mark.timeout(600)
def test_after_an_outage_one_missed_run_is_caught_up_or_the_schedule_is_suspended(scene, figure):
    scene.clock.move_to(datetime(2028, 5, 1, 12, tzinfo=UTC))
    host = scene.domain("/1")
    soon = scene.schedule("soon", "0 9 * * *", "UTC", host=host)
    often = scene.schedule("often", "*/5 * * * *", "UTC", host=host, catchUpSeconds=0)
    late = scene.schedule("late", "0 9 * * *", "UTC", host=host, catchUpSeconds=3_600)
    scene.clock.move_to(datetime(2028, 5, 4, 14, 0, 10, tzinfo=UTC))
    scene.workers.start_all()
    scene.until_run(datetime(2028, 5, 4, 9, tzinfo=UTC), {"soon"})
    scene.until_run(datetime(2028, 5, 4, 14, tzinfo=UTC), {"often"})
    suspended = eventually(
        lambda: (s := scene.waymark.api("GET", f"/v1/schedules/{late['id']}").json())["state"] == "suspended" and s, 60
    )
    assert "2028-05-04T09:00:00Z" in suspended["reason"] and "catch-up time of 3600 seconds" in suspended["reason"]
    [caught_up] = scene.waymark.api("GET", f"/v1/schedules/{soon['id']}/runs").json()["items"]
    assert (caught_up["kind"], caught_up["missed"]) == ("catchUp", 2)
    assert caught_up["firstMissedAt"] == "2028-05-02T09:00:00Z"
    [newest] = scene.waymark.api("GET", f"/v1/schedules/{often['id']}/runs").json()["items"]
    assert (newest["kind"], newest["missed"]) == ("due", 74 * 12 - 1)
    assert scene.waymark.api("GET", f"/v1/schedules/{late['id']}/runs").json()["items"] == []
    trail = scene.session.ask("select actor_kind, subject from audit_entries where action = 'schedule.suspended'")
    assert trail == [["system", "late"]]
    figure("three schedules after an outage of 74 hours", "2 runs, 1 suspended", "at most one run each, or suspended")


@pytest.mark.destructive
@pytest.mark.timeout(600)
def test_a_worker_killed_at_any_step_of_a_run_leaves_one_run_and_one_publication_for_each_domain(scene, size, figure):
    worst = 0.0
    for number, point in enumerate(SCHEDULE_POINTS):
        start = datetime(2028, 6, 1 + number, 8, 59, 50, tzinfo=UTC)
        scene.clock.move_to(start)
        hosts = [scene.domain("/1", labels=[point]) for _ in range(3)]
        made = scene.schedule(point, "0 9 * * *", "UTC", label=point)
        scene.move_to(start + timedelta(seconds=11))
        dying = scene.workers.start(0, fault=point)
        assert dying.wait(60) == -signal.SIGKILL, point
        scene.workers.running.clear()
        died = time.monotonic()
        scene.workers.start(1)
        scene.workers.start(2)
        if size(True, False):
            # The lease of the dead worker is measured by this clock.
            scene.move_to(scene.clock.now() + timedelta(seconds=11))
        scene.until_run(datetime(2028, 6, 1 + number, 9, tzinfo=UTC), {point})
        worst = max(worst, time.monotonic() - died)
        outcomes = scene.session.ask(
            "select host, outcome from schedule_outcomes join schedule_runs on id = run_id"
            f" where schedule_id = '{made['id']}' order by host"
        )
        assert outcomes == [[host, "published"] for host in sorted(hosts)], point
        for host in hosts:
            assert len(scene.waymark.api("GET", f"/v1/domains/{host}/publications").json()["items"]) == 1, point
        scene.workers.kill_all()
        answer = scene.waymark.api("PATCH", f"/v1/schedules/{made['id']}", {"state": "paused"}, {"If-Match": "*"})
        assert answer.status_code == 200
    assert len(scene.runs()) == len(SCHEDULE_POINTS)
    figure(
        f"a worker killed at each of {len(SCHEDULE_POINTS)} steps of a schedule's run",
        f"one run each, ended {worst:.1f} s later at most",
        "one, ≤ 30 s",
    )
