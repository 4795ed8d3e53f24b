"""An existing PostgreSQL instead of the private one: prepared once, migrated by its owner, and used by a role with no
other rights."""

import json
import subprocess

import pytest

from installation import Installation, eventually
from postgres import Cluster
from samples import draft


@pytest.fixture(scope="module")
def cluster():
    cluster = Cluster()
    yield cluster
    cluster.remove()


@pytest.fixture
def waymark(cluster):
    """A Waymark with the two settings that is not started."""
    installation = Installation(cluster.settings())
    yield installation
    installation.remove()


def refused(installation, **environment):
    result = installation.cli("serve", check=False, environment=environment)
    assert result.returncode == 3, result.stdout + result.stderr
    return result.stderr


def test_an_existing_postgresql_is_prepared_migrated_and_served(cluster, waymark):
    prepare = ["database", "prepare", "--url", cluster.url("postgres", "postgres")]
    assert "ready" in waymark.cli(*prepare).stdout
    assert "migrat" in refused(waymark).lower()
    assert "applied 1 organizations" in waymark.cli("migrate").stdout
    assert "up to date" in waymark.cli("migrate").stdout
    assert json.loads(waymark.cli("migrate", "--json").stdout) == {"applied": []}
    assert json.loads(waymark.cli(*prepare, "--json").stdout) == {
        "database": "waymark",
        "owner": "waymark_owner",
        "runtime": "waymark_runtime",
        "backup": "waymark_backup",
    }

    waymark.start()
    assert not (waymark.state / "postgres").exists()
    waymark.create_organization("acme")
    host = waymark.new_domain(draft("/x"))
    assert waymark.api("GET", f"/v1/domains/{host}").json()["verified"] is False
    unavailable = waymark.api("POST", f"/v1/domains/{host}/verifications", {"method": "local"})
    assert (unavailable.status_code, unavailable.json()["code"]) == (403, "verification_unavailable")
    assert waymark.api("GET", "/v1/me").json()["installation"]["local"] is False
    waymark.cli("domain", "verify", "--organization", "acme", host)
    waymark.publish(host)
    waymark.served(host, waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"])

    secret = waymark.token()
    dump = cluster.sql("select string_agg(t::text, ' ') from credentials t") + waymark.log()
    assert secret not in dump
    assert cluster.sql("select count(*) from teams", "waymark_runtime") == "0"
    assert cluster.sql("select count(*) > 0 from domains", "waymark_backup") == "t"


def test_a_read_that_waits_for_a_lock_does_not_blame_another_change(cluster, waymark):
    waymark.start()
    host = waymark.new_domain(draft("/x"))
    work = subprocess.Popen(
        ["psql", "-X", "-q", "-A", "-t", cluster.url("waymark_owner")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        work.stdin.write("begin;\nlock table drafts in access exclusive mode;\nselect 'locked';\n")
        work.stdin.flush()
        assert work.stdout.readline() == "locked\n"
        answer = waymark.api("GET", f"/v1/domains/{host}/draft")
    finally:
        work.communicate("rollback;\n")
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert "work on the database" in answer.json()["detail"] and "omebody" not in answer.json()["detail"]
    assert waymark.api("GET", f"/v1/domains/{host}/draft").status_code == 200


def test_expired_and_revoked_tokens_are_refused(cluster, waymark):
    waymark.start()
    waymark.create_organization("ended")
    for ending in ["expires_at", "revoked_at"]:
        secret = waymark.cli("token", "create", "--organization", "ended", "--name", ending).stdout.strip()
        assert waymark.api("GET", "/v1/me", token=secret).status_code == 200
        cluster.sql(f"update credentials set {ending} = now() - interval '1 second' where name = '{ending}'")
        # The process may remember the token for a second: SQL sends no notification.
        eventually(lambda: waymark.api("GET", "/v1/me", token=secret).status_code == 401, 5, what="the refusal")


def test_a_role_with_more_rights_than_needed_is_refused(cluster, waymark):
    for role in ["postgres", "waymark_owner", "waymark_backup"]:
        words = refused(waymark, WAYMARK_DATABASE_URL=cluster.url(role))
        assert role in words and "WAYMARK_DATABASE_URL" in words


def test_a_newer_or_modified_database_is_refused(cluster, waymark, tmp_path):
    import shutil
    from installation import REPOSITORY

    copy = tmp_path / "migrations"
    shutil.copytree(REPOSITORY / "migrations", copy)
    last = sorted(copy.iterdir())[-1]
    text = last.read_text()
    last.write_text(text + "-- edited\n")
    assert last.stem.partition("_")[0].lstrip("0") in refused(waymark, WAYMARK_MIGRATIONS_DIRECTORY=str(copy))
    last.unlink()
    assert "newer" in refused(waymark, WAYMARK_MIGRATIONS_DIRECTORY=str(copy)).lower()


def test_an_unreachable_database_is_named_without_the_password(waymark):
    url = "postgresql://waymark_runtime:s3cret-word@127.0.0.1:9/waymark?connect_timeout=2"
    words = refused(waymark, WAYMARK_DATABASE_URL=url)
    assert "s3cret-word" not in words


def test_migrate_requires_the_owners_url(waymark):
    del waymark.environment["WAYMARK_OWNER_DATABASE_URL"]
    result = waymark.cli("migrate", check=False)
    assert result.returncode == 3 and "WAYMARK_OWNER_DATABASE_URL" in result.stderr
