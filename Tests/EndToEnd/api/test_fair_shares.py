"""A flood from one organization does not delay others: slots, connections, queues and bodies are shared."""

import asyncio
import time
from contextlib import contextmanager
from datetime import date
from threading import Event, Thread
from urllib.parse import urlsplit

import httpx
import pytest

from installation import eventually
from raw_http import connect
from samples import draft


@pytest.fixture(scope="module")
def other(waymark):
    """A token of another organization."""
    return waymark.token("viewer", waymark.create_organization())


@contextmanager
def flood(waymark, clients, **request):
    """Clients that repeat one request with a viewer's token of the first organization. Returns the statuses."""
    seen, over = {}, Event()
    headers = {"Authorization": f"Bearer {waymark.token('viewer')}"}

    def note(what):
        seen[what] = seen.get(what, 0) + 1

    async def client():
        # Each has a connection pool of its own. One pool needs longer for each request the more connections it has, so
        # that a client sends its request too late, and the service closes the connection.
        async with httpx.AsyncClient(base_url=waymark.url, timeout=120, verify=False) as session:
            while not over.is_set():
                try:
                    answer = await session.request(headers=headers, **request)
                except httpx.TransportError as error:
                    note(repr(error))
                    continue
                note(answer.status_code)
                if answer.status_code == 429:
                    if (answer.json()["code"], answer.headers["Retry-After"]) != ("too_many_requests", "1"):
                        note(answer.text)
                    await asyncio.sleep(0.05)

    async def run():
        tasks = [asyncio.create_task(client()) for _ in range(clients)]
        await asyncio.to_thread(over.wait)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    thread = Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join(60)


def reads(waymark, token, count=10):
    return [waymark.api("GET", "/v1/domains", token=token).status_code for _ in range(count)]


def figure(waymark, name):
    [line] = [line for line in httpx.get(f"{waymark.metrics_url}/metrics").text.splitlines() if line.startswith(name)]
    return float(line.split()[-1])


HOSTS = {"hosts": [f"host-{number}.example" for number in range(20_000)]}
FLOODS = {
    "calendars": dict(clients=64, method="GET", url=f"/v1/schedule-calendar?from={date.today()}&zone=Europe/Berlin"),
    "previews of schedules": dict(
        clients=64, method="POST", url="/v1/schedule-previews",
        json={"expression": "0 9 * * *", "zone": "Europe/Berlin", "count": 50},
    ),
    "previews of a release of 20,000 hosts": dict(clients=16, method="POST", url="/v1/release-previews", json=HOSTS),
}


@pytest.mark.parametrize("name", FLOODS)
def test_another_organization_is_answered_while_one_viewer_floods(waymark, other, name):
    with flood(waymark, **FLOODS[name]) as seen:
        eventually(lambda: seen, 60, what="the flood")
        assert reads(waymark, other) == [200] * 10
        assert httpx.get(f"{waymark.url}/livez", timeout=60).status_code == 200
        assert reads(waymark, waymark.token("owner"), 5) == [200] * 5, "another token of the same organization"
    assert set(seen) <= {200, 422, 429}, seen


def test_visitors_leave_room_for_signed_in_callers(waymark, other):
    body = {"aasa": '{"applinks":{"details":[]}}', "urls": ["https://www.example.com/" + "x" * 50] * 10_000}
    with flood(waymark, 32, method="POST", url="/v1/evaluations", json=body) as seen:
        eventually(lambda: seen, 60, what="the flood")
        assert reads(waymark, other) == [200] * 10
    assert set(seen) <= {200, 422, 429}, seen


def test_requests_beyond_a_callers_queue_are_refused_with_retry_after(waymark, other):
    """`/v1/lint` of visitors, with at most 2 running and 200 waiting requests."""
    text = '{"applinks":{"details":[' + ",".join(
        '{"appIDs":["ABCDE12345.com.example.a%d"],"components":[{"/":"/%d/*"}]}' % (number, number)
        for number in range(1_000)
    ) + "]}}"
    with flood(waymark, 400, method="POST", url="/v1/lint", content=text) as seen:
        eventually(lambda: seen.get(429), 60, what="a refusal")
        assert reads(waymark, other, 5) == [200] * 5
        assert figure(waymark, "waymark_http_requests_working") <= 8
        eventually(lambda: seen.get(200), 60, what="an answer to one of them")
    assert set(seen) <= {200, 429}, seen
    assert figure(waymark, "waymark_http_requests_refused_total") >= seen[429]


def test_requests_that_wait_for_events_are_limited_and_hold_no_slot(waymark, other):
    newest = waymark.api("GET", "/v1/events?sort=newest&limit=1").json()["items"][0]["position"]
    path = f"/v1/events?after={newest}&wait=30"
    with flood(waymark, 400, method="GET", url=path) as seen:
        eventually(lambda: seen.get(429), 60, what="a refusal beyond 250")
        assert reads(waymark, other) == [200] * 10
        # The organization's other requests work, and an event ends the waiting.
        host = waymark.new_domain(draft("/x"))
        assert waymark.publish(host)["state"] == "live"
        eventually(lambda: seen.get(200, 0) >= 250, 60, what="an answer to every waiting caller")
    assert set(seen) <= {200, 429}, seen


def test_waiting_for_a_publication_ends_when_it_is_cancelled(waymark):
    host = waymark.new_domain(draft("/x"))
    tomorrow = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 86_400))
    made = waymark.api("POST", f"/v1/domains/{host}/publications", {"at": tomorrow}).json()
    path = f"/v1/domains/{host}/publications/{made['id']}"
    with flood(waymark, 50, method="GET", url=path + "?wait=30") as seen:
        eventually(lambda: figure(waymark, "waymark_http_requests_watching") >= 50, 60, what="50 who wait")
        assert seen == {}
        assert waymark.api("DELETE", path).status_code == 200
        eventually(lambda: seen.get(200, 0) >= 50, 60, what="an answer to every waiting caller")
    assert set(seen) == {200}, seen


def half_sent(waymark, path, sent, length, token=None):
    connection = connect(waymark.url, 30)
    head = f"POST {path} HTTP/1.1\r\nHost: {urlsplit(waymark.url).netloc}\r\nContent-Length: {length}\r\n"
    head += f"Authorization: Bearer {token}\r\n" if token else ""
    try:
        connection.sendall(head.encode() + b"\r\n" + b" " * sent)
    except OSError:
        pass
    return connection


def status(connection):
    connection.settimeout(30)
    try:
        return int(connection.recv(65_536)[9:12])
    except (OSError, ValueError):
        return None


def test_half_sent_bodies_use_no_more_than_their_budget(waymark, other):
    """An organization has 48 MiB, for all its callers together."""
    viewer = waymark.token("viewer")
    path = f"/v1/domains/{waymark.new_domain(draft('/x'))}/evaluations"
    connections = [half_sent(waymark, path, 15 << 20, 16 << 20, viewer) for _ in range(3)]
    try:

        def refused():
            with half_sent(waymark, path, 15 << 20, 16 << 20, viewer) as one:
                return status(one) == 429

        eventually(refused, 15, what="a refusal because the disk is full")
        assert waymark.api("POST", "/v1/release-previews", HOSTS, token=other).status_code == 200
        assert httpx.post(f"{waymark.url}/v1/lint", content=b"{}", timeout=30).status_code == 200
    finally:
        for connection in connections:
            connection.close()

    def again():
        return waymark.api("POST", path, {"urls": ["/x"] * 1_000}, token=viewer).status_code == 200

    eventually(again, 30, what="room after the slow clients have gone")


def test_signing_in_does_not_wait_for_other_visitors(waymark):
    """Visitors have 16 MiB. Once they are used up, even small bodies are refused, except for sign-ins."""
    connections = [half_sent(waymark, "/v1/lint", (1 << 20) - 1, 1 << 20) for _ in range(16)]
    try:
        eventually(lambda: httpx.post(f"{waymark.url}/v1/lint", content=b" " * 100).status_code == 429, 15)
        answer = httpx.post(f"{waymark.url}/v1/session", json={"code": "x" * 100}, timeout=30)
        assert (answer.status_code, answer.json()["code"]) == (401, "invalid_code")
    finally:
        for connection in connections:
            connection.close()


def test_a_body_announced_as_too_long_is_refused_before_it_arrives(waymark):
    for path, length in [("/v1/lint", (1 << 20) + 1), ("/v1/evaluations", 16 << 20), ("/v1/session", 8_193)]:
        with half_sent(waymark, path, 0, length) as connection:
            assert status(connection) == 413, path


@pytest.mark.parametrize("value", ["[]", "1", '""', "{}"])
def test_a_body_with_too_many_values_is_refused_with_the_reason(waymark, value):
    body = "[" + ",".join([value] * 250_000) + "]"
    host = waymark.new_domain(draft("/x"))
    answer = waymark.api("POST", f"/v1/domains/{host}/evaluations", content=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed_json")
    assert "more than 250000 values" in answer.json()["detail"]


def test_the_largest_allowed_requests_are_within_the_limits(waymark):
    host = waymark.new_domain(draft("/x"))
    answer = waymark.api("POST", f"/v1/domains/{host}/evaluations", {"urls": ["/x"] * 10_000})
    # A debug build may exceed the time limit of a call with this many.
    assert answer.status_code == 200 or answer.json()["code"] == "budget_exceeded", answer.text[:500]
    assert waymark.api("POST", "/v1/release-previews", HOSTS).status_code == 200
