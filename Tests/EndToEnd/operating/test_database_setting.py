"""A process never guesses its database. Only `waymark serve` creates a private one."""

import pytest

from installation import Installation

COMMANDS = [
    ("serve", "--role", "api"),
    ("serve", "--role", "worker"),
    ("organization", "create", "acme", "--owner", "owner@acme.example"),
    ("user", "sign-in-link", "owner@acme.example"),
    ("token", "create", "--organization", "acme", "--name", "ci"),
    ("domain", "verify", "--organization", "acme", "www.example.com"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_without_a_setting_no_role_or_command_creates_a_database(empty_waymark, command):
    refused = empty_waymark.cli(*command, check=False)
    assert refused.returncode == 3, refused.stdout
    assert "WAYMARK_DATABASE_URL is required for" in refused.stderr
    assert str(empty_waymark.state) in refused.stderr
    assert not (empty_waymark.state / "postgres").exists() and not empty_waymark.processes()


@pytest.mark.parametrize("role", ["api", "worker"])
def test_a_role_does_not_start_the_private_database_of_another_process(template, role):
    waymark = Installation(like=template)
    try:
        refused = waymark.cli("serve", "--role", role, check=False)
        assert refused.returncode == 3 and "WAYMARK_DATABASE_URL is required for" in refused.stderr
    finally:
        waymark.remove()


def test_a_command_uses_the_private_database_of_serve(template):
    waymark = Installation(like=template)
    try:
        assert "/sign-in#" in waymark.sign_in_link()
    finally:
        waymark.remove()


@pytest.mark.parametrize("value", ["", " ", "\t"], ids=["empty", "a space", "a tab"])
@pytest.mark.parametrize(
    "name", ["DATABASE_URL", "OWNER_DATABASE_URL", "STATE_DIRECTORY", "PUBLIC_URL", "ADDRESS", "LOG_LEVEL"]
)
def test_an_empty_setting_is_refused_by_name(empty_waymark, name, value):
    for command in [("serve",), ("user", "sign-in-link", "owner@acme.example"), ("migrate",)]:
        refused = empty_waymark.cli(*command, environment={f"WAYMARK_{name}": value}, check=False)
        assert refused.returncode == 3
        assert f"WAYMARK_{name} is set but empty" in refused.stderr
    assert not empty_waymark.state.exists() and not empty_waymark.processes()
