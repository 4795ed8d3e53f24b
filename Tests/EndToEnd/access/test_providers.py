"""Signing in with an organization's OpenID Connect provider: members, joining, invitations, and every wrong answer."""

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from urllib.parse import parse_qs, urlsplit

import pytest
from joserfc import jwk

from mail_server import code, mailing
from people import GOOD, Person, client, problem
from provider import CLIENT, Provider
from provider_company import Company, numbers


@pytest.fixture(scope="module")
def waymark():
    with mailing(WAYMARK_LOOPBACK_ISSUERS="true") as waymark:
        yield waymark


@pytest.fixture(scope="module")
def provider():
    provider = Provider()
    yield provider
    provider.shutdown()


@pytest.fixture(scope="module")
def company(waymark, provider):
    return Company(waymark, provider)


@pytest.fixture(autouse=True)
def honest(provider):
    yield
    provider.wrong, provider.token, provider.pages = {}, provider.signed, {}


def test_a_person_with_an_address_of_the_company_joins_and_comes_back(company, waymark):
    ada = company.joined()
    me = ada.get("/v1/me").json()
    assert (me["user"]["email"], me["user"]["name"], me["user"]["byProvider"]) == (ada.email, "Ada", True)
    assert [(each["slug"], each["role"]) for each in me["organizations"]] == [(company.slug, "editor")]
    assert ada.get("/v1/domains").status_code == 200
    # The address may change: the subject is who the person is.
    again, answer = company.sign_in(ada.subject, email="new@company.example", email_verified=True)
    assert answer.json()["user"]["id"] == me["user"]["id"]
    event = waymark.api("GET", "/v1/events?kind=member&sort=newest", token=waymark.token(organization=company.slug))
    assert event.json()["items"][0]["actor"]["name"] == ada.email


NOT_ADMITTED = {
    "another domain": {"email": "eve@other.example", "email_verified": True},
    "an address that is not verified": {"email": "eve@company.example", "email_verified": False},
    "no word about the verification": {"email": "eve@company.example"},
    "a text instead of true": {"email": "eve@company.example", "email_verified": "true"},
    "a subdomain": {"email": "eve@sub.company.example", "email_verified": True},
    "a domain that only ends like it": {"email": "eve@evilcompany.example", "email_verified": True},
    "two at signs": {"email": "eve@evil.example@company.example", "email_verified": True},
    "no address": {},
}


@pytest.mark.parametrize("name", NOT_ADMITTED)
def test_a_stranger_is_not_admitted(company, name):
    browser, answer = company.sign_in(f"stranger {name}", **NOT_ADMITTED[name])
    assert problem(answer) == (403, "not_a_member")
    assert browser.get("/v1/me").status_code == 401


def test_an_address_of_another_account_does_not_open_it(company, waymark):
    """Takeover by e-mail: a provider says the address of a user of this installation."""
    victim = Person(waymark).set_password()
    company.set(domains=["company.example", "acme.example"])
    browser, answer = company.sign_in("attacker", email=victim.email, email_verified=True)
    assert problem(answer) == (409, "account_exists") and browser.get("/v1/me").status_code == 401
    company.set()


def test_the_session_of_a_provider_reaches_only_its_organization_and_not_the_account(company, waymark, provider):
    """The administrator of a provider must not act as its users elsewhere."""
    other = Company(waymark, Provider())
    ada = company.joined()
    link = waymark.cli("user", "sign-in-link", ada.email).stdout.strip()
    own = client(waymark)
    assert own.post("/v1/session", json={"code": Person.code(link)}).status_code == 200
    waymark.cli("user", "add", ada.email, "--organization", other.slug, "--role", "owner")
    assert len(own.get("/v1/me").json()["organizations"]) == 2
    # Setting up an own account has ended nothing of the identity: the provider still signs in to its organization.
    ada, answer = company.sign_in(ada.subject)
    assert answer.status_code == 200, answer.text
    assert [each["slug"] for each in ada.get("/v1/me").json()["organizations"]] == [company.slug]
    refused = ada.get("/v1/domains", headers={"Waymark-Organization": other.slug})
    assert problem(refused) == (404, "not_found")
    for method, path, body in [
        ("PUT", "/v1/me/password", {"password": GOOD}),
        ("PATCH", "/v1/me", {"name": "Eve"}),
        ("POST", "/v1/me/totp-secrets", None),
        ("POST", "/v1/me/passkey-challenges", None),
        ("DELETE", "/v1/sessions", None),
        ("GET", "/v1/me/identities", None),
        ("POST", "/v1/me/identity-connections", {"organization": company.slug}),
        ("POST", "/v1/organizations", {"slug": "eves"}),
    ]:
        assert problem(ada.request(method, path, json=body)) == (403, "own_account_required"), path
    invited = waymark.api(
        "POST", "/v1/invitations", {"email": ada.get("/v1/me").json()["user"]["email"], "role": "viewer",
                                    "delivery": "link"},
        waymark.session(organization="acme"), token=False)
    code = invited.json()["link"].partition("#")[2]
    refused = ada.post("/v1/invitation-acceptances", json={"code": code})
    assert problem(refused) == (403, "own_account_required")


NOT_RECENT = {
    "an hour ago": lambda now: now - 3600,
    "ten minutes ago": lambda now: now - 601,
    "not said": lambda now: None,
    "a text": lambda now: str(now),
    "in an hour": lambda now: now + 3600,
    "before 1970": lambda now: -1,
}


def can_make_a_token(browser):
    answer = browser.post("/v1/tokens", json={"name": f"t{next(numbers)}", "role": "viewer"})
    assert answer.status_code == 201 or problem(answer) == (403, "confirmation_required"), answer.text
    return answer.status_code == 201


@pytest.mark.parametrize("name", NOT_RECENT)
def test_a_provider_that_answers_for_an_open_browser_confirms_nobody(company, name):
    """The provider remembers the person who left. Another person at the browser gets no further than that."""
    company.set(role="admin")
    moment = NOT_RECENT[name](int(time.time()))
    ada = company.joined(auth_time=moment)
    assert ada.get("/v1/members").status_code == 200 and not can_make_a_token(ada)
    # Who asks for a confirmation, but lets the provider answer silently, gets neither a session nor a confirmation.
    browser, answer = company.sign_in(ada.subject, begin={"again": True}, auth_time=moment)
    assert problem(answer) == (401, "sign_in_refused") and browser.get("/v1/me").status_code == 401
    silent = name in ("an hour ago", "ten minutes ago")
    assert ("did not ask you to sign in again" if silent else "does not say when you signed in") in answer.json()["detail"]
    company.set()


def test_a_person_who_has_just_signed_in_at_the_provider_is_confirmed_for_ten_minutes(company):
    company.set(role="admin")
    now = int(time.time())
    assert can_make_a_token(company.joined(auth_time=now + 30)), "the clocks may differ by a minute"
    ada = company.joined(auth_time=now - 540)
    until = datetime.fromisoformat(ada.get("/v1/me").json()["user"]["confirmedUntil"]).timestamp()
    assert abs(until - (now + 60)) < 10, "the ten minutes began at the provider"
    company.set()


def test_a_person_confirms_by_signing_in_again_at_the_provider(company, waymark):
    company.set(role="admin")
    ada = company.joined(auth_time=None)
    assert not can_make_a_token(ada)
    asked = parse_qs(urlsplit(company.begin(ada, again=True)).query)
    assert (asked["prompt"], asked["max_age"]) == (["login"], ["600"])
    company.sign_in(ada.subject, ada, begin={"again": True})
    assert can_make_a_token(ada)
    # With a password of their own, they need no provider for it.
    own = client(waymark)
    own.post("/v1/session", json={"code": Person.code(waymark.cli("user", "sign-in-link", ada.email).stdout.strip())})
    assert own.put("/v1/me/password", json={"password": GOOD}).status_code == 204
    silent, _ = company.sign_in(ada.subject, auth_time=None)
    assert not can_make_a_token(silent)
    assert silent.post("/v1/session/confirmations", json={"password": GOOD}).status_code == 200
    assert can_make_a_token(silent)
    company.set()


def test_an_invited_person_joins_with_the_provider(company, waymark, provider):
    email = f"invited{next(numbers)}@elsewhere.example"
    code = company.invite(email, role="publisher", name="Bob")
    seen = client(waymark).post("/v1/invitation-views", json={"code": code}).json()
    assert seen["provider"] == provider.url
    bob, answer = company.sign_in("bob", begin={"invitation": code})
    assert answer.status_code == 200, answer.text
    me = bob.get("/v1/me").json()
    assert (me["user"]["email"], me["user"]["name"]) == (email, "Bob")
    assert me["organizations"][0]["role"] == "publisher"
    _, answer = company.sign_in("carol", begin={"invitation": code})
    assert problem(answer) == (404, "unknown_invitation"), "it works once"
    # An invitation of a user with an account does not connect the identity of who holds the link.
    victim = Person(waymark)
    code = company.invite(victim.email)
    _, answer = company.sign_in("mallory", begin={"invitation": code})
    assert problem(answer) == (409, "sign_in_required")


PROOFS = ["a new password by mail", "a link of the operator"]


@pytest.mark.parametrize("proof", PROOFS)
def test_an_identity_from_a_handed_over_invitation_does_not_outlive_the_proof_of_the_address(
    company, waymark, provider, proof
):
    """Substitution: the administrator of one organization invites another person's address, and accepts with the own
    identity. The person later proves the address, and joins another organization with the same issuer."""
    attacker, victim = f"attacker{next(numbers)}", f"victim{next(numbers)}@corp.example"
    mallory, answer = company.sign_in(attacker, begin={"invitation": company.invite(victim, name="Vic")})
    assert answer.status_code == 200 and mallory.get("/v1/me").json()["user"]["email"] == victim

    other = Company(waymark, provider, domains=[])
    invited = {"email": victim, "role": "admin", "delivery": "mail"}
    assert waymark.api("POST", "/v1/invitations", invited, other.owner, token=False).status_code == 201
    invitation = code(waymark.server.about(victim, "/invitation#"))
    person = client(waymark)
    if proof == PROOFS[0]:
        assert person.post("/v1/password-reset-mails", json={"email": victim}).status_code == 204
        reset = {"code": code(waymark.server.about(victim, "/password-reset#")), "password": GOOD}
        assert person.post("/v1/password-resets", json=reset).status_code == 200
    else:
        link = waymark.cli("user", "sign-in-link", victim).stdout
        assert person.post("/v1/session", json={"code": Person.code(link)}).status_code == 200
    assert mallory.get("/v1/me").status_code == 401, "the sessions of before have ended"
    assert person.post("/v1/invitation-acceptances", json={"code": invitation}).status_code == 201

    for organization in (other, company):
        browser, answer = organization.sign_in(attacker)
        assert answer.status_code >= 400, f"the attacker is {answer.json()['user']['email']}"
        assert problem(answer) == (403, "not_a_member") and browser.get("/v1/me").status_code == 401
    assert person.get("/v1/me/identities").json()["items"] == []
    assert {each["slug"] for each in person.get("/v1/me").json()["organizations"]} == {company.slug, other.slug}


def test_a_user_connects_an_identity_and_disconnects_it(company, waymark):
    user = Person(waymark)
    waymark.cli("user", "add", user.email, "--organization", company.slug, "--role", "publisher")
    begun = user.browser.post("/v1/me/identity-connections", json={"organization": company.slug})
    answer = company.provider.grant(begun.json()["location"], "connected")
    # Another browser cannot finish, and neither can the same one signed in as another user.
    stranger = client(waymark)
    assert problem(stranger.post("/v1/provider-sign-ins/completions", json=answer)) == (401, "sign_in_refused")
    done = user.browser.post("/v1/provider-sign-ins/completions", json=answer)
    assert done.status_code == 200 and done.json()["user"]["byProvider"] is False
    [identity] = user.browser.get("/v1/me/identities").json()["items"]
    assert identity["issuer"] == company.provider.url
    mail = waymark.server.about(user.email, "was connected with")
    assert mail["Subject"] == "Your sign-in for Waymark was changed"
    browser, answer = company.sign_in("connected")
    assert answer.json()["user"]["email"] == user.email
    # It belongs to one account.
    other = Person(waymark)
    waymark.cli("user", "add", other.email, "--organization", company.slug, "--role", "viewer")
    begun = other.browser.post("/v1/me/identity-connections", json={"organization": company.slug})
    taken = other.browser.post(
        "/v1/provider-sign-ins/completions", json=company.provider.grant(begun.json()["location"], "connected"))
    assert problem(taken) == (409, "identity_taken")
    path = f"/v1/me/identities/{identity['id']}"
    assert problem(other.browser.delete(path)) == (404, "not_found")
    assert user.browser.delete(path).status_code == 204
    assert browser.get("/v1/me").status_code == 401, "its sessions have ended"
    waymark.server.about(user.email, "was disconnected from")
    assert problem(company.sign_in("connected")[1]) == (403, "not_a_member")


def members(company, waymark):
    return waymark.api("GET", "/v1/members", token=waymark.token(organization=company.slug)).json()["items"]


def test_a_removed_member_is_out_and_cannot_come_back_without_an_invitation(company, waymark):
    ada = company.joined()
    [id] = [each["id"] for each in members(company, waymark) if each["email"] == ada.email]
    waymark.api("DELETE", f"/v1/members/{id}", None, company.owner, token=False)
    assert ada.get("/v1/me").json()["organizations"] == []
    # The domain of her address would let her join.
    assert problem(company.sign_in(ada.subject, email=ada.email, email_verified=True)[1]) == (403, "not_a_member")
    _, answer = company.sign_in(ada.subject, begin={"invitation": company.invite(ada.email)})
    assert (answer.status_code, answer.json()["organizations"][0]["role"]) == (200, "viewer")


def test_a_member_cannot_leave_and_come_back_with_a_higher_role(company, waymark):
    ada = company.joined()
    [id] = [each["id"] for each in members(company, waymark) if each["email"] == ada.email]
    lowered = waymark.api("PATCH", f"/v1/members/{id}", {"role": "viewer"}, company.owner, token=False)
    assert lowered.status_code == 200
    assert ada.delete(f"/v1/members/{id}", headers={"Sec-Fetch-Site": "same-origin"}).status_code == 204
    assert problem(company.sign_in(ada.subject, email=ada.email, email_verified=True)[1]) == (403, "not_a_member")


WRONG_CLAIMS = {
    "another issuer": {"iss": "https://evil.example"},
    "another audience": {"aud": "other"},
    "no audience": {"aud": []},
    "several audiences": {"aud": [CLIENT, "other"]},
    "another party": {"azp": "other"},
    "the nonce of another sign-in": {"nonce": "other"},
    "no nonce": {"nonce": None},
    "expired": {"exp": 1_000_000_000},
    "not valid yet": {"nbf": 4_000_000_000},
    "no subject": {"sub": None},
    "an empty subject": {"sub": ""},
    "a long subject": {"sub": "x" * 256},
}


@pytest.mark.parametrize("name", WRONG_CLAIMS)
def test_a_token_with_wrong_claims_signs_nobody_in(company, provider, name):
    provider.wrong = WRONG_CLAIMS[name]
    browser, answer = company.sign_in("wrong", email="wrong@company.example", email_verified=True)
    assert problem(answer) == (401, "sign_in_refused") and browser.get("/v1/me").status_code == 401


def test_a_token_with_a_wrong_signature_signs_nobody_in(company, provider):
    other = jwk.RSAKey.generate_key(2048, {"kid": "first"})
    for token in (
        lambda claims: provider.signed(claims, other),
        provider.confused,
        lambda claims: provider.signed(claims).rpartition(".")[0] + ".",
    ):
        provider.token = token
        _, answer = company.sign_in("forged", email="forged@company.example", email_verified=True)
        assert problem(answer) == (401, "sign_in_refused")


def test_an_answer_works_once_and_only_in_the_browser_that_began(company, waymark):
    browser, thief = client(waymark), client(waymark)
    answer = company.provider.grant(company.begin(browser), "once", email="once@company.example", email_verified=True)
    stolen = thief.post("/v1/provider-sign-ins/completions", json=answer)
    assert problem(stolen) == (401, "sign_in_refused"), "another browser has no cookie of this sign-in"
    company.begin(thief)
    assert problem(thief.post("/v1/provider-sign-ins/completions", json=answer)) == (401, "sign_in_refused")
    with ThreadPoolExecutor(4) as pool:
        cookies = dict(browser.cookies)
        answers = list(pool.map(
            lambda _: client(waymark).post("/v1/provider-sign-ins/completions", json=answer, cookies=cookies), range(4)))
    assert sorted(each.status_code for each in answers) == [200, 401, 401, 401]
    wrong = company.sign_in("once", change={"state": "made up"})[1]
    assert problem(wrong) == (401, "sign_in_refused")


def test_an_answer_that_names_another_issuer_is_a_mix_up(waymark):
    silent = Company(waymark, Provider())
    person = {"email": "mix@company.example", "email_verified": True}
    assert problem(silent.sign_in("mix", change={"iss": "https://evil.example"}, **person)[1]) == (
        401, "sign_in_refused")
    naming = Company(waymark, Provider(authorization_response_iss_parameter_supported=True))
    assert problem(naming.sign_in("mix", **person)[1]) == (401, "sign_in_refused"), "it must name itself"
    person["email"] = "mix2@company.example"
    assert naming.sign_in("mix", change={"iss": naming.provider.url}, **person)[1].status_code == 200


def test_an_answer_for_another_organization_is_a_mix_up(waymark):
    """The provider of one organization sends a person on to the provider of another one, which does not name itself."""
    attacker, attacked = Company(waymark, Provider()), Company(waymark, Provider())
    browser, thief = client(waymark), client(waymark)
    state = parse_qs(urlsplit(attacker.begin(browser)).query)["state"][0]
    answer = attacked.provider.grant(
        attacked.begin(thief), "victim", email="victim@company.example", email_verified=True)
    mixed = browser.post("/v1/provider-sign-ins/completions", json=answer | {"state": state})
    assert problem(mixed) == (401, "sign_in_refused")
    assert attacker.provider.exchanges == [], "the code went to nobody else"


def test_an_identity_joins_only_with_the_address_of_its_account(waymark, provider):
    """An administrator invites another person's address, and accepts with their own identity."""
    first, second = Company(waymark, provider), Company(waymark, provider)
    email = f"bob{next(numbers)}@company.example"
    bob = {"email": email, "email_verified": True}
    invitation = first.invite(f"ceo{next(numbers)}@company.example")
    _, answer = first.sign_in(f"sub of {email}", begin={"invitation": invitation}, **bob)
    assert answer.status_code == 200, answer.text
    assert problem(second.sign_in(f"sub of {email}", **bob)[1]) == (403, "not_a_member")


def test_the_secret_is_sent_as_the_provider_wants_it_and_never_shown(waymark):
    form = Company(waymark, Provider(token_endpoint_auth_methods_supported=["client_secret_post"]))
    form.joined(email="form@company.example")
    sent, headers = form.provider.exchanges[-1]
    assert "client_secret" in sent and headers["Authorization"] is None
    shown = waymark.api("GET", "/v1/sign-in-provider", token=waymark.token(organization=form.slug))
    assert shown.json()["provider"]["hasClientSecret"] and "s3cret" not in shown.text
    # It is kept, unless the client changes.
    assert form.set(clientSecret=None)["provider"]["hasClientSecret"]
    form.joined(email="form2@company.example")
    assert not form.set(clientSecret=None, clientId="other")["provider"]["hasClientSecret"]
    assert "s3cret" not in waymark.log()


def test_a_provider_that_changes_or_fails_signs_nobody_in(waymark):
    company = Company(waymark, Provider())
    ada = company.joined()
    company.provider.pages["/token"] = (500, {}, b"")
    _, answer = company.sign_in("new")
    assert problem(answer) == (503, "issuer_unavailable") and answer.headers["Retry-After"]
    company.provider.pages["/token"] = (200, {}, b'{"no":"token"}')
    assert problem(company.sign_in("new")[1]) == (503, "issuer_unavailable")
    company.provider.pages["/token"] = (302, {"Location": "http://127.0.0.1/"}, b"")
    assert problem(company.sign_in("new")[1]) == (503, "issuer_unavailable")
    company.provider.pages = {}
    browser = client(waymark)
    answer = company.provider.grant(company.begin(browser), ada.subject)
    other = Provider()
    company.provider, before = other, company.provider
    company.set()
    assert ada.get("/v1/me").status_code == 401, "the sessions of the old provider have ended"
    refused = browser.post("/v1/provider-sign-ins/completions", json=answer)
    assert refused.status_code in (401, 503) and browser.get("/v1/me").status_code == 401
    assert before.codes, "the code went to nobody else"
    waymark.api("DELETE", "/v1/sign-in-provider", None, company.owner, token=False)
    gone = client(waymark).post("/v1/provider-sign-ins", json={"organization": company.slug})
    assert problem(gone) == (404, "not_found")


@pytest.mark.parametrize(
    "change, pointer",
    [
        ({"issuer": "http://id.example.com"}, "/issuer"),
        ({"issuer": "https://10.0.0.1"}, "/issuer"),
        ({"issuer": "https://id.example.com?tenant=1"}, "/issuer"),
        ({"role": "owner"}, "/role"),
        ({"domains": ["@company.example"]}, "/domains/0"),
        ({"domains": ["company"]}, "/domains/0"),
        ({"clientId": ""}, "/clientId"),
    ],
)
def test_wrong_settings_are_refused_with_their_place(company, change, pointer):
    assert company.set(422, **change)["errors"][0]["pointer"] == pointer


def test_a_wrong_issuer_is_refused_when_it_is_set(company, provider):
    provider.pages["/.well-known/openid-configuration"] = (404, {}, b"")
    other = Company.__new__(Company)
    other.waymark, other.provider, other.slug, other.owner = company.waymark, Provider(), company.slug, company.owner
    other.provider.pages = provider.pages
    assert other.set(422)["errors"][0]["pointer"] == "/issuer"


def test_only_an_owner_in_person_sets_the_provider(company, waymark):
    body = company.provider.settings()
    admin = waymark.session("admin", company.slug)
    assert problem(waymark.api("PUT", "/v1/sign-in-provider", body, admin, token=False)) == (403, "forbidden")
    token = waymark.token("owner", company.slug)
    assert problem(waymark.api("PUT", "/v1/sign-in-provider", body, token=token)) == (403, "session_required")


def test_unknown_organizations_and_those_without_a_provider_look_the_same(company, waymark):
    answers = [
        client(waymark).post("/v1/provider-sign-ins", json={"organization": slug}) for slug in ("acme", "nobody-knows")
    ]
    assert [problem(each) for each in answers] == [(404, "not_found")] * 2
    assert answers[0].json()["detail"] == answers[1].json()["detail"]
