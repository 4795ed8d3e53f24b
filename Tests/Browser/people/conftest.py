import pytest

from dashboard import Dashboard
from installation import Installation
from mail_server import MailServer


@pytest.fixture(scope="module")
def mailing():
    """A Waymark that sends mails, and on which visitors create accounts."""
    server = MailServer()
    waymark = Installation()
    try:
        waymark.environment |= server.settings(waymark.directory, WAYMARK_PUBLIC_URL=waymark.url)
        waymark.environment["WAYMARK_ORGANIZATION_CREATION"] = "anyone"
        waymark.start()
        waymark.create_organization(waymark.organization)
        waymark.server = server
        yield waymark
    finally:
        waymark.remove()
        server.stop()


@pytest.fixture
def new_window(mailing, new_context):
    """Opens windows. The test fails if one reports a complaint."""
    windows = []

    def make(**settings):
        windows.append(Dashboard(new_context(**settings).new_page(), mailing.url, None))
        return windows[-1]

    yield make
    assert [complaint for window in windows for complaint in window.complaints] == []
