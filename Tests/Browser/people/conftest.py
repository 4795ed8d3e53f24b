import pytest

from dashboard import Dashboard
import mail_server


@pytest.fixture(scope="module")
def mailing():
    """A Waymark that sends mails, and on which visitors create accounts."""
    with mail_server.mailing(WAYMARK_ORGANIZATION_CREATION="anyone") as waymark:
        yield waymark


@pytest.fixture
def new_window(mailing, new_context):
    """Opens windows. The test fails if one reports a complaint."""
    windows = []

    def make(**settings):
        windows.append(Dashboard(new_context(**settings).new_page(), mailing.url, None))
        return windows[-1]

    yield make
    assert [complaint for window in windows for complaint in window.complaints] == []
