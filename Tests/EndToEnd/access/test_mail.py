"""Invitations, new passwords and notices by mail, with real mail servers."""

import itertools
import re
import time
from contextlib import contextmanager

import httpx
import pytest

from installation import Installation, eventually, free_port
from mail_server import MailServer, WithoutStartTLS, code, installed_with_mail, text
from people import GOOD, client, problem

OTHER = "seven quiet rivers bend"
names = itertools.count()


@pytest.fixture(scope="module")
def setting():
    with installed_with_mail() as waymark:
        yield waymark


def new_address():
    return f"mailed{next(names)}@acme.example"


def send(waymark, method, path, body=None, role="admin", organization=None):
    return waymark.api(method, path, body, waymark.session(role, organization), token=False)


def invite(waymark, email, **more):
    answer = send(waymark, "POST", "/v1/invitations", {"email": email, "role": "editor"} | more)
    assert answer.status_code == 201, answer.text
    return answer.json()


def shown(waymark, invitation):
    return send(waymark, "GET", f"/v1/invitations/{invitation['id']}").json()


def new_member(waymark):
    """A person with a password, and their browser."""
    email = new_address()
    link = waymark.cli("user", "add", email, "--organization", "acme", "--role", "editor").stdout.strip()
    browser = client(waymark)
    assert browser.post("/v1/session", json={"code": link.rpartition("#")[2]}).status_code == 200
    assert browser.put("/v1/me/password", json={"password": GOOD}).status_code == 204
    return email, browser


def test_an_invitation_goes_by_mail_and_no_answer_shows_its_link(setting):
    email = new_address()
    invitation = invite(setting, email, name="Grace")
    assert "link" not in invitation and invitation["mail"] == {"state": "queued", "cause": None}
    mail = setting.server.next_to(email)
    assert mail["From"] == "Waymark <waymark@acme.example>" and mail["To"] == email
    assert mail["Auto-Submitted"] == "auto-generated" and mail["Date"] and mail["Message-ID"].endswith("@acme.example>")
    assert "Acme on Waymark" in mail["Subject"] and f"{setting.url}/invitation#" in text(mail)
    eventually(lambda: shown(setting, invitation)["mail"] == {"state": "sent", "cause": None})
    # Programs that check mails open links: this changes nothing.
    assert setting.client.get("/invitation").status_code == 200
    view = client(setting).post("/v1/invitation-views", json={"code": code(mail)})
    assert view.json()["email"] == email
    browser = client(setting)
    accepted = browser.post("/v1/invitation-acceptances", json={"code": code(mail), "name": "Grace", "password": GOOD})
    assert accepted.status_code == 201, accepted.text
    again = client(setting).post("/v1/invitation-acceptances", json={"code": code(mail), "name": "G", "password": GOOD})
    assert problem(again) == (404, "unknown_invitation")
    # The code was known only to the owner of the address, so the operator can add the person elsewhere.
    other = setting.create_organization()
    setting.cli("user", "add", email, "--organization", other, "--role", "viewer")
    assert code(mail) not in setting.log()


def test_the_code_of_a_mail_is_not_in_the_database_before_it_is_sent(setting):
    columns = setting.cluster.sql("select column_name from information_schema.columns where table_name = 'mails'")
    assert "code" not in columns and "secret" not in columns and "body" not in columns


def test_a_link_to_hand_over_replaces_the_mail(setting):
    email = new_address()
    invitation = invite(setting, email)
    mail = setting.server.next_to(email)
    eventually(lambda: shown(setting, invitation)["mail"]["state"] == "sent")
    renewed = send(setting, "POST", f"/v1/invitations/{invitation['id']}/renewals", {"delivery": "link"}).json()
    assert renewed["mail"] is None and renewed["link"].startswith(f"{setting.url}/invitation#")
    view = client(setting).post("/v1/invitation-views", json={"code": code(mail)})
    assert problem(view) == (404, "unknown_invitation")
    # The inviter knows the link. So the address of the account is not verified.
    handed = renewed["link"].partition("#")[2]
    body = {"code": handed, "name": "G", "password": GOOD}
    assert client(setting).post("/v1/invitation-acceptances", json=body).status_code == 201
    other = setting.create_organization()
    added = setting.cli("user", "add", email, "--organization", other, "--role", "viewer", check=False)
    assert added.returncode != 0 and "not verified" in added.stderr


def test_another_mail_of_the_same_invitation_waits_five_minutes(setting):
    email = new_address()
    invitation = invite(setting, email)
    first = setting.server.next_to(email)
    eventually(lambda: shown(setting, invitation)["mail"]["state"] == "sent")
    for _ in range(3):
        renewed = send(setting, "POST", f"/v1/invitations/{invitation['id']}/renewals", {"delivery": "mail"})
        assert renewed.json()["mail"]["state"] == "queued"
    waits = setting.cluster.sql(
        f"select round(extract(epoch from due_at - clock_timestamp())) from mails "
        f"where recipient = '{email}' and ended_at is null").split()
    assert len(waits) == 1 and 200 < int(waits[0]) <= 300
    setting.cluster.sql(f"update mails set due_at = clock_timestamp() where recipient = '{email}' and ended_at is null")
    second = setting.server.next_to(email, 2)
    assert code(first) != code(second) and first["Message-ID"] != second["Message-ID"]
    assert client(setting).post("/v1/invitation-views", json={"code": code(second)}).status_code == 200


def test_a_withdrawn_invitation_is_not_mailed(setting):
    email = new_address()
    setting.server.replies[email] = ["451 Try again later"]
    invitation = invite(setting, email)
    eventually(lambda: shown(setting, invitation)["mail"]["cause"])
    assert send(setting, "DELETE", f"/v1/invitations/{invitation['id']}").status_code == 200
    assert setting.cluster.sql(f"select count(*) from mails where recipient = '{email}'").strip() == "0"


def test_a_mail_is_tried_again_with_a_new_code(setting):
    email = new_address()
    setting.server.replies[email] = ["451 Greylisted, try again later"]
    invitation = invite(setting, email)
    failed = eventually(lambda: (shown(setting, invitation)["mail"]["cause"] and shown(setting, invitation)["mail"]))
    assert failed["state"] == "queued" and "451" in failed["cause"]
    wait = setting.cluster.sql(
        f"select extract(epoch from due_at - clock_timestamp()) from mails where recipient = '{email}'")
    assert 20 < float(wait) < 40
    setting.cluster.sql(f"update mails set due_at = clock_timestamp() where recipient = '{email}'")
    mail = setting.server.next_to(email)
    assert client(setting).post("/v1/invitation-views", json={"code": code(mail)}).status_code == 200
    eventually(lambda: shown(setting, invitation)["mail"] == {"state": "sent", "cause": None})


def test_a_mail_that_is_refused_for_good_is_given_up(setting):
    email = new_address()
    setting.server.replies[email] = "550 No such mailbox"
    invitation = invite(setting, email)
    failed = eventually(lambda: shown(setting, invitation)["mail"]["state"] == "failed" and shown(setting, invitation))
    assert "550" in failed["mail"]["cause"] and failed["state"] == "pending"
    assert len([address for _, address in setting.server.recipients if address == email]) == 1
    renewed = send(setting, "POST", f"/v1/invitations/{invitation['id']}/renewals", {"delivery": "link"}).json()
    assert renewed["link"] and renewed["mail"] is None


def test_a_mail_is_given_up_after_a_day(setting):
    email = new_address()
    setting.server.replies[email] = "451 Try again later"
    invitation = invite(setting, email)
    eventually(lambda: shown(setting, invitation)["mail"]["cause"])
    setting.cluster.sql(
        f"update mails set created_at = created_at - interval '25 hours', due_at = now() where recipient = '{email}'")
    eventually(lambda: shown(setting, invitation)["mail"]["state"] == "failed")


def test_a_new_password_by_mail_ends_every_session(setting):
    email, browser = new_member(setting)
    asked = client(setting).post("/v1/password-reset-mails", json={"email": email.upper()})
    assert (asked.status_code, asked.content) == (204, b"")
    mail = eventually(lambda: [each for each in setting.server.mails if each["Subject"].startswith("Choose") and email in text(each)])[0]
    assert f"{setting.url}/password-reset#" in text(mail)
    visitor = client(setting)
    weak = visitor.post("/v1/password-resets", json={"code": code(mail), "password": "password1234"})
    assert problem(weak) == (422, "invalid") and weak.json()["errors"][0]["pointer"] == "/password"
    assert browser.get("/v1/me").status_code == 200
    changed = visitor.post("/v1/password-resets", json={"code": code(mail), "password": OTHER})
    assert changed.status_code == 200 and changed.json()["user"]["email"] == email
    assert visitor.get("/v1/teams").status_code == 200
    assert problem(browser.get("/v1/me")) == (401, "unauthenticated")
    again = client(setting).post("/v1/password-resets", json={"code": code(mail), "password": GOOD})
    assert problem(again) == (401, "invalid_code")
    assert client(setting).post("/v1/session", json={"email": email, "password": GOOD}).status_code == 401
    assert client(setting).post("/v1/session", json={"email": email, "password": OTHER}).status_code == 200
    notices = eventually(lambda: [each for each in setting.server.to(email) if "was changed" in each["Subject"]])
    assert f"{setting.url}/password-reset\n" in text(notices[-1])


def test_a_link_for_a_new_password_is_sent_once_in_five_minutes(setting):
    email, _ = new_member(setting)
    for _ in range(5):
        assert client(setting).post("/v1/password-reset-mails", json={"email": email}).status_code == 204
    setting.server.next_to(email, 2)  # The first one tells that the password was set.
    # The time counts from the request, also when its mail has been sent.
    assert client(setting).post("/v1/password-reset-mails", json={"email": email}).status_code == 204
    time.sleep(2.5)
    assert len([each for each in setting.server.to(email) if each["Subject"].startswith("Choose")]) == 1


def test_an_unknown_address_gets_no_mail_and_the_same_answer(setting):
    email = new_address()
    answer = client(setting).post("/v1/password-reset-mails", json={"email": email})
    assert (answer.status_code, answer.content) == (204, b"")
    eventually(lambda: setting.cluster.sql(f"select count(*) from mails where recipient = '{email}'").strip() == "0")
    assert setting.server.to(email) == []


def test_a_reset_takes_an_account_back_that_another_person_made(setting):
    """An attacker invites an address, takes the link, and chooses a password. The owner of the address gets it back."""
    email = new_address()
    invitation = invite(setting, email, delivery="link")
    attacker = client(setting)
    body = {"code": invitation["link"].partition("#")[2], "name": "Mallory", "password": GOOD}
    assert attacker.post("/v1/invitation-acceptances", json=body).status_code == 201
    client(setting).post("/v1/password-reset-mails", json={"email": email})
    mail = setting.server.next_to(email)
    assert client(setting).post("/v1/password-resets", json={"code": code(mail), "password": OTHER}).status_code == 200
    assert attacker.get("/v1/me").status_code == 401
    assert client(setting).post("/v1/session", json={"email": email, "password": GOOD}).status_code == 401


def test_an_expired_code_sets_no_password(setting):
    email, browser = new_member(setting)
    client(setting).post("/v1/password-reset-mails", json={"email": email})
    mail = eventually(lambda: [each for each in setting.server.to(email) if each["Subject"].startswith("Choose")])[0]
    setting.cluster.sql("update sign_in_codes set expires_at = clock_timestamp()")
    answer = client(setting).post("/v1/password-resets", json={"code": code(mail), "password": OTHER})
    assert problem(answer) == (401, "invalid_code")
    assert browser.get("/v1/me").status_code == 200


@pytest.mark.parametrize("name", ["Eve\u2028Bcc: all@acme.example", 'A "quoted" name', "Zoë Żółć " * 12, "=?utf-8?Q?x?="])
def test_a_name_cannot_add_a_header_field(setting, name):
    email = new_address()
    answer = send(setting, "POST", "/v1/invitations", {"email": email, "role": "viewer", "name": name})
    if answer.status_code == 422:
        return
    mail = setting.server.next_to(email)
    assert mail["Bcc"] is None and mail.envelope[1] == [email]
    assert name in re.sub(r"\s+", " ", text(mail)) or name.strip() in text(mail)


def test_the_organizations_name_is_in_the_subject_as_it_is(setting):
    name = "Über Ærlig Åre — 株式会社 " + "long " * 20
    slug = f"named-{next(names)}"
    setting.cli("organization", "create", slug, "--name", name.strip(), "--owner", f"owner@{slug}.example")
    email = new_address()
    answer = send(setting, "POST", "/v1/invitations", {"email": email, "role": "viewer"}, "owner", slug)
    assert answer.status_code == 201, answer.text
    assert name.strip() in setting.server.next_to(email)["Subject"]
    raw = setting.server.next_to(email).raw
    assert all(len(line) <= 78 for line in raw.partition(b"\r\n\r\n")[0].split(b"\r\n"))


@pytest.mark.parametrize("email", ["a@b@c", "a b@acme.example", "<a@acme.example>", "ü@acme.example", "a@acme.example\r\nX: y"])
def test_an_address_that_mail_servers_refuse_gets_no_mail(setting, email):
    before = len(setting.server.mails)
    answer = send(setting, "POST", "/v1/invitations", {"email": email, "role": "viewer"})
    if answer.status_code == 422:
        return
    invitation = answer.json()
    failed = eventually(lambda: shown(setting, invitation)["mail"]["state"] == "failed" and shown(setting, invitation))
    assert "characters" in failed["mail"]["cause"] and len(setting.server.mails) == before


def test_an_organization_sends_at_most_a_thousand_invitations_a_day(setting):
    slug = setting.create_organization()
    setting.cluster.sql(
        "insert into mails (id, kind, recipient, organization_id, details, due_at, ended_at) "
        "select gen_random_uuid(), 'invitation', 'x' || number || '@acme.example', id, '{}', now(), now() "
        f"from organizations, generate_series(1, 1000) as number where slug = '{slug}'")
    body = {"email": new_address(), "role": "viewer"}
    answer = send(setting, "POST", "/v1/invitations", body, organization=slug)
    assert problem(answer) == (429, "too_many_mails") and answer.headers["Retry-After"] == "3600"
    assert send(setting, "GET", "/v1/invitations", organization=slug).json()["items"] == []
    assert send(setting, "POST", "/v1/invitations", body | {"delivery": "link"}, organization=slug).status_code == 201


def test_every_owner_gets_a_mail_when_a_file_goes_live_without_approvals(setting):
    owners = [new_address(), new_address()]
    for owner in owners:
        setting.cli("user", "add", owner, "--organization", "acme", "--role", "owner")
    host = f"bypass{next(names)}.acme.test"
    assert send(setting, "POST", "/v1/domains", {"host": host, "labels": ["mail"]}, "owner").status_code == 201
    setting.cli("domain", "verify", host, "--organization", "acme")
    draft = {"entries": [{"apps": ["ABCDE12345.com.example.shop"], "rules": [{"path": "/buy/*"}]}]}
    edited = setting.api("PUT", f"/v1/domains/{host}/draft", draft, setting.session("owner") | {"If-Match": "*"}, token=False)
    assert edited.status_code == 200, edited.text
    bypasser = "session-owner@acme.example"
    policy = send(
        setting, "POST", "/v1/approval-policies", {"label": "mail", "approvals": 1, "bypassers": [bypasser]}, "owner")
    assert policy.status_code == 201, policy.text
    body = {"bypassApproval": True, "reason": "The shop is down", "override": True}
    answer = send(setting, "POST", f"/v1/domains/{host}/publications", body, "owner")
    assert answer.status_code == 202, answer.text
    for owner in owners:
        mail = setting.server.next_to(owner)
        assert f"version 1 of {host}" in text(mail) and "The shop is down" in text(mail)
        assert bypasser in mail["Subject"]
    assert send(setting, "DELETE", f"/v1/approval-policies/{policy.json()['id']}", role="owner").status_code == 204


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
@pytest.mark.parametrize(
    ("server", "change", "refusal"),
    [
        ({}, {}, None),
        ({"tls": "tls"}, {}, None),
        ({"kind": WithoutStartTLS}, {}, "STARTTLS"),
        ({"name": "other.example"}, {}, "certificate|subject name"),
        ({}, {"WAYMARK_MAIL_CA_FILE": None}, "certificate"),
        ({}, {"WAYMARK_MAIL_USER": "eve"}, "denied|[Ll]ogin"),
        ({}, {"WAYMARK_MAIL_SERVER": "smtp://localhost:1"}, "connect"),
        ({"tls": "none", "account": False}, {"WAYMARK_MAIL_PLAINTEXT": "true"}, None),
        ({"tls": "none", "account": False}, {}, "STARTTLS"),
    ],
)
def test_the_command_sends_a_test_mail_or_says_why_not(setting, tmp_path, server, change, refusal):
    server = MailServer(**server)
    try:
        environment = server.settings(tmp_path, WAYMARK_PUBLIC_URL="https://waymark.acme.example") | change
        if "WAYMARK_MAIL_PLAINTEXT" in change:
            environment |= {"WAYMARK_MAIL_USER": None, "WAYMARK_MAIL_PASSWORD_FILE": None}
        kept = setting.environment
        setting.environment = {name: value for name, value in (kept | environment).items() if value is not None}
        try:
            result = setting.cli("mail", "test", "ada@acme.example", check=False)
        finally:
            setting.environment = kept
        if refusal is None:
            assert result.returncode == 0, result.stderr
            assert server.mails[0]["Subject"] == "Waymark can send mails"
        else:
            assert result.returncode == 3 and re.search(refusal, result.stderr), result.stderr
            assert server.mails == []
    finally:
        server.stop()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"WAYMARK_MAIL_SERVER": "smtp.acme.example"}, "WAYMARK_MAIL_SERVER must be smtps://HOST or smtp://HOST"),
        ({"WAYMARK_MAIL_SERVER": None}, "WAYMARK_MAIL_FROM is set, but WAYMARK_MAIL_SERVER is not"),
        ({"WAYMARK_MAIL_FROM": None}, "WAYMARK_MAIL_FROM is not set"),
        ({"WAYMARK_MAIL_FROM": "a@b\nc"}, "WAYMARK_MAIL_FROM must be an e-mail address"),
        ({"WAYMARK_MAIL_PASSWORD_FILE": None}, "must both be set"),
        ({"WAYMARK_MAIL_PASSWORD_FILE": "/does/not/exist"}, "does not exist or is empty"),
        ({"WAYMARK_PUBLIC_URL": None}, "needs WAYMARK_PUBLIC_URL"),
        ({"WAYMARK_MAIL_PLAINTEXT": "true", "WAYMARK_MAIL_SERVER": "smtp://mail.acme.example"}, "only for this machine"),
    ],
)
def test_wrong_settings_of_mail_are_named(setting, change, complaint):
    kept = setting.environment
    setting.environment = {name: value for name, value in (kept | change).items() if value is not None}
    try:
        result = setting.cli("mail", "test", "ada@acme.example", check=False)
    finally:
        setting.environment = kept
    assert result.returncode != 0 and complaint in result.stderr, result.stderr


@contextmanager
def setting_with_another_worker(setting):
    worker = Installation(setting.environment | {
        "WAYMARK_METRICS_ADDRESS": f"127.0.0.1:{free_port()}"}, ("serve", "--role", "worker"))
    try:
        worker.start(wait=False)
        eventually(lambda: httpx.get(f"http://{worker.environment['WAYMARK_METRICS_ADDRESS']}/metrics").status_code == 200)
        yield
    finally:
        worker.remove()


def test_two_workers_send_each_mail_once(setting):
    with setting_with_another_worker(setting):
        invited = [invite(setting, new_address()) for _ in range(30)]
        eventually(lambda: all(shown(setting, each)["mail"]["state"] == "sent" for each in invited))
    assert [len(setting.server.to(each["email"])) for each in invited] == [1] * 30


def test_a_server_that_is_away_delays_mails_and_nothing_else(setting):
    """The last test: it stops the mail server."""
    email = new_address()
    setting.server.stop()
    started = time.monotonic()
    invitation = invite(setting, email)
    assert time.monotonic() - started < 5
    failed = eventually(lambda: shown(setting, invitation)["mail"]["cause"])
    assert "connect" in failed
    assert setting.api("GET", "/v1/teams").status_code == 200
