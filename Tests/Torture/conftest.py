"""Properties that must hold under kills, faults and load. `make test` checks each briefly. `make torture` checks them
at full size, and prints a table."""

import pytest

_figures = pytest.StashKey[list]()


def pytest_configure(config):
    config.stash[_figures] = []


@pytest.fixture
def size(request):
    """The first of two numbers in a quick run, the second in a full one: `size(10, 500)`."""
    full = request.config.getoption("--full")
    return lambda quick, whole: whole if full else quick


@pytest.fixture
def limit(size):
    """The maximum duration in seconds. A quick run often shares a busy machine with other tests, so it only notices
    hangs."""
    return lambda seconds: size(20 + seconds, seconds)


@pytest.fixture
def figure(request):
    """Adds a line to the table at the end of a full run: the test, the result, and the goal."""

    def add(what, seen, asked):
        request.config.stash[_figures].append((what, seen, asked))

    return add


def pytest_terminal_summary(terminalreporter, config):
    figures = config.stash[_figures]
    if not figures or not config.getoption("--full"):
        return
    rows = [("test", "result", "goal"), *(tuple(map(str, row)) for row in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    terminalreporter.section("figures")
    for row in rows:
        terminalreporter.write_line(" | ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip())
