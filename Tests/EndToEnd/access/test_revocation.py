"""Revoked rights end within a second in every API process, although each process remembers its callers."""

import http.client
import json
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from installation import Installation, installed_on_cluster

ALLOWED = 1.0


@pytest.fixture(scope="module")
def apis():
    """Two API processes over one database."""
    with installed_on_cluster(("serve", "--role", "api")) as (waymark, cluster):
        other = Installation(cluster.settings(), ("serve", "--role", "api"))
        try:
            yield waymark, other.start()
        finally:
            other.remove()


class Caller(threading.Thread):
    """Asks an API again and again until the status changes."""

    def __init__(self, api, method="GET", path="/v1/teams", **request):
        super().__init__(daemon=True)
        self.ask = lambda client: client.request(method, f"{api.url}{path}", **request).status_code
        with httpx.Client(timeout=60) as client:
            self.first = self.ask(client)
        self.last = self.changed = None
        self.start()

    def run(self):
        with httpx.Client(timeout=60) as client:
            while self.last in (None, self.first):
                started = time.monotonic()
                self.last = self.ask(client)
            self.changed = started


def changed(callers, change):
    """The statuses after a change, and for how long the slowest caller still had its rights after it."""
    time.sleep(0.2)
    change()
    done = time.monotonic()
    for caller in callers:
        caller.join(30)
    return {caller.last for caller in callers}, max(caller.changed for caller in callers) - done


def session(waymark, link):
    code = re.search(r"/sign-in#(\S+)", link)[1]
    cookies = dict(waymark.client.post("/v1/session", json={"code": code}).cookies)
    waymark.client.cookies.clear()
    return {"Cookie": f"waymark={cookies['waymark']}", "Sec-Fetch-Site": "same-origin"}


def test_a_revoked_token_is_refused(apis):
    waymark = apis[0]
    said = waymark.cli("token", "create", "--organization", "acme", "--role", "viewer", "--name", "gone").stdout
    secret = re.search(r"wm_[a-z2-7]{40}", said).group()
    listed = json.loads(waymark.cli("token", "list", "--organization", "acme", "--json").stdout)["tokens"]
    [token] = [token["id"] for token in listed if token["name"] == "gone"]
    callers = [Caller(api, headers={"Authorization": f"Bearer {secret}"}) for api in apis]
    assert {caller.first for caller in callers} == {200}
    statuses, seconds = changed(callers, lambda: waymark.cli("token", "revoke", token))
    assert statuses == {401} and seconds < ALLOWED


def test_an_ended_session_is_refused(apis):
    waymark = apis[0]
    headers = session(waymark, waymark.sign_in_link("acme"))
    callers = [Caller(api, headers=headers) for api in apis]
    assert {caller.first for caller in callers} == {200}

    def sign_out():
        assert httpx.delete(f"{waymark.url}/v1/session", headers=headers).status_code == 204

    statuses, seconds = changed(callers, sign_out)
    assert statuses == {401} and seconds < ALLOWED


def test_a_lowered_role_and_a_removed_member_are_refused(apis):
    waymark = apis[0]
    ada = "ada@acme.example"

    def user(*arguments):
        return waymark.cli("user", *arguments, "--organization", "acme").stdout

    headers = session(waymark, user("add", ada, "--role", "editor"))

    def callers():
        return [Caller(api, "POST", json={"odd": 1}, headers=headers) for api in apis]

    editing = callers()
    assert {caller.first for caller in editing} == {422}
    statuses, seconds = changed(editing, lambda: user("role", ada, "viewer"))
    assert statuses == {403} and seconds < ALLOWED
    removed = callers()
    statuses, seconds = changed(removed, lambda: user("remove", ada))
    assert statuses == {400} and seconds < ALLOWED


def test_a_request_begun_before_the_removal_changes_nothing(apis):
    waymark = apis[0]
    eve, organization = "eve@acme.example", ("--organization", "acme")
    headers = session(waymark, waymark.cli("user", "add", eve, *organization, "--role", "admin").stdout)
    for api in apis:
        body = json.dumps({"name": "kept", "role": "admin"}).encode()
        connection = http.client.HTTPConnection(api.url.removeprefix("http://"), timeout=30)
        connection.putrequest("POST", "/v1/tokens")
        for name, value in {**headers, "Waymark-Organization": "acme", "Content-Length": str(len(body))}.items():
            connection.putheader(name, value)
        connection.endheaders(body[:-1])
        time.sleep(0.5)
        waymark.cli("user", "remove", eve, *organization)
        time.sleep(ALLOWED)
        connection.send(body[-1:])
        assert connection.getresponse().status == 404  # As for an organization that does not exist.
        waymark.cli("user", "add", eve, *organization, "--role", "admin")
    assert "kept" not in waymark.cli("token", "list", *organization).stdout


def test_a_revoked_token_that_waits_for_events_gets_none(apis):
    waymark = apis[0]
    for name, api in zip(["one", "two"], apis):
        said = waymark.cli("token", "create", "--organization", "acme", "--role", "viewer", "--name", name).stdout
        headers = {"Authorization": f"Bearer {re.search(r'wm_[a-z2-7]{40}', said).group()}"}
        last = httpx.get(f"{api.url}/v1/events", params={"limit": 200}, headers=headers).json()["next"]
        with ThreadPoolExecutor() as pool:
            asked = {"cursor": last, "wait": 4, "kind": "team.created"}
            waiting = pool.submit(httpx.get, f"{api.url}/v1/events", params=asked, headers=headers, timeout=30)
            time.sleep(0.5)
            listed = json.loads(waymark.cli("token", "list", "--organization", "acme", "--json").stdout)["tokens"]
            [token] = [each["id"] for each in listed if each["name"] == name]
            waymark.cli("token", "revoke", token)
            assert waiting.result().status_code == 401
