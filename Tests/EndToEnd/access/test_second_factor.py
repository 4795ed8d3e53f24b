"""Second factors: codes of an authenticator app (pyotp), recovery codes, and organizations that require one."""

import time
from concurrent.futures import ThreadPoolExecutor

import pyotp
import pytest

from contract import OF_MEMBERS
from mail_server import code as code_of
from mail_server import installed_with_mail
from people import GOOD, Person, client, problem

OTHER = "seven quiet rivers bend"


@pytest.fixture(scope="module")
def setting():
    with installed_with_mail() as waymark:
        yield waymark


class Careful(Person):
    """A person with a password and an authenticator app."""

    def __init__(self, waymark, role="admin"):
        super().__init__(waymark, role)
        self.set_password()
        self.set_up()

    def set_up(self):
        made = self.browser.post("/v1/me/totp-secrets")
        assert made.status_code == 201, made.text
        self.app = pyotp.parse_uri(made.json()["uri"])
        self.offer = made.json()
        self.answer = self.browser.put("/v1/me/second-factor", json={"code": self.app.now()})
        assert self.answer.status_code == 200, self.answer.text
        self.recovery_codes = self.answer.json()["recoveryCodes"]

    def app_code(self):
        """A code that is accepted. Each works once, so the last one is forgotten."""
        self.waymark.cluster.sql(f"update users set totp_last_step = 0 where email = '{self.email}'")
        return self.app.now()

    def sign_in(self, second_factor=None, password=GOOD):
        browser = client(self.waymark)
        body = {"email": self.email, "password": password, "secondFactor": second_factor}
        return browser, browser.post("/v1/session", json=body)


def wrong(code):
    return f"{(int(code) + 1) % 1_000_000:06}"


def test_setting_up_a_second_factor_ends_the_other_sessions_and_sends_a_mail(setting):
    person = Person(setting).set_password()
    other, _ = person.sign_in()
    first = person.browser.post("/v1/me/totp-secrets").json()
    app = pyotp.parse_uri(first["uri"])
    assert (app.secret, app.name, app.issuer) == (first["secret"], person.email, "Waymark (127.0.0.1)")
    refused = person.browser.put("/v1/me/second-factor", json={"code": wrong(app.now())})
    assert problem(refused) == (422, "invalid") and refused.json()["errors"][0]["pointer"] == "/code"
    # A new secret replaces the one before.
    second = pyotp.parse_uri(person.browser.post("/v1/me/totp-secrets").json()["uri"])
    assert person.browser.put("/v1/me/second-factor", json={"code": app.now()}).status_code == 422
    assert person.browser.get("/v1/me").json()["user"]["hasSecondFactor"] is False
    assert other.get("/v1/me").status_code == 200
    before = dict(person.browser.cookies)
    done = person.browser.put("/v1/me/second-factor", json={"code": second.now()})
    assert done.status_code == 200 and len(set(done.json()["recoveryCodes"])) == 10
    assert dict(person.browser.cookies) != before, "the session has a new secret"
    assert other.get("/v1/me").status_code == 401
    assert person.browser.get("/v1/me").json()["user"]["hasSecondFactor"] is True
    setting.server.about(person.email, "authenticator app")
    again = person.browser.put("/v1/me/second-factor", json={"code": second.now()})
    assert problem(again) == (409, "no_totp_secret")
    log = setting.log()
    assert second.secret not in log and done.json()["recoveryCodes"][0] not in log


def test_a_password_alone_is_not_enough(setting):
    person = Careful(setting)
    browser, answer = person.sign_in()
    assert problem(answer) == (401, "second_factor_required") and not browser.cookies
    browser, answer = person.sign_in(wrong(person.app_code()))
    assert problem(answer) == (401, "invalid_second_factor") and not browser.cookies
    browser, answer = person.sign_in(person.app_code())
    assert answer.status_code == 200 and browser.get("/v1/me").status_code == 200
    # A wrong password does not reveal that the account has a second factor.
    _, answer = person.sign_in(password=OTHER)
    assert problem(answer) == (401, "invalid_credentials")


def test_a_code_works_once_also_for_requests_at_the_same_time(setting):
    person = Careful(setting)
    code = person.app_code()
    with ThreadPoolExecutor(4) as pool:
        answers = [answer for _, answer in pool.map(lambda _: person.sign_in(code), range(4))]
    assert sorted(answer.status_code for answer in answers) == [200, 401, 401, 401]
    assert problem(person.sign_in(code)[1]) == (401, "invalid_second_factor")
    earlier = person.app.at(time.time() - 30)
    assert problem(person.sign_in(earlier)[1]) == (401, "invalid_second_factor")


def test_a_recovery_code_works_once_and_the_user_gets_a_mail(setting):
    person = Careful(setting)
    code = person.recovery_codes[3]
    assert person.sign_in(code.upper())[1].status_code == 200
    assert problem(person.sign_in(code)[1]) == (401, "invalid_second_factor")
    setting.server.about(person.email, "recovery code")
    assert person.browser.get("/v1/me/second-factor").json()["recoveryCodes"] == 9
    renewed = person.browser.post("/v1/me/recovery-codes")
    assert renewed.status_code == 201 and not set(renewed.json()["recoveryCodes"]) & set(person.recovery_codes)
    assert problem(person.sign_in(person.recovery_codes[0])[1]) == (401, "invalid_second_factor")
    assert person.sign_in(renewed.json()["recoveryCodes"][0])[1].status_code == 200


def test_guessing_codes_has_to_wait_and_leaving_the_code_out_does_not_count(setting):
    person = Careful(setting)
    for _ in range(8):
        assert problem(person.sign_in()[1]) == (401, "second_factor_required")
    for _ in range(6):
        assert problem(person.sign_in(wrong(person.app_code()))[1]) == (401, "invalid_second_factor")
    # Also for the right code, and without one.
    assert problem(person.sign_in(person.app_code())[1]) == (429, "too_many_sign_ins")
    assert problem(person.sign_in()[1]) == (429, "too_many_sign_ins")
    # The same is true of links, apart from the sign-ins: a stranger must not stop a user who has a link.
    for _ in range(6):
        link = {"code": person.new_code(), "secondFactor": wrong(person.app_code())}
        assert problem(client(setting).post("/v1/session", json=link)) == (401, "invalid_second_factor")
    link = {"code": person.new_code(), "secondFactor": person.app_code()}
    assert problem(client(setting).post("/v1/session", json=link)) == (429, "too_many_sign_ins")


def test_strangers_who_guess_stop_neither_a_link_nor_a_confirmation_with_a_code(setting):
    person = Careful(setting)
    for _ in range(6):
        person.sign_in(password="wrong pony staple wagon")
    assert problem(person.sign_in(person.app_code())[1]) == (429, "too_many_sign_ins")
    confirmed = person.browser.post("/v1/session/confirmations", json={"secondFactor": person.app_code()})
    assert confirmed.status_code == 200
    link = {"code": person.new_code(), "secondFactor": person.recovery_codes[0]}
    assert client(setting).post("/v1/session", json=link).status_code == 200


def test_a_link_needs_the_second_factor_and_stays_valid_without_it(setting):
    person = Careful(setting)
    code = person.new_code()
    assert problem(client(setting).post("/v1/session", json={"code": code})) == (401, "second_factor_required")
    bad = {"code": code, "secondFactor": wrong(person.app_code())}
    assert problem(client(setting).post("/v1/session", json=bad)) == (401, "invalid_second_factor")
    good = {"code": code, "secondFactor": person.app_code()}
    assert client(setting).post("/v1/session", json=good).status_code == 200
    again = {"code": code, "secondFactor": person.app_code()}
    assert problem(client(setting).post("/v1/session", json=again)) == (401, "invalid_code")


def test_a_new_password_by_mail_needs_the_second_factor(setting):
    """An attacker who reads the user's mail must not get in."""
    person = Careful(setting)
    assert client(setting).post("/v1/password-reset-mails", json={"email": person.email}).status_code == 204
    code = code_of(setting.server.about(person.email, "Choose it here"))
    body = {"code": code, "password": OTHER}
    assert problem(client(setting).post("/v1/password-resets", json=body)) == (401, "second_factor_required")
    # The mailed code does not sign in at all, because the user would not be told.
    for more in ({}, {"secondFactor": person.recovery_codes[0]}):
        assert problem(client(setting).post("/v1/session", json={"code": code, **more})) == (401, "invalid_code")
    assert problem(person.browser.post("/v1/session/confirmations", json={"code": code})) == (401, "invalid_code")
    assert person.sign_in(person.app_code())[1].status_code == 200, "the password is still the old one"
    good = client(setting).post("/v1/password-resets", json=body | {"secondFactor": person.app_code()})
    assert good.status_code == 200
    assert person.sign_in(person.app_code(), OTHER)[1].status_code == 200


def test_a_second_factor_of_another_person_does_not_lock_the_owner_of_the_address_out(setting):
    """An attacker accepts an invitation of a victim's address with a handed-over link, and sets up a second factor."""
    email = "victim@acme.example"
    body = {"email": email, "role": "viewer", "delivery": "link"}
    invited = setting.api("POST", "/v1/invitations", body, setting.session("admin"), token=False).json()
    attacker = client(setting)
    accepted = {"code": invited["link"].rpartition("#")[2], "name": "Eve", "password": GOOD}
    assert attacker.post("/v1/invitation-acceptances", json=accepted).status_code == 201
    app = pyotp.parse_uri(attacker.post("/v1/me/totp-secrets").json()["uri"])
    assert attacker.put("/v1/me/second-factor", json={"code": app.now()}).status_code == 200
    link = setting.cli("user", "sign-in-link", email).stdout
    owner = client(setting)
    assert owner.post("/v1/session", json={"code": Person.code(link)}).status_code == 200
    assert owner.get("/v1/me").json()["user"]["hasSecondFactor"] is False
    assert owner.get("/v1/me/second-factor").json()["recoveryCodes"] == 0
    assert attacker.get("/v1/me").status_code == 401


def test_a_code_confirms_a_session(setting):
    person = Careful(setting)
    setting.cluster.sql(
        "update sessions set confirmed_at = now() - interval '1 hour'"
        f" where user_id = (select id from users where email = '{person.email}')")
    # The session is cached for up to a second.
    time.sleep(1.1)
    assert problem(person.browser.post("/v1/me/recovery-codes")) == (403, "confirmation_required")
    there = "/v1/session/confirmations"
    bad = person.browser.post(there, json={"secondFactor": wrong(person.app_code())})
    assert problem(bad) == (401, "invalid_second_factor")
    assert problem(person.browser.post(there, json={})) == (422, "invalid")
    assert person.browser.post(there, json={"secondFactor": person.app_code()}).status_code == 200
    assert person.browser.post("/v1/me/recovery-codes").status_code == 201
    without = Person(setting)
    answer = without.browser.post(there, json={"secondFactor": "123456"})
    assert problem(answer) == (409, "no_second_factor")


def test_a_removed_second_factor_is_not_needed_any_more(setting):
    person = Careful(setting)
    assert person.browser.delete("/v1/me/second-factor").status_code == 204
    setting.server.about(person.email, "without a second factor")
    assert person.sign_in()[1].status_code == 200
    assert problem(person.browser.post("/v1/me/recovery-codes")) == (409, "no_second_factor")
    gone = person.browser.get("/v1/me/second-factor").json()
    assert gone == {"addedAt": None, "passkeys": 0, "recoveryCodes": 0}


def test_the_operator_removes_the_second_factor_of_a_user_who_lost_the_app(setting):
    person = Careful(setting)
    removed = setting.cli("user", "remove-second-factor", person.email.upper())
    assert "has no second factor any more" in removed.stdout
    assert person.sign_in()[1].status_code == 200
    setting.server.about(person.email, "without a second factor")
    again = setting.cli("user", "remove-second-factor", person.email, check=False)
    assert again.returncode == 3 and "has no second factor" in again.stderr
    unknown = setting.cli("user", "remove-second-factor", "nobody@acme.example", check=False)
    assert unknown.returncode == 3 and "there is no user" in unknown.stderr


def test_an_organization_that_requires_a_second_factor_refuses_members_without_one(setting):
    slug = setting.create_organization()
    owner = setting.session("owner", slug)
    require = {"requiresSecondFactor": True}
    there = "/v1/organization"
    # An owner without one would be locked out.
    assert problem(setting.api("PATCH", there, require, owner, token=False)) == (409, "no_second_factor")
    careful = Careful(setting)
    setting.cli("user", "add", careful.email, "--organization", slug, "--role", "owner")
    mine = {"Waymark-Organization": slug}
    changed = careful.browser.patch(there, json=require, headers=mine)
    assert changed.status_code == 200 and changed.json()["requiresSecondFactor"] is True
    # Every route of the organization is closed to the other owner, and open to tokens.
    for operation in OF_MEMBERS:
        answer = setting.api(operation.method, operation.path, {}, owner, token=False)
        assert problem(answer) == (403, "second_factor_missing"), operation
    assert setting.api("GET", "/v1/teams", token=setting.token(organization=slug)).status_code == 200
    assert careful.browser.get("/v1/teams", headers=mine).status_code == 200
    # The person still reaches their own account, and the other organization.
    me = setting.api("GET", "/v1/me", None, owner, token=False).json()
    assert me["organizations"][0]["requiresSecondFactor"] is True and me["user"]["hasSecondFactor"] is False
    assert careful.browser.get("/v1/teams", headers={"Waymark-Organization": "acme"}).status_code == 200
    # It cannot be removed while it is required.
    assert problem(careful.browser.delete("/v1/me/second-factor")) == (409, "second_factor_required")
    careful.set_up()
    members = careful.browser.get("/v1/members", headers=mine).json()["items"]
    assert sorted(each["hasSecondFactor"] for each in members) == [False, False, True]
    viewer = setting.token("viewer", slug)
    members = setting.api("GET", "/v1/members", token=viewer).json()["items"]
    assert {each["hasSecondFactor"] for each in members} == {None}
    events = careful.browser.get("/v1/events", params={"kind": "organization.changed"}, headers=mine).json()["items"]
    assert [event["detail"]["requiresSecondFactor"] for event in events] == [True]
    assert careful.browser.patch(there, json={"requiresSecondFactor": False}, headers=mine).status_code == 200
    assert setting.api("GET", "/v1/teams", None, owner, token=False).status_code == 200
