"""The log has a thread of its own: a slow reader delays no request, and the last lines are written before the end."""

import json
import signal
import subprocess
import threading

import httpx
import pytest

from installation import EXECUTABLE, eventually


@pytest.fixture
def unread(empty_waymark):
    """A Waymark whose log nobody reads yet: a pipe, which is full after 64 KiB."""
    waymark = empty_waymark
    waymark.process = subprocess.Popen(
        [EXECUTABLE, "serve"],
        cwd=waymark.directory,
        env=waymark.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    eventually(lambda: httpx.get(f"{waymark.url}/readyz").status_code == 200, 60, what="a ready API")
    yield waymark
    if waymark.process.poll() is None:
        waymark.process.kill()


def ask(waymark, numbers, padding=""):
    """Sends a request for each number, with the number in its path."""
    with httpx.Client(base_url=waymark.url, timeout=10) as client:
        return [client.get(f"/asked-{number}-{padding}").status_code for number in numbers]


def lines(waymark):
    """The lines of the log until the end of all processes that write it."""
    found = []

    def read():
        for line in waymark.process.stderr:
            found.append(json.loads(line))

    reader = threading.Thread(target=read)
    reader.start()
    return reader, found


def asked(found):
    return [int(line["message"].split("-")[1]) for line in found if "GET /asked-" in line["message"]]


def test_a_log_that_is_not_read_delays_no_request_and_counts_the_dropped_lines(unread):
    # Each line takes more than 3 kB, and at most 4 MiB of them wait.
    assert set(ask(unread, range(1_600), "x" * 3_000)) == {404}
    reader, found = lines(unread)
    eventually(lambda: any("were dropped" in line["message"] for line in found), what="the line about dropped lines")
    [dropped] = [line for line in found if "were dropped" in line["message"]]
    assert dropped["level"] == "warning"
    metric = httpx.get(f"{unread.metrics_url}/metrics").text
    assert f"waymark_log_lines_dropped_total {dropped['lines']}" in metric
    unread.process.send_signal(signal.SIGTERM)
    assert unread.process.wait(30) == 0
    reader.join(30)
    written = asked(found)
    assert written == list(range(len(written))) and len(written) + int(dropped["lines"]) >= 1_600


def test_the_waiting_lines_are_written_before_the_end(unread):
    assert set(ask(unread, range(100), "x" * 3_000)) == {404}
    unread.process.send_signal(signal.SIGTERM)
    reader, found = lines(unread)
    assert unread.process.wait(30) == 0
    reader.join(30)
    assert asked(found) == list(range(100))
