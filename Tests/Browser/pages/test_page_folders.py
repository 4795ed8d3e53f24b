"""Each page has its own folder of scripts and styles; shared files are in `shared`, `components` and `base`.

A document is a page, a section of one, such as `domain/tests.html`, or a piece in `pieces/` that a script adds later.
"""

import re

import pytest

from installation import REPOSITORY

PUBLIC = REPOSITORY / "public"
SCRIPTS = PUBLIC / "scripts"
STYLES = PUBLIC / "styles"
DOCUMENTS = sorted(page for page in PUBLIC.rglob("*.html") if "includes" not in page.parts)
PIECES = [page for page in DOCUMENTS if "pieces" in page.parts]
PAGES = [page for page in DOCUMENTS if '<script type="module"' in page.read_text()]
INCLUDE = re.compile(r"^ *<!-- include (includes/[a-z/-]+\.html) -->\n", re.MULTILINE)
IMPORT = re.compile(r'(?:\bfrom\s+|\bimport\s+|\bimport\()"([^"]+)"')
MAXIMUM_FILES = 20


def imported(script):
    """The scripts that a script imports."""
    return [(script.parent / path).resolve() for path in IMPORT.findall(script.read_text())]


def room(file, root):
    """The folder that decides which pages may use a file: `shared`, `components`, `base`, or `pages/NAME`."""
    parts = file.relative_to(root).parts
    return "/".join(parts[:2]) if parts[0] == "pages" else parts[0]


def name(page):
    """The name of a document, such as `domain/tests`."""
    return page.relative_to(PUBLIC).with_suffix("").as_posix()


def folder_of(page):
    """The page's folder under `pages`: the start page is the list of domains."""
    first = name(page).removeprefix("pieces/").partition("/")[0]
    return f"pages/{'domains' if first == 'index' else first}"


def included(page):
    """The files of `includes/` that a page includes."""
    return [PUBLIC / path for path in INCLUDE.findall(page.read_text())]


def linked(page, root):
    """The files under a root that a page or one of its includes names."""
    text = "".join(file.read_text() for file in [page, *included(page)])
    addresses = re.findall(r'(?:href|src)="(/[^"]+)"', text)
    files = [PUBLIC / address.lstrip("/") for address in addresses]
    return [file for file in files if file.is_relative_to(root)]


def test_a_script_imports_only_from_its_own_page_and_the_shared_folders():
    allowed = {"shared": {"shared"}, "components": {"components", "shared"}}
    scripts = sorted(SCRIPTS.rglob("*.js"))
    assert len(scripts) > 100
    for script in scripts:
        own = room(script, SCRIPTS)
        for other in imported(script):
            assert other.is_file(), f"{script} imports {other}"
            rooms = allowed.get(own, {own, "components", "shared"})
            assert room(other, SCRIPTS) in rooms, f"{script} imports {other}"


@pytest.mark.parametrize("page", PAGES + PIECES, ids=name)
def test_a_page_links_only_its_own_and_the_shared_folders(page):
    expected = set() if page in PIECES else {"base", folder_of(page)}
    assert {room(file, SCRIPTS) for file in linked(page, SCRIPTS)} == expected
    assert {room(file, STYLES) for file in linked(page, STYLES)} <= {"base", "components", folder_of(page)}
    for include in included(page):
        assert include.relative_to(PUBLIC / "includes").parent.as_posix() in {".", folder_of(page).partition("/")[2]}
    for file in linked(page, STYLES) + linked(page, SCRIPTS) + included(page):
        assert file.is_file(), file


def test_every_include_is_well_formed_and_used():
    assert {include for page in DOCUMENTS for include in included(page)} == set((PUBLIC / "includes").rglob("*.html"))
    assert sum(page.read_text().count("include ") for page in DOCUMENTS) == sum(len(included(page)) for page in DOCUMENTS)


def test_the_masthead_and_the_head_exist_once():
    for page in DOCUMENTS:
        assert "masthead" not in INCLUDE.sub("", page.read_text()) and "<meta charset" not in page.read_text(), page


def test_every_script_and_style_is_used():
    reached, waiting = set(), [file for page in PAGES for file in linked(page, SCRIPTS)]
    while waiting:
        script = waiting.pop()
        if script not in reached:
            reached.add(script)
            waiting += imported(script)
    assert reached == set(SCRIPTS.rglob("*.js"))
    assert {file for page in DOCUMENTS for file in linked(page, STYLES)} == set(STYLES.rglob("*.css"))


def test_every_piece_exists_and_is_used():
    wanted = {each for script in SCRIPTS.rglob("*.js") for each in re.findall(r'"(domain/[a-z-]+|palette|confirmation)"', script.read_text())}
    parts = {f"domain/{part}" for part in ["rules", "tests", "versions", "serving", "settings"]}
    assert wanted | parts == {name(piece).removeprefix("pieces/") for piece in PIECES}
    for page in PAGES:
        for piece in re.findall(r'<meta name="pieces" content="([^"]+)">', page.read_text()):
            assert set(included(PUBLIC / f"pieces/{piece}.html")) <= set(included(page)), page


def test_no_folder_of_the_pages_has_more_than_20_files():
    for folder in [PUBLIC, *(path for path in PUBLIC.rglob("*") if path.is_dir())]:
        assert sum(path.is_file() for path in folder.iterdir()) <= MAXIMUM_FILES, folder
