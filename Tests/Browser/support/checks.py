"""Checks of accessibility and appearance that several files of tests use."""

from importlib import resources
from pathlib import Path

from playwright.sync_api import expect

# The texts of a page with too little contrast.
CONTRAST = (Path(__file__).parent / "contrast.js").read_text()

AXE = (resources.files("axe_playwright_python") / "axe.min.js").read_text()

# Visible controls without a name. The value of a field, or the options of a list, are not a name.
NAMELESS = """() => {
    const isField = (element) => element.matches("input, select, textarea");
    const words = (label) => {
        const copy = label.cloneNode(true);
        for (const field of copy.querySelectorAll("input, select, textarea")) field.remove();
        return copy.textContent.trim();
    };
    const isNamed = (element) =>
        element.ariaLabel || [...(element.labels ?? [])].some(words) || (!isField(element) && element.textContent.trim());
    return [...document.querySelectorAll("button, input, select, textarea, a[href], summary, [role=button]")]
        .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !isNamed(element))
        .map((element) => element.outerHTML);
}"""

# The outline of the focused element.
FOCUS = """() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
    return [outlineStyle, outlineWidth];
}"""


def assert_landmarks(page):
    expect(page.get_by_role("banner")).to_have_count(1)
    # A narrow window has the navigation in a menu.
    navigation = page.get_by_role("navigation", name="Main", exact=True)
    expect(navigation.or_(page.get_by_role("button", name="Menu", exact=True))).to_have_count(1)
    expect(page.get_by_role("main")).to_have_count(1)
    assert page.locator("html").get_attribute("lang") == "en"


def low_contrast(page):
    """The texts with too little contrast, in the light and the dark scheme of the same page."""
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found += [(scheme, text) for text in page.evaluate(CONTRAST)]
    page.emulate_media(color_scheme="light")
    return found


def violations(page):
    """What axe finds on the page as it is, in the light and in the dark scheme: the rule, and the first elements that
    break it. Only the contrast differs in the dark scheme."""
    page.evaluate(AXE)
    found = []
    for scheme, options in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        page.emulate_media(color_scheme=scheme)
        for each in page.evaluate("async options => (await axe.run(options)).violations", options):
            found.append((scheme, each["id"], each["help"], [node["html"] for node in each["nodes"][:3]]))
    page.emulate_media(color_scheme="light")
    return found


def overflow(page):
    """By how many pixels the page is wider than the window."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def fits(window):
    """The page is no wider than the window, and has no fault of contrast, names or accessibility."""
    assert overflow(window.page) <= 0
    assert low_contrast(window.page) == []
    assert window.page.evaluate(NAMELESS) == [] and violations(window.page) == []
