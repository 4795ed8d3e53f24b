"""Passkeys: added, used instead of a password or as a second factor, and every wrong answer of an authenticator."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from authenticator import ES256, ES384, HAS_KEY, PRESENT, RS256, VERIFIED, Authenticator, EdDSA, text
from installation import eventually
from mail_server import installed_with_mail
from people import GOOD, Person, client, problem


@pytest.fixture(scope="module")
def setting():
    with installed_with_mail() as waymark:
        yield waymark


def challenge(browser, path="/v1/passkey-challenges"):
    answer = browser.post(path)
    assert answer.status_code == 201, answer.text
    return answer.json()["challenge"]


class Holder(Person):
    """A person with a password and a passkey."""

    def __init__(self, waymark, role="admin", algorithm=ES256, counts=False):
        super().__init__(waymark, role)
        self.set_password()
        self.key = Authenticator(waymark.url, algorithm, counts)
        self.added = self.add(self.key)
        assert self.added.status_code == 201, self.added.text
        self.recovery_codes = self.added.json()["recoveryCodes"]

    def add(self, key, name="Laptop", **wrong):
        made = key.create(challenge(self.browser, "/v1/me/passkey-challenges"), **wrong)
        return self.browser.post("/v1/me/passkeys", json={"name": name, **made})

    def sign_in_by_passkey(self, key=None, **wrong):
        browser = client(self.waymark)
        used = (key or self.key).use(challenge(browser), **wrong)
        return browser, browser.post("/v1/session", json={"passkey": used})


@pytest.mark.parametrize("algorithm", [ES256, EdDSA, RS256])
def test_a_passkey_alone_signs_in(setting, algorithm):
    holder = Holder(setting, algorithm=algorithm)
    browser, answer = holder.sign_in_by_passkey()
    assert answer.status_code == 200, answer.text
    me = browser.get("/v1/me").json()["user"]
    assert (me["email"], me["hasPasskey"], me["hasSecondFactor"]) == (holder.email, True, True)
    [listed] = browser.get("/v1/me/passkeys").json()["items"]
    assert listed["name"] == "Laptop" and listed["lastUsedAt"]


def test_adding_the_first_one_ends_other_sessions_gives_recovery_codes_and_sends_a_mail(setting):
    person = Person(setting).set_password()
    other, _ = person.sign_in()
    before = dict(person.browser.cookies)
    key = Authenticator(setting.url)
    made = key.create(challenge(person.browser, "/v1/me/passkey-challenges"))
    added = person.browser.post("/v1/me/passkeys", json={"name": "Phone", **made})
    assert added.status_code == 201 and len(set(added.json()["recoveryCodes"])) == 10
    assert other.get("/v1/me").status_code == 401
    assert dict(person.browser.cookies) != before, "the session has a new secret"
    setting.server.about(person.email, "new passkey")
    made = Authenticator(setting.url).create(challenge(person.browser, "/v1/me/passkey-challenges"))
    assert person.browser.post("/v1/me/passkeys", json={"name": "Second", **made}).json()["recoveryCodes"] is None


def test_a_password_alone_is_then_not_enough(setting):
    holder = Holder(setting)
    _, answer = holder.sign_in()
    assert problem(answer) == (401, "second_factor_required")
    proof = {"email": holder.email, "password": GOOD}
    for more in ({"passkey": holder.key.use(challenge(client(setting)))}, {"secondFactor": holder.recovery_codes[0]}):
        assert client(setting).post("/v1/session", json=proof | more).status_code == 200
    # As a second factor, an authenticator that does not verify the user is enough.
    more = {"passkey": holder.key.use(challenge(client(setting)), flags=PRESENT)}
    assert client(setting).post("/v1/session", json=proof | more).status_code == 200
    # Someone else's passkey is not.
    more = {"passkey": Holder(setting).key.use(challenge(client(setting)))}
    assert problem(client(setting).post("/v1/session", json=proof | more)) == (401, "invalid_second_factor")


def test_a_passkey_confirms_a_session_of_its_user_only(setting):
    holder, other = Holder(setting), Holder(setting)
    setting.cluster.sql("update sessions set confirmed_at = confirmed_at - interval '1 hour'")
    assert problem(holder.browser.post("/v1/me/passkey-challenges")) == (403, "confirmation_required")
    wrong = other.key.use(challenge(holder.browser))
    refused = holder.browser.post("/v1/session/confirmations", json={"passkey": wrong})
    assert problem(refused) == (401, "invalid_second_factor")
    right = holder.key.use(challenge(holder.browser))
    assert holder.browser.post("/v1/session/confirmations", json={"passkey": right}).status_code == 200
    challenge(holder.browser, "/v1/me/passkey-challenges")


WRONG_USES = {
    "another type": {"kind": "webauthn.create"},
    "another site's page": {"origin": "https://evil.example"},
    "a frame of another site": {"crossOrigin": True},
    "a passkey for another site": {"party": "evil.example"},
    "nobody present": {"flags": VERIFIED},
    "the user not verified": {"flags": PRESENT},
    "an unknown passkey": {"id": b"unknown"},
}


@pytest.mark.parametrize("name", WRONG_USES)
def test_a_wrong_answer_signs_nobody_in(setting, name):
    holder = Holder(setting)
    browser, answer = holder.sign_in_by_passkey(**WRONG_USES[name])
    assert problem(answer) == (401, "invalid_passkey") and not browser.cookies
    assert holder.sign_in_by_passkey()[1].status_code == 200


def test_a_wrong_signature_signs_nobody_in(setting):
    holder = Holder(setting)
    forged = Authenticator(setting.url)
    forged.id = holder.key.id
    assert problem(holder.sign_in_by_passkey(forged)[1]) == (401, "invalid_passkey")
    used = holder.key.use(challenge(client(setting)))
    used["authenticatorData"] = text(b"short")
    assert problem(client(setting).post("/v1/session", json={"passkey": used})) == (401, "invalid_passkey")


def test_a_challenge_works_once_and_only_for_its_purpose(setting):
    holder = Holder(setting)
    used = holder.key.use(challenge(client(setting)))
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: client(setting).post("/v1/session", json={"passkey": used}), range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 401, 401, 401]
    for other in (text(b"made up"), challenge(holder.browser, "/v1/me/passkey-challenges"), "not base64url!"):
        used = holder.key.use(other)
        assert problem(client(setting).post("/v1/session", json={"passkey": used})) == (401, "invalid_passkey")
    expired = challenge(client(setting))
    setting.cluster.sql("update passkey_challenges set expires_at = now() - interval '1 second'")
    refused = client(setting).post("/v1/session", json={"passkey": holder.key.use(expired)})
    assert problem(refused) == (401, "invalid_passkey")


def test_a_counter_that_does_not_increase_shows_a_copy(setting):
    holder = Holder(setting, counts=True)
    assert holder.sign_in_by_passkey()[1].status_code == 200
    for counter in (0, 1, 2):
        assert problem(holder.sign_in_by_passkey(counter=counter)[1]) == (401, "invalid_passkey")
    assert holder.sign_in_by_passkey()[1].status_code == 200


WRONG_CREATIONS = {
    "another type": {"kind": "webauthn.get"},
    "another site's page": {"origin": "https://evil.example"},
    "a passkey for another site": {"party": "evil.example"},
    "the user not verified": {"flags": PRESENT | HAS_KEY},
    "no key": {"flags": PRESENT | VERIFIED},
    "an ID that is too long": {"id": b"x" * 1_024},
}


@pytest.mark.parametrize("name", WRONG_CREATIONS)
def test_a_wrong_answer_adds_nothing(setting, name):
    person = Person(setting)
    made = Authenticator(setting.url).create(
        challenge(person.browser, "/v1/me/passkey-challenges"), **WRONG_CREATIONS[name]
    )
    refused = person.browser.post("/v1/me/passkeys", json={"name": "Wrong", **made})
    assert problem(refused) == (422, "invalid")
    assert refused.json()["errors"][0]["pointer"] == "/authenticatorData"
    assert person.browser.get("/v1/me/passkeys").json()["items"] == []


def test_another_algorithm_and_another_users_challenge_are_refused(setting):
    person, other = Person(setting), Person(setting)
    made = Authenticator(setting.url, ES384).create(challenge(person.browser, "/v1/me/passkey-challenges"))
    refused = person.browser.post("/v1/me/passkeys", json={"name": "Odd", **made})
    assert refused.status_code == 422 and "ES256" in refused.text
    made = Authenticator(setting.url).create(challenge(other.browser, "/v1/me/passkey-challenges"))
    assert person.browser.post("/v1/me/passkeys", json={"name": "Theirs", **made}).status_code == 422
    made = Authenticator(setting.url).create(challenge(person.browser))
    assert person.browser.post("/v1/me/passkeys", json={"name": "Public", **made}).status_code == 422


def test_a_passkey_belongs_to_one_user_and_a_user_has_20_at_most(setting):
    holder, other = Holder(setting), Person(setting)
    made = holder.key.create(challenge(other.browser, "/v1/me/passkey-challenges"))
    taken = other.browser.post("/v1/me/passkeys", json={"name": "Taken", **made})
    assert problem(taken) == (409, "exists")
    for _ in range(19):
        assert holder.add(Authenticator(setting.url)).status_code == 201
    assert problem(holder.add(Authenticator(setting.url))) == (409, "too_many_passkeys")


def test_a_removed_passkey_signs_nobody_in_and_its_recovery_codes_end(setting):
    holder, other = Holder(setting), Holder(setting)
    path = f"/v1/me/passkeys/{holder.added.json()['passkey']['id']}"
    assert problem(other.browser.delete(path)) == (404, "not_found")
    assert holder.browser.delete(path).status_code == 204
    assert problem(holder.sign_in_by_passkey()[1]) == (401, "invalid_passkey")
    assert holder.sign_in()[1].status_code == 200, "the password alone is enough again"
    assert setting.cluster.sql(
        f"select count(*) from recovery_codes join users on users.id = user_id where email = '{holder.email}'") == "0"
    setting.server.about(holder.email, "passkey")


def test_the_last_second_factor_stays_while_an_organization_requires_one(setting):
    slug = setting.create_organization()
    holder = Holder(setting)
    setting.cli("user", "add", holder.email, "--organization", slug, "--role", "owner")
    mine = {"Waymark-Organization": slug}
    changed = holder.browser.patch("/v1/organization", json={"requiresSecondFactor": True}, headers=mine)
    assert changed.status_code == 200, changed.text
    path = f"/v1/me/passkeys/{holder.added.json()['passkey']['id']}"
    assert problem(holder.browser.delete(path)) == (409, "second_factor_required")
    assert holder.sign_in_by_passkey()[1].status_code == 200, "nothing was removed"
    assert holder.add(Authenticator(setting.url)).status_code == 201
    assert holder.browser.delete(path).status_code == 204


def test_the_operator_and_a_verified_address_remove_passkeys(setting):
    holder = Holder(setting)
    setting.cli("user", "remove-second-factor", holder.email)
    assert problem(holder.sign_in_by_passkey()[1]) == (401, "invalid_passkey")


def test_the_log_says_who_signed_in_and_how(setting):
    holder = Holder(setting)
    user = holder.browser.get("/v1/me").json()["user"]["id"]
    before = len(setting.log())
    browser = client(setting)
    attempts = [
        {"email": holder.email, "password": "a wrong password"},
        {"email": holder.email, "password": GOOD, "secondFactor": holder.recovery_codes[0]},
        {"passkey": holder.key.use(challenge(browser))},
        {"email": "typed@secret.example", "password": "what a visitor typed"},
    ]
    answers = [browser.post("/v1/session", json=attempt) for attempt in attempts]
    requests = [answer.headers["Request-Id"] for answer in answers]
    assert [answer.status_code for answer in answers] == [401, 200, 200, 401]

    def noted():
        lines = [json.loads(line) for line in setting.log()[before:].splitlines() if line.startswith("{")]
        found = {line["request"]: line for line in lines if line.get("request") in requests}
        return [found[id] for id in requests] if len(found) == 4 else None

    lines = eventually(noted, 10, what="the log lines")
    shown = [tuple(line.get(name) for name in ("user", "by", "secondFactor")) for line in lines]
    assert shown == [
        (user, "password", None),
        (user, "password", "code"),
        (user, "passkey", None),
        (None, "password", None),
    ]
    assert "typed@secret" not in setting.log() and "a visitor typed" not in setting.log()
