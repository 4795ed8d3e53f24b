"""Passwords, sessions, and the confirmation before changes of access."""

import concurrent.futures
import time

import httpx
import pytest

from installation import eventually
from people import GOOD, Person, client, problem

@pytest.fixture
def person(waymark):
    return Person(waymark)


@pytest.fixture(scope="module")
def ada(waymark):
    return Person(waymark).set_password()


def test_a_password_signs_in_and_the_address_ignores_case(ada):
    assert ada.browser.get("/v1/me").json()["user"]["hasPassword"] is True
    browser, answer = ada.sign_in(email=ada.email.upper())
    assert answer.status_code == 200 and answer.json()["user"]["email"] == ada.email
    assert browser.get("/v1/teams").status_code == 200


def test_a_wrong_password_an_unknown_address_and_none_get_the_same_answer(waymark, ada, person):
    def refused(email, password):
        started = time.monotonic()
        _, answer = ada.sign_in(password, email)
        body = {name: value for name, value in answer.json().items() if name != "requestId"}
        return answer.status_code, body, "set-cookie" in answer.headers, time.monotonic() - started

    answers = [refused(ada.email, "wrong pony staple wagon"), refused("nobody@acme.example", GOOD), refused(person.email, "")]
    assert answers[2][0] == 422  # An empty password is no password.
    answers[2] = refused(person.email, GOOD)
    assert all(answer[:3] == answers[0][:3] for answer in answers)
    assert answers[0][:2] == (401, answers[0][1]) and answers[0][1]["code"] == "invalid_credentials"


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"password": "short"}, "/password"),
        ({"password": "password1234"}, "/password"),
        ({"password": "x" * 201}, "/password"),
        ({"password": 7}, "/password"),
        ({}, "/password"),
        ({"password": GOOD, "old": GOOD}, "/old"),
    ],
)
def test_a_bad_new_password_changes_nothing(person, body, pointer):
    answer = person.browser.put("/v1/me/password", json=body)
    assert problem(answer) == (422, "invalid")
    assert answer.json()["errors"][0]["pointer"] == pointer
    assert person.browser.get("/v1/me").json()["user"]["hasPassword"] is False


@pytest.mark.parametrize("body", [{}, {"password": GOOD}, {"email": "a@b"}, {"code": "x", "password": GOOD}, {"code": "x", "email": "a@b"}])
def test_a_sign_in_needs_a_code_or_an_address_with_a_password(waymark, body):
    assert problem(client(waymark).post("/v1/session", json=body)) == (422, "invalid")


def test_failures_make_one_address_wait_and_no_other(waymark, ada, person):
    person.set_password()
    assert [person.sign_in("wrong pony staple wagon")[1].status_code for _ in range(6)] == [401] * 6
    blocked = person.sign_in()[1]
    assert problem(blocked) == (429, "too_many_sign_ins") and 1 <= int(blocked.headers["Retry-After"]) <= 60
    assert ada.sign_in()[1].status_code == 200
    assert client(waymark).post("/v1/session", json={"code": person.new_code()}).status_code == 200
    assert problem(person.sign_in(email="never@acme.example")[1]) == (401, "invalid_credentials")


def test_strangers_who_guess_do_not_stop_a_signed_in_user_from_confirming(waymark, person):
    person.set_password()
    for _ in range(6):
        person.sign_in("wrong pony staple wagon")
    assert problem(person.sign_in()[1]) == (429, "too_many_sign_ins")
    there = "/v1/session/confirmations"
    assert person.browser.post(there, json={"password": GOOD}).status_code == 200
    # Guessing in a session has to wait too, also in another one, but does not stop sign-ins.
    other = client(waymark)
    other.post("/v1/session", json={"code": person.new_code()})
    for _ in range(6):
        assert problem(other.post(there, json={"password": "wrong pony staple wagon"})) == (401, "invalid_credentials")
    for browser in (other, person.browser):
        assert problem(browser.post(there, json={"password": GOOD})) == (429, "too_many_sign_ins")
    assert person.browser.post(there, json={"code": person.new_code()}).status_code == 200


def test_a_new_password_ends_every_other_session_and_renews_this_one(person):
    person.set_password()
    other, _ = person.sign_in()
    before, code = dict(person.browser.cookies), person.new_code()
    person.set_password("another staple wagon pony")
    assert problem(client(person.waymark).post("/v1/session", json={"code": code})) == (401, "invalid_code")
    assert other.get("/v1/me").status_code == 401
    assert dict(person.browser.cookies) != before and person.browser.get("/v1/me").status_code == 200
    old = httpx.Client(base_url=person.waymark.url, cookies=before)
    assert old.get("/v1/me").status_code == 401
    assert person.sign_in()[1].status_code == 401
    assert person.sign_in("another staple wagon pony")[1].status_code == 200


def test_signing_in_replaces_the_session_that_the_browser_had(ada):
    browser, _ = ada.sign_in()
    before = dict(browser.cookies)
    ada.sign_in(browser=browser)
    assert dict(browser.cookies) != before
    assert httpx.get(f"{ada.waymark.url}/v1/me", cookies=before).status_code == 401


def test_sessions_are_listed_and_ended_one_by_one_or_together(person):
    person.set_password()
    phone, _ = person.sign_in()
    tablet, _ = person.sign_in()
    listed = person.browser.get("/v1/sessions").json()["items"]
    assert [session["current"] for session in listed].count(True) == 1 and len(listed) == 3
    assert {session["client"] for session in listed} == {"Firefox on Linux", "curl"}
    assert {session["address"] for session in listed} == {"127.0.0.1"}
    own = next(item["id"] for item in phone.get("/v1/sessions").json()["items"] if item["current"])
    assert person.browser.delete(f"/v1/sessions/{own}").status_code == 204
    eventually(lambda: phone.get("/v1/me").status_code == 401, 1)
    assert problem(person.browser.delete(f"/v1/sessions/{own}")) == (404, "not_found")
    assert person.browser.delete("/v1/sessions").status_code == 204
    eventually(lambda: tablet.get("/v1/me").status_code == 401, 1)
    assert [session["current"] for session in person.browser.get("/v1/sessions").json()["items"]] == [True]


def test_sessions_of_another_person_are_not_found(ada, person):
    theirs = person.browser.get("/v1/sessions").json()["items"][0]["id"]
    assert problem(ada.browser.delete(f"/v1/sessions/{theirs}")) == (404, "not_found")
    assert person.browser.get("/v1/me").status_code == 200


def test_a_name_is_changed(person):
    assert person.browser.patch("/v1/me", json={"name": "Ada L."}).json()["user"]["name"] == "Ada L."
    assert person.browser.get("/v1/me").json()["user"]["name"] == "Ada L."
    assert problem(person.browser.patch("/v1/me", json={"name": "a\u202eb"})) == (422, "invalid")


def test_old_sessions_confirm_before_they_change_access(external):
    waymark, cluster = external
    person = Person(waymark, "owner").set_password()
    cluster.sql("update sessions set confirmed_at = now() - interval '11 minutes'")
    waymark.restart()
    new = {"name": "ci", "role": "viewer"}
    member = person.browser.get("/v1/members").json()["items"][0]["id"]
    asked = [
        ("POST", "/v1/tokens", new),
        ("PATCH", f"/v1/members/{member}", {"role": "viewer"}),
        ("DELETE", f"/v1/members/{member}", None),
        ("POST", "/v1/invitations", {"email": "a@b.example", "role": "viewer"}),
        ("PUT", "/v1/me/password", {"password": "another staple wagon pony"}),
    ]
    for method, path, body in asked:
        assert problem(person.browser.request(method, path, json=body)) == (403, "confirmation_required"), path
    assert person.browser.get("/v1/teams").status_code == 200
    before = dict(person.browser.cookies)
    wrong = person.browser.post("/v1/session/confirmations", json={"password": "wrong pony staple wagon"})
    assert problem(wrong) == (401, "invalid_credentials")
    confirmed = person.browser.post("/v1/session/confirmations", json={"password": GOOD})
    assert confirmed.status_code == 200 and dict(person.browser.cookies) != before
    assert httpx.get(f"{waymark.url}/v1/me", cookies=before).status_code == 401
    assert person.browser.post("/v1/tokens", json=new).status_code == 201


def test_an_operators_link_confirms_only_its_own_user(ada, person):
    code = person.new_code()
    assert problem(ada.browser.post("/v1/session/confirmations", json={"code": code})) == (401, "invalid_code")
    assert person.browser.post("/v1/session/confirmations", json={"code": code}).status_code == 200
    assert problem(person.browser.post("/v1/session/confirmations", json={"code": code})) == (401, "invalid_code")


def test_idle_and_old_sessions_end(external):
    waymark, cluster = external
    person = Person(waymark)
    for change in ("last_used_at = now() - interval '7 days 1 minute'", "expires_at = now(), last_used_at = now()"):
        cluster.sql("update sessions set last_used_at = now(), expires_at = now() + interval '1 day'")
        eventually(lambda: person.browser.get("/v1/me").status_code == 200, 3)
        cluster.sql(f"update sessions set {change}")
        eventually(lambda: person.browser.get("/v1/me").status_code == 401, 3)


def test_a_flood_of_sign_ins_neither_fills_the_memory_nor_holds_up_others(waymark, ada):
    def attempt(number):
        with client(waymark) as browser:
            return browser.post("/v1/session", json={"email": f"flood{number}@acme.example", "password": GOOD}).status_code

    token = waymark.token()
    with concurrent.futures.ThreadPoolExecutor(40) as pool:
        flood = [pool.submit(attempt, number) for number in range(40)]
        while not all(future.done() for future in flood):
            assert httpx.get(f"{waymark.url}/livez").status_code == 200
            assert waymark.api("GET", "/v1/teams", token=token).status_code == 200
    statuses = {future.result() for future in flood}
    assert 401 in statuses and statuses <= {401, 429, 503}
    assert ada.sign_in()[1].status_code == 200


def test_a_password_that_is_changed_during_a_sign_in_opens_no_session(external):
    waymark, cluster = external
    person, other = Person(waymark).set_password(), Person(waymark).set_password("another staple wagon pony")
    change = (
        "update users set password_hash = (select password_hash from users where email = "
        f"'{other.email}') where email = '{person.email}'; select pg_sleep(2)")
    with concurrent.futures.ThreadPoolExecutor() as pool:
        changing = pool.submit(cluster.sql, change)
        running = "select count(*) from pg_stat_activity where wait_event = 'PgSleep'"
        eventually(lambda: cluster.sql(running) == "1", 5)
        # The change is not committed yet, so the sign-in checks the old password.
        browser, answer = person.sign_in()
        changing.result()
    assert problem(answer) == (401, "invalid_credentials") and browser.get("/v1/me").status_code == 401


def test_the_operator_ends_all_sessions_of_a_user(waymark, person):
    person.set_password()
    other, _ = person.sign_in()
    code = person.new_code()
    assert "is signed out everywhere" in waymark.cli("user", "end-sessions", person.email.upper()).stdout
    for browser in (person.browser, other):
        eventually(lambda: browser.get("/v1/me").status_code == 401, what="a session that has ended")
    assert problem(other.post("/v1/session", json={"code": code})) == (401, "invalid_code")
    assert person.sign_in()[1].status_code == 200
    unknown = waymark.cli("user", "end-sessions", "nobody@acme.example", check=False)
    assert unknown.returncode == 3 and "there is no user" in unknown.stderr
