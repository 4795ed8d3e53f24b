"""An organization with one thing of every kind. The service has nothing left to do, so only a test changes the
database."""

import time
import uuid
from contextlib import contextmanager

from contract import things
from installation import eventually, installed_on_cluster
from samples import draft

# What the tests' own sign-ins, uses of tokens, counts of requests and jobs change, and what seals the audit trail.
IGNORED = {
    "credentials",
    "rate_counts",
    "consumers",
    "schema_migrations",
    "audit_checkpoints",
    "unsealed_trails",
}
# Bodies that succeed, where those of other tests do not.
SUCCEEDING = {
    "createTeam": {"teamID": "DRYRUN0000", "name": "Dry"},
    "createApp": {"teamID": "ABCDE12345", "bundleID": "com.example.dry"},
    "createDomain": {"host": "dry.example.com"},
    "createSchedule": {"name": "dry", "label": "none", "expression": "@daily", "zone": "UTC"},
    "replaceDraft": draft("/dry"),
    "createApprovalPolicy": {"label": "dry", "approvals": 1},
    "createOrganization": {"slug": "dry", "name": "Dry"},
    "createTOTPSecret": None,
    "changeMe": {"name": "Dry"},
    "changePassword": {"password": "only a dry run of it"},
    "createNewPasskeyChallenge": None,
    "endOtherSessions": None,
    "endSession": None,
    "signOut": None,
    "createRecoveryCodes": None,
    "removePasskey": None,
    "disconnectIdentity": None,
}


@contextmanager
def settled():
    """Yields a Waymark with the path parameters of its things (`things`), and with its database (`cluster`)."""
    with installed_on_cluster() as (waymark, cluster):
        waymark.restart({"WAYMARK_ORGANIZATION_CREATION": "invited"})
        new_domain = waymark.new_domain

        def verified_domain(*arguments, **more):
            host = new_domain(*arguments, **more)
            waymark.cli("domain", "verify", "--organization", waymark.organization, host)
            return host

        waymark.new_domain = verified_domain
        waymark.cluster, waymark.things = cluster, things(waymark, waymark.token()) | own_things(waymark, cluster)
        settle(waymark)
        yield waymark


def own_things(waymark, cluster):
    """Another session, a passkey and an identity of the owner who makes the requests, and a second factor."""
    waymark.session()
    email = f"session-owner@{waymark.organization}.example"
    user = cluster.sql(f"select id from users where email = '{email}'").strip()
    link = waymark.cli("user", "sign-in-link", email).stdout.strip()
    assert waymark.client.post("/v1/session", json={"code": link.rpartition("#")[2]}).status_code == 200
    waymark.client.cookies.clear()
    ids = {name: str(uuid.uuid4()) for name in ("passkey", "identity")}
    cluster.sql(
        "insert into passkeys (id, user_id, credential_id, name, algorithm, public_key, counter)"
        f" values ('{ids['passkey']}', '{user}', 'x', 'key', -7, 'x', 0);"
        "insert into identities (id, issuer, subject, user_id)"
        f" values ('{ids['identity']}', 'https://id.example', 's', '{user}')")
    sessions = waymark.api("GET", "/v1/sessions", headers=waymark.session(), token=False).json()["items"]
    [other] = [session["id"] for session in sessions if not session["current"]]
    return {
        "/v1/sessions/": {"id": other},
        "/v1/me/passkeys/": {"id": ids["passkey"]},
        "/v1/me/identities/": {"id": ids["identity"]},
    }


def settle(waymark):
    """Waits until the work that followed the fixture's changes has ended."""
    # Not the schedule, which is due at midnight.
    waymark.cluster.sql("update jobs set due_at = now() + interval '1 year' where due_at > now() + interval '1 minute'")
    eventually(lambda: is_idle(waymark), 120, what="no job")
    before = None
    while (now := contents(waymark)) != before:
        before = now
        time.sleep(2)


def is_idle(waymark):
    return waymark.cluster.sql("select count(*) from jobs where due_at < now() + interval '1 minute'").strip() == "0"


def contents(waymark):
    """A digest of each table."""
    tables = waymark.cluster.sql(
        "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname")
    # Using a session changes a time in it.
    parts = [
        f"select '{table}', md5(coalesce(string_agg(text, ';' order by text), ''))"
        f" from (select (to_jsonb({table}) - 'last_used_at')::text as text from {table}) as rows"
        for table in tables.split() if table not in IGNORED
    ]
    return waymark.cluster.sql(" union all ".join(parts))
