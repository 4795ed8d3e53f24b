"""Fixtures for the tests of approvals."""

import pytest


@pytest.fixture
def joined(slug, new_member):
    """Adds a person to the organization. Returns their dashboard."""
    return lambda name, role, **settings: new_member(slug, name, role, **settings)


@pytest.fixture
def host(waymark, slug):
    """A verified domain without edits."""
    token = waymark.token(organization=slug)
    waymark.api("POST", "/v1/teams", {"teamID": "ABCDE12345", "name": "Team"}, token=token)
    waymark.api("POST", "/v1/apps", {"teamID": "ABCDE12345", "bundleID": "com.example.app"}, token=token)
    return waymark.new_domain(token=token)
