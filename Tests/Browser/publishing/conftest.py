"""Fixtures for the tests of approvals."""

import pytest


@pytest.fixture
def joined(slug, new_member):
    """Adds a person to the organization. Returns their dashboard."""
    return lambda name, role, **settings: new_member(slug, name, role, **settings)
