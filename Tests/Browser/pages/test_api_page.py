"""The API reference, made from the contract."""

import pytest
from playwright.sync_api import expect

from checks import NAMELESS, assert_landmarks, low_contrast, overflow

METHODS = ("get", "post", "put", "patch", "delete")


@pytest.fixture(scope="module")
def operations(waymark):
    """Every operation of the contract: `(ID, method, path, operation)`."""
    contract = waymark.api("GET", "/v1/openapi.json").json()
    return [
        (operation["operationId"], method.upper(), path, operation)
        for path, item in contract["paths"].items()
        for method, operation in item.items()
        if method in METHODS
    ]


@pytest.fixture
def reference(validator):
    """The page as a visitor sees it."""
    validator.page.goto(f"{validator.url}/api")
    expect(validator.page.get_by_role("heading", level=1)).to_have_text("API reference")
    return validator


def show(reference, operation):
    reference.page.evaluate("id => { location.hash = id; }", operation)


def links(reference):
    return reference.page.get_by_role("navigation", name="Operations").get_by_role("listitem").get_by_role("link")


def test_every_operation_of_the_contract_appears_and_can_be_opened(reference, operations):
    assert len(operations) > 90
    expect(reference.page.get_by_text(f"{len(operations)} operations")).to_be_visible()
    addresses = links(reference).evaluate_all("links => links.map((link) => link.getAttribute('href'))")
    assert sorted(addresses) == sorted(f"#{operation}" for operation, *_ in operations)
    shown = reference.page.evaluate(
        """async (ids) => {
            const shown = [];
            for (const id of ids) {
                location.hash = id;
                await new Promise((resolve) => window.addEventListener("hashchange", resolve, { once: true }));
                shown.push(document.querySelector("main article").innerText);
            }
            return shown;
        }""",
        [operation for operation, *_ in operations],
    )
    for text, (name, method, path, operation) in zip(shown, operations):
        assert operation["summary"] in text and f"{method} {path}" in text.replace("\n", " "), name
        assert f"{reference.url}/" in text and "undefined" not in text and "[object" not in text, name
        for status in operation["responses"]:
            assert status in text, (name, status)


def test_an_operation_has_an_address_and_a_title(reference):
    reference.page.goto(f"{reference.url}/api#createPublication")
    heading = reference.page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Publish the draft, or publish a version again")
    assert reference.page.title() == "Publish the draft, or publish a version again · API · Waymark"
    main = reference.page.get_by_role("main")
    expect(main).to_contain_text("Needs the role publisher or higher.")
    expect(main.get_by_text("gate_refused", exact=True)).to_be_visible()
    expect(main).to_contain_text(f"curl -X POST '{reference.url}/v1/domains/www.example.com/publications'")
    current = reference.page.get_by_role("navigation", name="Operations").locator("[aria-current]")
    expect(current).to_contain_text("Publish the draft")
    reference.page.get_by_role("link", name="Preview the effects").last.click()
    expect(heading).to_contain_text("Preview the effects")
    expect(heading).to_be_focused()
    reference.page.go_back()
    expect(heading).to_contain_text("Publish the draft")


def test_fields_of_fields_open(reference):
    show(reference, "replaceDraft")
    main = reference.page.get_by_role("main")
    body = main.get_by_role("term").filter(has_text="entries").first
    expect(body).to_contain_text("array of")
    main.locator("summary").first.click()
    expect(main.locator("details[open] dl").first).to_be_visible()


@pytest.mark.parametrize(
    "typed, operation", [("gate_refused", "createPublication"), ("post freezes", "createFreeze"), ("caller organizations", "showMe")]
)
def test_the_search_narrows_the_list(reference, typed, operation):
    reference.page.keyboard.press("/")
    field = reference.page.get_by_role("searchbox", name="Search the API")
    expect(field).to_be_focused()
    before = links(reference).count()
    field.fill(typed)
    expect(reference.page.locator(f"a[href='#{operation}']").first).to_be_visible()
    assert 0 < links(reference).count() < before / 2
    field.fill("nothing has this name")
    expect(reference.page.get_by_text("No operation matches.")).to_be_visible()


def test_all_problem_codes_are_listed(reference):
    reference.page.get_by_role("link", name="Problem codes").click()
    expect(reference.page.get_by_role("heading", level=1)).to_have_text("Problem codes")
    rows = reference.page.get_by_role("table").get_by_role("row")
    assert rows.count() > 40
    expect(rows.filter(has_text="gate_refused")).to_contain_text("422")


def test_a_request_is_copied_with_the_readers_organization(new_dashboard):
    dashboard = new_dashboard(permissions=["clipboard-read", "clipboard-write"])
    dashboard.open("/events")
    dashboard.page.goto(f"{dashboard.url}/api#createDomain")
    dashboard.press("Copy as curl")
    expect(dashboard.announcement).to_contain_text("Copied")
    copied = dashboard.page.evaluate("navigator.clipboard.readText()")
    assert f"'Waymark-Organization: {dashboard.organization}'" in copied
    assert copied == dashboard.page.locator("article pre").text_content()


def test_an_unreachable_contract_is_reported(new_validator):
    validator = new_validator()
    validator.page.route("**/v1/openapi.json", lambda route: route.abort())
    validator.page.goto(f"{validator.url}/api")
    expect(validator.page.get_by_role("alert")).to_contain_text("does not answer")


@pytest.mark.parametrize("width", [320, 360, 768, 1440])
def test_it_fits_and_is_readable(new_validator, width):
    page = new_validator(width=width).page
    for place in ("", "#createPublication", "#problems"):
        page.goto(page.url.partition("/validate")[0].partition("/api")[0] + f"/api{place}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert_landmarks(page)
        assert overflow(page) <= 0, place
        assert low_contrast(page) == [], place
        assert page.evaluate(NAMELESS) == [], place
