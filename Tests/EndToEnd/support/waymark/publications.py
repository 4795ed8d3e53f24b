"""Creates publications, reads their outcomes, and requests files from the edge meanwhile."""

import hashlib
from datetime import UTC, datetime, timedelta

from load import Load

PATH = "/.well-known/apple-app-site-association"


def digest(body):
    return hashlib.sha256(body).hexdigest()


def moment(seconds):
    """The time this many seconds from now, in the API's format."""
    return (datetime.now(UTC) + timedelta(seconds=seconds)).replace(microsecond=0).isoformat().replace("+00:00", "Z")


def schedule(waymark, host, **fields):
    answer = waymark.api("POST", f"/v1/domains/{host}/publications", fields)
    assert answer.status_code == 202, answer.text
    return answer.json()


def show(waymark, publication, wait=0):
    path = f"/v1/domains/{publication['host']}/publications/{publication['id']}?wait={wait}"
    return waymark.api("GET", path).json()


def publications(waymark, host):
    return waymark.api("GET", f"/v1/domains/{host}/publications?limit=200").json()["items"]


def listed(waymark, path):
    """All items of a list, fetched page by page."""
    found, query = [], {"limit": 200}
    while True:
        page = waymark.api("GET", path, params=query).json()
        found += page["items"]
        if page["next"] is None:
            return found
        query["cursor"] = page["next"]


def all_ended(waymark, host):
    found = publications(waymark, host)
    return found if all(p["state"] not in ("scheduled", "running") for p in found) else None


def edge_load(waymark, host, **options):
    return Load(waymark.edge_url + PATH, {"Host": host}, **options)


def only_resets_of_takeovers(load, takeovers):
    """Returns true if the load failed only in a way that takeovers allow. At each takeover, a connection in the old
    edge's queue may be reset or closed before its request was read."""
    resets = ("ConnectionReset", "RemoteDisconnected")
    errors = [failure.error for failure in load.failures]
    return len(errors) <= takeovers and all(any(name in error for name in resets) for error in errors)
