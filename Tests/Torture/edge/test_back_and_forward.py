"""Rolling back to an older version and forward again: one call each, the same bytes, a new activation, soon at the
edge."""

import time

from publications import digest
from samples import draft

APP = "ABCDE12345.com.example.app"


def test_back_and_forward_are_one_call_each_with_the_same_bytes_and_a_new_activation(waymark, size, figure):
    host = waymark.new_domain(draft("/1", apps=[APP]))
    last = waymark.publish(host)["activation"]
    waymark.put_draft(host, draft("/2", apps=[APP]))
    last = waymark.publish(host)["activation"]
    versions = {number: waymark.api("GET", f"/v1/domains/{host}/versions/{number}").json() for number in (1, 2)}
    files = {number: waymark.api("GET", f"/v1/domains/{host}/versions/{number}/file").content for number in (1, 2)}
    assert files[1] != files[2]
    waymark.served(host, versions[2]["sha256"])
    kept = waymark.api("GET", f"/v1/domains/{host}/draft").content

    times = []
    for turn in range(size(6, 200)):
        number = 1 + turn % 2
        began = time.monotonic()
        called = waymark.api("POST", f"/v1/domains/{host}/publications", {"version": number})
        assert called.status_code == 202, called.text
        served = waymark.served(host, versions[number]["sha256"])
        times.append(time.monotonic() - began)
        assert served.content == files[number] and digest(served.content) == versions[number]["sha256"]
        assert served.headers["Waymark-Version"] == str(number)
        ended = waymark.api("GET", f"/v1/domains/{host}/publications/{called.json()['id']}?wait=20").json()
        assert (ended["state"], ended["version"]) == ("live", number)
        assert ended["activation"] > last
        last = ended["activation"]
    # No version was saved for it, and the draft is unchanged.
    listed = waymark.api("GET", f"/v1/domains/{host}/versions").json()["items"]
    assert [version["version"] for version in listed] == [2, 1]
    assert waymark.api("GET", f"/v1/domains/{host}/draft").content == kept
    figure(f"{len(times)} times back and forward: longest until the edge serves it", f"{max(times):.2f} s", "2 s")
    assert max(times) <= size(15, 2)
