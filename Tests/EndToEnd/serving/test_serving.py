"""Where published files are served, and who fetched them: from the request at the edge to the answer of the API."""

import gzip
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from installation import eventually, installed
from samples import draft


def serving(waymark, host, **more):
    answer = waymark.api("GET", f"/v1/domains/{host}/serving", **more)
    assert answer.status_code == 200, answer.text
    return answer.json()


def counts(waymark, host):
    return {(row["version"], row["client"]): row["count"] for row in serving(waymark, host)["fetches"]}


def report(waymark, **fields):
    secret = (waymark.state / "consumer-secret").read_text().strip()
    body = {
        "consumer": "far-away", "kind": "directory", "process": "one", "sequence": 1, "activation": 0, "hosts": 0,
        "held": [], "heldCount": 0, "fetches": [],
    }
    answer = httpx.post(
        f"{waymark.url}/internal/reports", json=body | fields, headers={"Authorization": f"Bearer {secret}"}
    )
    return answer


def command(waymark, host):
    access = {"WAYMARK_URL": waymark.url, "WAYMARK_TOKEN": waymark.token("viewer")}
    return waymark.cli("serving", host, check=False, environment=access)


def test_the_edge_reports_the_version_that_it_serves(waymark):
    host = waymark.new_domain(draft("/one"))
    before = serving(waymark, host)
    assert (before["live"], before["fetches"]) == (None, [])
    assert all(consumer["current"] is None and consumer["lag"] is None for consumer in before["consumers"])
    waymark.publish(host)

    def edge():
        edges = [consumer for consumer in serving(waymark, host)["consumers"] if consumer["kind"] == "edge"]
        return edges[0] if edges and edges[0]["current"] else None

    consumer = eventually(edge, what="a report of the edge")
    live = serving(waymark, host)["live"]
    assert consumer["activation"] >= live["activation"] and consumer["lag"] is None
    assert consumer["appliedAt"] >= live["publishedAt"]


def test_fetches_are_counted_by_version_and_client(waymark):
    host = waymark.new_domain(draft("/two"))
    waymark.publish(host)
    sha256 = serving(waymark, host)["live"]["sha256"]
    waymark.served(host, sha256)
    for agent in ["AASA-Bot/1.0.0", "AASA-Bot/1.0.0", "swcd (unknown version) CFNetwork/1568.100.1 Darwin/24.0.0"]:
        assert waymark.edge(host, headers={"User-Agent": agent}).status_code == 200
    known = {"User-Agent": "AASA-Bot/1.0.0", "If-None-Match": f'"{sha256}"'}
    assert waymark.edge(host, headers=known).status_code == 304
    assert waymark.edge(host, "/other", headers={"User-Agent": "AASA-Bot/1.0.0"}).status_code == 404
    eventually(lambda: counts(waymark, host).get((1, "appleCDN")) == 3, 60, what="the edge's report of fetches")
    assert counts(waymark, host)[(1, "device")] == 1
    assert counts(waymark, host)[(1, "other")] >= 1


def test_counts_survive_an_absent_api_and_nothing_is_counted_twice():
    with installed() as waymark:
        host = waymark.new_domain(draft("/three"))
        waymark.publish(host)
        waymark.served(host, serving(waymark, host)["live"]["sha256"])
        waymark.kill9()
        for _ in range(20):
            assert waymark.edge(host, headers={"User-Agent": "AASA-Bot/1.0.0"}).status_code == 200
        # Longer than the reporting interval, so the edge has tried to send a report and failed.
        time.sleep(11)
        assert waymark.edge(host, headers={"User-Agent": "AASA-Bot/1.0.0"}).status_code == 200
        waymark.start()
        eventually(lambda: counts(waymark, host).get((1, "appleCDN")) == 21, 60, what="the counts made meanwhile")
        waymark.restart()
        assert counts(waymark, host)[(1, "appleCDN")] == 21


def test_a_repeated_report_counts_once(waymark):
    host = waymark.new_domain(draft("/four"))
    waymark.publish(host)
    now = int(time.time())
    row = {"host": host, "version": 1, "client": "appleCDN", "count": 1_000, "first": now, "last": now}
    with ThreadPoolExecutor(8) as callers:
        answers = list(callers.map(lambda _: report(waymark, consumer="often", fetches=[row]), range(32)))
    assert {answer.status_code for answer in answers} == {204}
    assert counts(waymark, host)[(1, "appleCDN")] == 1_000
    assert report(waymark, consumer="often", sequence=2, fetches=[row]).status_code == 204
    assert counts(waymark, host)[(1, "appleCDN")] == 2_000


def test_a_consumer_that_is_behind_shows_for_how_long(waymark):
    host = waymark.new_domain(draft("/five"))
    waymark.publish(host)
    activation = serving(waymark, host)["live"]["activation"]
    assert report(waymark, consumer="late", activation=activation - 1).status_code == 204

    def late():
        return next(consumer for consumer in serving(waymark, host)["consumers"] if consumer["name"] == "late")

    assert late()["current"] is False and late()["lag"] >= 0 and late()["version"] is None
    assert report(waymark, consumer="late", sequence=2, activation=activation, held=[host], heldCount=1).status_code == 204
    assert late()["current"] is False
    assert report(waymark, consumer="late", sequence=3, activation=activation).status_code == 204
    assert late()["current"] is True and late()["lag"] is None and late()["version"] == 1
    waymark.publish_again(host, version=1)
    waymark.put_draft(host, draft("/five/again"))
    waymark.publish(host)
    assert (late()["current"], late()["version"]) == (False, 1)
    held = serving(waymark, host)["live"]["activation"] - 1
    assert report(waymark, consumer="late", sequence=4, activation=held, held=[host], heldCount=1).status_code == 204
    assert (late()["current"], late()["version"]) == (False, None)


def test_a_consumers_error_is_shown_with_its_start_until_it_ends(waymark):
    host = waymark.new_domain(draft("/six"))
    waymark.publish(host)
    activation = serving(waymark, host)["live"]["activation"]

    def told():
        row = next(row for row in serving(waymark, host)["consumers"] if row["name"] == "troubled")
        return row["trouble"], row["troubleSince"]

    full = {"consumer": "troubled", "activation": activation - 1, "trouble": "the disk is full: No space left on device"}
    assert report(waymark, **full).status_code == 204
    words, since = told()
    assert words == full["trouble"] and since is not None
    shown = command(waymark, host)
    assert shown.returncode == 1 and f"error since {since}: {words}" in shown.stdout, shown
    assert report(waymark, consumer="troubled", sequence=2, activation=activation).status_code == 204
    assert told() == (None, None)
    for row in serving(waymark, host)["consumers"]:
        if row["kind"] == "directory":
            assert report(waymark, consumer=row["name"], process="later", activation=activation).status_code == 204
    eventually(lambda: command(waymark, host).returncode == 0, 60, what="every consumer to serve it")
    row = next(row for row in serving(waymark, host)["consumers"] if row["name"] == "troubled")
    assert f"directory  troubled: current, seen at {row['seenAt']}\n" in command(waymark, host).stdout


@pytest.mark.parametrize(
    "fields",
    [
        {"trouble": ""}, {"trouble": "x" * 501}, {"trouble": "two\nlines"}, {"trouble": "\x1b[2J"},
        {"trouble": "left\u202eright"}, {"consumer": ""}, {"kind": "cdn"}, {"sequence": 0}, {"held": ["x"] * 101}, {"more": 1}, {"activation": -1},
        {"fetches": [{"host": "a.example"}]},
        {"fetches": [{"host": "a.example", "version": 1, "client": "me", "count": 1, "first": 0, "last": 0}]},
        {"fetches": [{"host": "a.example", "version": 1 << 31, "client": "other", "count": 1, "first": 0, "last": 0}]},
    ],
)
def test_a_report_is_read_strictly(waymark, fields):
    answer = report(waymark, **fields)
    assert answer.status_code == 422 and answer.json()["errors"], answer.text


def test_gzip_is_the_same_file_in_fewer_bytes(waymark):
    host = waymark.new_domain(draft(*[f"/products/number-{number}/*" for number in range(60)]))
    waymark.publish(host)
    sha256 = serving(waymark, host)["live"]["sha256"]
    plain = waymark.served(host, sha256)
    with httpx.Client() as client:
        request = client.build_request(
            "GET",
            waymark.edge_url + "/.well-known/apple-app-site-association",
            headers={"Host": host, "Accept-Encoding": "gzip"},
        )
        answer = client.send(request, stream=True)
        raw = b"".join(answer.iter_raw())
    assert answer.headers["Content-Encoding"] == "gzip" and answer.headers["Vary"] == "Accept-Encoding"
    assert answer.headers["ETag"] == f'"{sha256}-gzip"'
    assert int(answer.headers["Content-Length"]) == len(raw) < len(plain.content) / 2
    assert gzip.decompress(raw) == plain.content
