"""People create organizations and accounts of their own, if the operator allows it."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from installation import Installation
from mail_server import code, installed_with_mail, text
from people import GOOD, Person, client, problem

NO_QUOTAS = {"domains": None, "draftBytes": None, "evaluationsPerMinute": None}


@pytest.fixture(scope="module")
def open_to_all():
    with installed_with_mail() as waymark:
        waymark.restart({"WAYMARK_ORGANIZATION_CREATION": "anyone"})
        yield waymark


@pytest.fixture(scope="module")
def open_to_members():
    waymark = Installation()
    try:
        waymark.start(environment={"WAYMARK_ORGANIZATION_CREATION": "invited"})
        waymark.create_organization(waymark.organization)
        yield waymark
    finally:
        waymark.remove()


def create(browser, slug, **more):
    return browser.post("/v1/organizations", json={"slug": slug, **more})


def ask(waymark, email):
    return client(waymark).post("/v1/sign-up-mails", json={"email": email})


def sign_up(waymark, code, password=GOOD, name="Grace"):
    browser = client(waymark)
    return browser, browser.post("/v1/sign-ups", json={"code": code, "name": name, "password": password})


def test_only_the_operator_creates_organizations_by_default(waymark):
    assert problem(create(Person(waymark, "owner").browser, "mine")) == (403, "operator_required")
    assert problem(ask(waymark, "grace@acme.example")) == (409, "no_sign_ups")
    assert problem(sign_up(waymark, "a" * 40)[1]) == (409, "no_sign_ups")
    assert waymark.client.get("/v1/installation").json() == {"signUp": False, "sendsMail": False}


def test_a_member_creates_an_organization_and_owns_it(open_to_members):
    person = Person(open_to_members, "viewer")
    made = create(person.browser, "grace-labs", name="Grace's labs")
    assert made.status_code == 201, made.text
    new = {"slug": "grace-labs", "name": "Grace's labs", "requiresSecondFactor": False, "quotas": NO_QUOTAS}
    assert made.json() == new | {"deletion": None}
    me = person.browser.get("/v1/me").json()
    assert [(each["slug"], each["role"]) for each in me["organizations"]] == [
        ("acme", "viewer"), ("grace-labs", "owner")]
    mine = {"Waymark-Organization": "grace-labs"}
    assert person.browser.post("/v1/teams", json={"teamID": "ABCDE12345", "name": "T"}, headers=mine).status_code == 201
    theirs = person.browser.post(
        "/v1/teams", json={"teamID": "ABCDE12345", "name": "T"}, headers={"Waymark-Organization": "acme"})
    assert problem(theirs) == (403, "forbidden")
    events = person.browser.get("/v1/events", headers=mine).json()["items"]
    assert {"organization.created", "member.role_set"} <= {event["kind"] for event in events}
    # Other users get no access, and visitors create no accounts.
    other = Person(open_to_members, "owner")
    assert problem(other.browser.get("/v1/teams", headers=mine)) == (404, "not_found")
    assert problem(ask(open_to_members, "x@acme.example")) == (409, "no_sign_ups")


def test_a_short_name_must_be_free_and_well_formed(open_to_members):
    browser = Person(open_to_members).browser
    assert problem(create(browser, "acme")) == (409, "exists")
    for bad in ["", "Acme", "a--b", "-a", "a_b", "ä", "a" * 64]:
        answer = create(browser, bad)
        assert problem(answer) == (422, "invalid") and answer.json()["errors"][0]["pointer"] == "/slug", bad
    token = open_to_members.api("POST", "/v1/organizations", {"slug": "by-a-token"})
    assert problem(token) == (403, "session_required")


def test_a_user_owns_at_most_ten_organizations_also_with_requests_at_the_same_time(open_to_members):
    browser = Person(open_to_members).browser
    cookies = dict(browser.cookies)

    def one(number):
        own = client(open_to_members)
        own.cookies.update(cookies)
        return create(own, f"many-{number}")

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(one, range(14)))
    assert sorted(answer.status_code for answer in answers) == [201] * 10 + [409] * 4
    assert {answer.json()["code"] for answer in answers if answer.status_code == 409} == {"too_many_organizations"}


def test_a_visitor_creates_an_account_and_an_organization(open_to_all):
    server, email = open_to_all.server, "visitor@example.com"
    assert open_to_all.client.get("/v1/installation").json() == {"signUp": True, "sendsMail": True}
    assert ask(open_to_all, email).status_code == 204
    mail = server.about(email, "Create your account")
    assert f"{open_to_all.url}/sign-up#" in text(mail)
    browser, weak = sign_up(open_to_all, code(mail), "password1234")
    assert problem(weak) == (422, "invalid") and weak.json()["errors"][0]["pointer"] == "/password"
    # The browser's session of another user ends.
    other = Person(open_to_all)
    browser.cookies.update(other.browser.cookies)
    body = {"code": code(mail), "name": "Grace", "password": GOOD}
    answer = browser.post("/v1/sign-ups", json=body)
    assert answer.status_code == 201, answer.text
    assert answer.json()["user"]["email"] == email and answer.json()["organizations"] == []
    assert other.browser.get("/v1/me").status_code == 401
    assert problem(browser.get("/v1/teams")) == (400, "organization_required")
    assert create(browser, "visitors").status_code == 201
    # The code works once. The address is verified, so the operator can add the person.
    assert problem(sign_up(open_to_all, code(mail))[1]) == (401, "invalid_code")
    open_to_all.cli("user", "add", email, "--organization", "acme", "--role", "viewer")
    signed_in = client(open_to_all).post("/v1/session", json={"email": email, "password": GOOD})
    assert signed_in.status_code == 200
    assert code(mail) not in open_to_all.log()


def test_an_address_with_an_account_gets_the_same_answer_and_another_mail(open_to_all):
    person = Person(open_to_all)
    assert ask(open_to_all, person.email.upper()).status_code == 204
    mail = open_to_all.server.about(person.email.upper(), "but you have one")
    assert "#" not in text(mail)


def test_a_link_of_an_address_that_got_an_account_meanwhile_creates_nothing(open_to_all):
    email = "meanwhile@acme.example"
    assert ask(open_to_all, email).status_code == 204
    mail = open_to_all.server.about(email, "Create your account")
    open_to_all.cli("user", "add", email, "--organization", "acme", "--role", "viewer")
    assert problem(sign_up(open_to_all, code(mail))[1]) == (409, "exists")


def test_an_address_gets_one_mail_in_five_minutes_and_a_link_ends_after_an_hour(open_to_all):
    email = "often@acme.example"
    for _ in range(3):
        assert ask(open_to_all, email).status_code == 204
    assert open_to_all.cluster.sql(f"select count(*) from mails where recipient = '{email}'").strip() == "1"
    mail = open_to_all.server.about(email, "Create your account")
    ends = "expires_at between clock_timestamp() + interval '58 minutes' and clock_timestamp() + interval '1 hour'"
    assert open_to_all.cluster.sql(f"select {ends} from sign_ups where email = '{email}'").strip() == "t"
    open_to_all.cluster.sql("update sign_ups set expires_at = clock_timestamp()")
    assert problem(sign_up(open_to_all, code(mail))[1]) == (401, "invalid_code")


@pytest.mark.parametrize("path", ["/v1/sign-up-mails", "/v1/sign-ups"])
def test_pages_of_other_sites_create_no_accounts(open_to_all, path):
    body = {"email": "a@b.example"} if path.endswith("mails") else {"code": "x", "name": "x", "password": GOOD}
    answer = open_to_all.client.post(path, json=body, headers={"Sec-Fetch-Site": "cross-site"})
    assert problem(answer) == (403, "cross_origin")


@pytest.mark.parametrize(
    ("value", "complaint"),
    [("everybody", "must be nobody, invited or anyone"), ("anyone", "cannot be anyone without WAYMARK_MAIL_SERVER")],
)
def test_wrong_settings_are_named(waymark, value, complaint):
    kept = waymark.environment
    waymark.environment = kept | {"WAYMARK_ORGANIZATION_CREATION": value}
    try:
        result = waymark.cli("organization", "list", check=False)
    finally:
        waymark.environment = kept
    assert result.returncode != 0 and complaint in result.stderr, result.stderr
