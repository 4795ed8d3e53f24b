"""Long hosts on narrow screens: a line ends after a dot or a hyphen, unless a single label is longer than the line."""

import pytest
from playwright.sync_api import expect

from checks import overflow
from dashboard import SHOP, draft, rule
from views import Views

# The words of a host that a line breaks inside of.
BROKEN = """host => {
  const broken = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = new Range();
  const top = (node, at) => (range.setStart(node, at), range.setEnd(node, at + 1), range.getBoundingClientRect().top);
  for (let node; (node = walker.nextNode()); ) {
    const isOfHost = host.includes(node.data) || node.data.includes(host);
    if (!isOfHost || !node.parentElement.checkVisibility()) continue;
    for (const { 0: word, index } of node.data.matchAll(/[a-z0-9]{2,}/g)) {
      if (top(node, index) !== top(node, index + word.length - 1)) broken.push(word);
    }
  }
  return broken;
}"""


@pytest.fixture(scope="module")
def hosts(waymark, apps):
    """A host of many labels, and one with a label of 63 characters."""
    token = waymark.token()
    stems = "checkout.international.customers", f"{'abcdefghi' * 7}.site"
    hosts = [waymark.new_domain(draft(([SHOP], [rule("/a/*")])), token, host=waymark.new_host(stem)) for stem in stems]
    for host in hosts:
        waymark.publish(host, token=token)
        daily = {"name": host[:20], "host": host, "expression": "30 2 * * *", "zone": "UTC"}
        waymark.api("POST", "/v1/schedules", daily, token=token)
    return hosts


@pytest.mark.parametrize("width", [360, 390])
def test_a_long_host_breaks_after_its_dots(new_dashboard, hosts, width):
    dashboard = new_dashboard(width=width)
    broken = {}
    for host in hosts:
        views = Views(dashboard, host, SHOP)
        shown = [*views.lists(), *views.of_domain(), *views.dialogs("/domain/settings")]
        for name, show in shown:
            show()
            assert overflow(dashboard.page) == 0, name
            words = dashboard.page.evaluate(BROKEN, hosts[0])
            broken |= {name: words} if words else {}
    assert broken == {}


def test_a_host_is_copied_without_a_change(new_dashboard, hosts):
    dashboard = new_dashboard(permissions=["clipboard-read", "clipboard-write"])
    dashboard.open_domain(hosts[0])
    heading = dashboard.page.get_by_role("heading", level=1)
    expect(heading).to_have_text(hosts[0])
    heading.evaluate("each => getSelection().selectAllChildren(each)")
    dashboard.page.keyboard.press("Control+c")
    assert dashboard.page.evaluate("navigator.clipboard.readText()") == hosts[0]
