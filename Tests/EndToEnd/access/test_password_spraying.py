"""Password spraying: few passwords on many accounts from one address, and many addresses that share the guesses at one
account. The limits are in docs/operations/accounts.md and docs/operations/limits.md."""

import itertools
import statistics
import time

import pytest

from mail_server import code, mailing
from people import GOOD, Person, client, problem

COMMON = "Summer2026!!"
OTHER = "seven quiet rivers bend"
# Requests without a credential that one address can send in a minute.
QUOTA = 12
networks = itertools.count(1)


@pytest.fixture(scope="module")
def waymark():
    """A Waymark behind a proxy, so that a test has many addresses. It sends mails."""
    with mailing(WAYMARK_RATE_LIMIT_ADDRESS=str(QUOTA), WAYMARK_TRUSTED_PROXIES="127.0.0.1") as waymark:
        yield waymark


@pytest.fixture(scope="module")
def members(waymark):
    return [Person(waymark, "viewer").set_password() for _ in range(4)]


def new_address():
    number = next(networks)
    return f"198.18.{number // 256}.{number % 256}"


def attempt(waymark, email, password, address):
    """Tries to sign in from an address. Returns the answer, and the time that it took."""
    with client(waymark) as browser:
        browser.headers["X-Forwarded-For"] = address
        started = time.monotonic()
        answer = browser.post("/v1/session", json={"email": email, "password": password})
        return answer, time.monotonic() - started


def visible(answer):
    """Everything that a client can compare, without the parts that differ between all requests."""
    body = {name: value for name, value in answer.json().items() if name != "requestId"}
    return answer.status_code, body, sorted(answer.headers), "set-cookie" in answer.headers


def stopped(answer):
    """Whether an answer is the refusal of an address. It names no account."""
    return (answer.status_code == 429 and answer.json()["code"] != "too_many_sign_ins"
            and int(answer.headers["Retry-After"]) >= 1)


def at_the_start_of_a_minute(seconds=45):
    """Waits, if necessary, so that the following requests are in the same minute."""
    if time.time() % 60 > 60 - seconds:
        time.sleep(61 - time.time() % 60)


def test_the_passwords_that_an_attacker_would_spray_belong_to_no_account(members):
    refused = members[0].browser.put("/v1/me/password", json={"password": COMMON})
    assert problem(refused) == (422, "invalid")
    assert refused.json()["errors"][0]["code"] == "common_password"


def test_one_address_that_sprays_many_accounts_is_stopped_and_learns_nothing(waymark, members):
    known = [member.email for member in members]
    unknown = [f"person{number}@nowhere.example" for number in range(QUOTA + 4 - len(known))]
    # Known and unknown accounts in turn, so that both are tried before the limit.
    emails = [each for pair in itertools.zip_longest(known, unknown) for each in pair if each]
    sprayer = new_address()
    at_the_start_of_a_minute()
    answers = {email: attempt(waymark, email, COMMON, sprayer) for email in emails}

    tried = [email for email in emails if answers[email][0].status_code == 401]
    assert len(known) < len(tried) <= QUOTA, "the limit of an address stops it"
    assert tried == emails[:len(tried)]
    assert all(stopped(answers[email][0]) for email in emails[len(tried):])
    # All answers up to the limit are the same, after the same work.
    assert len({repr(visible(answers[email][0])) for email in tried}) == 1
    times = [[answers[email][1] for email in tried if (email in known) == exists] for exists in (True, False)]
    assert 0.5 < min(times[0]) / min(times[1]) < 2, times
    # After the limit, the right password gets the same answer as a wrong one, without a hash.
    right, time_of_right = attempt(waymark, members[0].email, GOOD, sprayer)
    assert stopped(right) and right.json()["code"] == answers[emails[-1]][0].json()["code"]
    assert time_of_right < statistics.median(times[0] + times[1])

    # The owners of the accounts notice nothing, not even one who works at the sprayer's address.
    for member in members:
        assert attempt(waymark, member.email, GOOD, new_address())[0].status_code == 200
    at_work = members[0].browser.get("/v1/teams", headers={"X-Forwarded-For": sprayer})
    assert at_work.status_code == 200


@pytest.mark.parametrize("exists", [True, False], ids=["of a user", "of nobody"])
def test_many_addresses_that_guess_one_password_are_stopped_together(waymark, exists):
    """Each address sends one guess, so only the limit of the account stops them."""
    email = Person(waymark, "viewer").set_password().email if exists else "never@nowhere.example"
    answers = [attempt(waymark, email, f"{COMMON} {number}", new_address())[0] for number in range(9)]
    assert [problem(answer) for answer in answers] == (
        [(401, "invalid_credentials")] * 6 + [(429, "too_many_sign_ins")] * 3)
    assert all(1 <= int(answer.headers["Retry-After"]) <= 60 for answer in answers[6:])


def test_many_addresses_learn_from_the_wait_neither_the_account_nor_the_password(waymark):
    victim = Person(waymark, "viewer").set_password()
    for number, email in itertools.product(range(6), (victim.email, "absent@nowhere.example")):
        attempt(waymark, email, f"{COMMON} {number}", new_address())
    seen = [
        visible(attempt(waymark, email, password, new_address())[0])
        for email, password in (
            (victim.email, GOOD), (victim.email, COMMON), ("absent@nowhere.example", GOOD))
    ]
    waits = [each[1].pop("detail") for each in seen]
    assert seen[0] == seen[1] == seen[2] and seen[0][0] == 429
    assert all("wait" in wait.lower() or "again" in wait.lower() for wait in waits)


@pytest.mark.parametrize("way", ["an open session", "a link of the operator", "a new password by mail"])
def test_the_owner_of_a_guessed_account_gets_in_as_documented(waymark, way):
    owner = Person(waymark, "viewer").set_password()
    for number in range(7):
        attempt(waymark, owner.email, f"{COMMON} {number}", new_address())
    assert problem(attempt(waymark, owner.email, GOOD, new_address())[0]) == (429, "too_many_sign_ins")
    browser = client(waymark)
    browser.headers["X-Forwarded-For"] = new_address()
    match way:
        case "an open session":
            assert owner.browser.get("/v1/teams").status_code == 200
        case "a link of the operator":
            assert browser.post("/v1/session", json={"code": owner.new_code()}).status_code == 200
        case "a new password by mail":
            asked = browser.post("/v1/password-reset-mails", json={"email": owner.email})
            assert asked.status_code == 204
            mail = waymark.server.about(owner.email, "/password-reset#")
            reset = browser.post("/v1/password-resets", json={"code": code(mail), "password": OTHER})
            assert reset.status_code == 200, reset.text
            # The failures are forgotten.
            assert attempt(waymark, owner.email, OTHER, new_address())[0].status_code == 200
