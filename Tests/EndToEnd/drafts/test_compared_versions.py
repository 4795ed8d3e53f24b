"""Comparisons of drafts and versions, and the compared systems."""

import pytest

from samples import draft


@pytest.fixture
def host(waymark):
    """A domain whose draft supports iOS 9 and later."""
    host = waymark.new_domain(draft("/a", compatibility="ios9"))
    waymark.publish(host)
    return host


def compared(waymark, host, path="draft/diff"):
    answer = waymark.api("GET", f"/v1/domains/{host}/{path}")
    assert answer.status_code == 200, answer.text
    difference = answer.json()
    found = {(change["url"], change["os"]): change["after"]["outcome"] for change in difference["outcomes"]}
    return difference["systems"], found


def test_a_draft_for_ios_9_is_compared_for_ios_9_too(waymark, host):
    waymark.put_draft(host, draft("/a", "/new", compatibility="ios9"))
    systems, found = compared(waymark, host)
    assert systems == ["ios14", "ios9"]
    assert (found["/new", "ios14"], found["/new", "ios9"]) == ("opens", "opens")
    assert "/applinks/details/0/paths" in " ".join(
        waymark.api("GET", f"/v1/domains/{host}/draft/diff").json()["other"]
    )


def test_links_that_only_old_systems_lose_are_shown(waymark, host):
    waymark.put_draft(host, draft("/a", compatibility="ios13"))
    systems, found = compared(waymark, host)
    assert systems == ["ios14", "ios9"]
    assert found["/a", "ios9"] == "none"
    assert {os for _, os in found} == {"ios9"}
    waymark.publish(host)
    assert compared(waymark, host, "versions/2/diff") == (systems, found)


def test_any_two_versions_are_compared_by_their_bytes_too(waymark):
    host = waymark.new_domain(draft("/1"))
    first = waymark.api("GET", f"/v1/domains/{host}/draft/diff").json()["bytes"]
    waymark.publish(host)
    for number in (22, 333):
        waymark.put_draft(host, draft(f"/{number}"))
        waymark.publish(host)
    sizes = {version["version"]: version["size"] for version in versions(waymark, host)}

    def bytes_of(number, before):
        return waymark.api("GET", f"/v1/domains/{host}/versions/{number}/diff?from={before}").json()["bytes"]

    for before, after in [(1, 3), (3, 1), (2, 3), (2, 2)]:
        compared = bytes_of(after, before)
        assert (compared["before"], compared["after"]) == (sizes[before], sizes[after])
        assert compared["equal"] == (before == after)
    changed = [line for line in bytes_of(1, 3)["unified"].splitlines() if line[0] in "+-"]
    assert changed == ['-            "/": "/333"', '+            "/": "/1"']
    assert (first["before"], first["after"], first["equal"]) == (0, sizes[1], False)
    assert {line[0] for line in first["unified"].splitlines()} == {"@", "+"}


def versions(waymark, host):
    return waymark.api("GET", f"/v1/domains/{host}/versions").json()["items"]


def test_files_without_rules_for_ios_9_are_not_compared_for_it(waymark):
    host = waymark.new_domain(draft("/a"))
    assert compared(waymark, host)[0] == ["ios14"]


def test_the_systems_can_be_named(waymark, host):
    waymark.put_draft(host, draft("/b", compatibility="ios9"))
    assert compared(waymark, host, "draft/diff?os=ios9")[0] == ["ios9"]
    systems, found = compared(waymark, host, "versions/1/diff?os=ios9&os=ios13&os=ios9")
    assert systems == ["ios13", "ios9"]
    assert found["/a", "ios13"] == "opens"
    for query in ("os=ios8", "os=", "os=ios9&os=x"):
        answer = waymark.api("GET", f"/v1/domains/{host}/draft/diff?{query}")
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid_parameter"), query
