"""Properties that must hold under force. `make test` shows each briefly; `make torture` at its full size, with a table."""

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
    """The seconds that something may take. A quick run, beside other tests on a busy machine, notices only what hangs:
    how long it takes there is said by the machine."""
    return lambda seconds: size(20 + seconds, seconds)


@pytest.fixture
def figure(request):
    """Puts a line into the table at the end of a full run: what was done, what was seen, what is asked for."""

    def add(what, seen, asked):
        request.config.stash[_figures].append((what, seen, asked))

    return add


def pytest_terminal_summary(terminalreporter, config):
    figures = config.stash[_figures]
    if not figures or not config.getoption("--full"):
        return
    rows = [("what was done", "seen", "asked for"), *(tuple(map(str, row)) for row in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    terminalreporter.section("figures")
    for row in rows:
        terminalreporter.write_line(" | ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip())
