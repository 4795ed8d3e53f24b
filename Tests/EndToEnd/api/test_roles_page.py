"""docs/roles.md lists every route under the role that the contract requires. Another test compares the contract with the
routes of the code, so the page is never older than the code. The dashboard describes the roles in the same sentences."""

import re

from contract import DOCUMENT, ROLES
from installation import REPOSITORY

METHODS = ("get", "post", "put", "patch", "delete")


def table(role):
    """The rows of a role, in the order of the paths. Routes that only a signed-in person can use are marked."""
    rows = []
    for path, item in sorted(DOCUMENT["paths"].items()):
        for method in METHODS:
            operation = item.get(method)
            if operation and operation["x-right"] == role:
                person = " (in person)" if operation["security"] == [{"session": []}] else ""
                rows.append(f"| {operation['summary']}{person} | `{method.upper()} {path}` |")
    return ["| operation | route |", "|---|---|", *rows]


def sections():
    page = (REPOSITORY / "docs/roles.md").read_text()
    found = dict(re.findall(r"^## `(\w+)`\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
    assert list(found) == ROLES
    return found


def test_the_page_of_roles_is_the_contracts():
    for role, text in sections().items():
        shown = [line for line in text.splitlines() if line.startswith("|")]
        assert shown == table(role), "replace the table by:\n" + "\n".join(table(role))


def documented():
    """The sentences about people, and those about tokens if they differ, by role."""
    people, tokens = {}, {}
    for role, text in sections().items():
        first, second = (" ".join(each.split()) for each in text.strip().split("\n\n")[:2])
        people[role] = first
        if second.startswith("As a token: "):
            tokens[role] = second.removeprefix("As a token: ")
    return people, tokens


def test_the_dashboard_describes_the_roles_as_the_page_does():
    words = REPOSITORY / "public/scripts/shared/words/role-words.js"
    tables = dict(re.findall(r"^export const (\w+) = \{\n(.*?)^\};", words.read_text(), re.MULTILINE | re.DOTALL))
    read = {name: dict(re.findall(r'^    (\w+): "(.*)",$', table, re.MULTILINE)) for name, table in tables.items()}
    people, tokens = documented()
    assert read == {"memberRights": people, "tokenRights": tokens}
    assert list(tokens) == ["publisher", "admin", "owner"]
    # No other file describes a role.
    others = [file for kind in ("html", "js") for file in (REPOSITORY / "public").rglob(f"*.{kind}") if file != words]
    assert len(others) > 100
    assert [file.name for file in others if re.search(r"\bAlso [a-z]+s\b", file.read_text())] == []
