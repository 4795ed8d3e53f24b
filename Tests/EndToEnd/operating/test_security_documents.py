"""The documents about security name tests that exist, and each requirement once."""

import re
from collections import Counter

import pytest

from installation import REPOSITORY

DOCUMENTS = {name: (REPOSITORY / "docs" / name).read_text() for name in ("threat-model.md", "asvs.md")}
FILES = {
    path.name: path for path in (REPOSITORY / "Tests").rglob("*") if path.is_dir() or path.suffix in (".py", ".swift")
}


def named_tests(text):
    """The names of tests in backticks: `test_x.py`, `test_x.py::test_y`, `XTests` and `XTests/y`."""
    return re.findall(r"`(test_\w+\.py(?:::\w+)?|[A-Z]\w+Tests(?:\+\w+)?(?:/\w+)?)`", text)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_tests_that_a_document_names_exist(name):
    named = named_tests(DOCUMENTS[name])
    assert len(named) > 50
    for test in named:
        file, _, function = test.replace("::", "/").partition("/")
        path = FILES.get(file) or FILES.get(f"{file}.swift")
        assert path, f"{name} names {test}"
        if function:
            assert re.search(rf"\b(def|func) {function}\b", path.read_text()), f"{name} names {test}"


def test_each_requirement_has_one_row():
    """Ranges have the numbers between their ends. Levels 1 and 2 have 253 requirements."""
    rows = re.findall(r"^\| (\d[^|]*) \| (\S+) \|", DOCUMENTS["asvs.md"], re.M)
    assert {state for _, state in rows} == {"met", "operator", "n/a", "no"}
    numbers = Counter()
    for cell, _ in rows:
        for part in cell.split(", "):
            first, _, last = part.partition("–")
            section, _, start = first.rpartition(".")
            numbers.update(
                f"{section}.{number}" for number in range(int(start), int((last or first).rpartition(".")[2]) + 1))
    assert [number for number, count in numbers.items() if count > 1] == []
    assert len(numbers) == 253
