"""Fixtures that run the real executable. `WAYMARK_EXECUTABLE` names it; the default is the debug build."""

import httpx
import pytest

from installation import Installation, installed, installed_on_cluster

# On a busy machine, an answer can take longer than httpx's 5 seconds.
for part in ("connect", "read", "write", "pool"):
    setattr(httpx._config.DEFAULT_TIMEOUT_CONFIG, part, 60)


def pytest_addoption(parser):
    parser.addoption("--full", action="store_true", help="run the tests of Tests/Torture at their full size")


@pytest.fixture(scope="session")
def waymark():
    """A Waymark that all tests share. Each test uses its own hosts, and does not touch the processes."""
    with installed() as installation:
        yield installation


@pytest.fixture(scope="session")
def template():
    """A Waymark that was set up and stopped. `fresh_waymark` starts from it."""
    with installed() as installation:
        installation.token()
        installation.stop()
        yield installation


@pytest.fixture
def fresh_waymark(template):
    """A Waymark for one test only."""
    with installed(like=template) as installation:
        yield installation


@pytest.fixture
def empty_waymark():
    """A Waymark for one test that has never been started."""
    installation = Installation()
    yield installation
    installation.remove()


@pytest.fixture
def external():
    """A Waymark on a PostgreSQL cluster that the test may stop, and the cluster."""
    with installed_on_cluster() as both:
        yield both


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """If a test fails, it shows the end of the service's log, and all lines that are not about requests."""
    report = yield
    if report.failed:
        for name, value in getattr(item, "funcargs", {}).items():
            if isinstance(value, Installation):
                lines = [line[:600] for line in value.log().splitlines()]
                besides = [line for line in lines if '"level":"info"' not in line]
                report.sections.append((f"log of {name}", "\n".join(besides[-6:] + ["…"] + lines[-4:])))
    return report
