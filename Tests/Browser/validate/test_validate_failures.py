"""Failed and late answers on the public page."""

import pytest
from playwright.sync_api import expect

from dashboard import until
from validator import NEVER_REACHED, file_of

SLOW = {"url": "https://www.example.com/slow", "outcome": "opens", "app": "late", "apps": [], "reason": None}


def test_a_late_answer_is_not_shown(validator):
    held = []

    def hold_the_first(route):
        if "/slow" in route.request.post_data:
            held.append(route)
        else:
            route.continue_()

    validator.page.route("**/v1/evaluations*", hold_the_first)
    validator.file.fill(file_of({"/": "/x"}))
    with validator.page.expect_request("**/v1/evaluations*"):
        validator.urls.fill("/slow")
    validator.urls.fill("/quick")
    validator.expect_verdicts("No app opens it")
    until(validator.page, lambda: held)
    held[0].fulfill(json={"evaluations": [SLOW]})
    validator.page.wait_for_timeout(300)
    validator.expect_verdicts("No app opens it")


@pytest.mark.parametrize("status, said", [(429, "Too many checks"), (413, "are too large")])
def test_a_refused_request_is_explained(validator, status, said):
    problem = {"type": "urn:waymark:problem:x", "title": "No", "status": status, "code": "x", "detail": "no"}
    validator.page.route("**/v1/*", lambda route: route.fulfill(status=status, json=problem))
    validator.file.fill(NEVER_REACHED)
    validator.urls.fill("/x")
    expect(validator.page.get_by_role("alert").filter(has_text=said)).to_have_count(2)
    validator.page.unroute_all()
    validator.file.press("End")
    validator.file.press("Space")
    expect(validator.findings.filter(has_text="never takes effect")).to_have_count(1)
    expect(validator.verdicts).to_have_count(1)
    expect(validator.page.get_by_role("alert").filter(has_text=said)).to_have_count(0)


def test_without_a_network_the_input_is_kept_and_checking_resumes_automatically(validator):
    validator.page.context.set_offline(True)
    validator.file.fill(NEVER_REACHED)
    validator.urls.fill("/sign-in/reset")
    expect(validator.page.get_by_role("alert").filter(has_text="Waymark does not answer")).to_have_count(2)
    validator.page.context.set_offline(False)
    expect(validator.findings.filter(has_text="never takes effect")).to_have_count(1)
    expect(validator.verdicts).to_have_count(1)
    expect(validator.page.get_by_role("alert").filter(has_text="Waymark does not answer")).to_have_count(0)
