"""Invitations and new passwords by mail, in the browser, with a real mail server."""

import re

from playwright.sync_api import expect

from checks import fits
from dashboard import Dashboard
from mail_server import code

PASSWORD = "correct pony staple wagon"
OTHER = "seven quiet rivers bend"
EMAIL = "grace@acme.example"


def test_a_person_is_invited_by_mail_forgets_the_password_and_chooses_a_new_one(mailing, new_window):
    owner = new_window()
    owner.page.goto(mailing.sign_in_link())
    owner.page.wait_for_url(re.compile(r"/$"))
    owner.page.goto(f"{mailing.url}/people")
    mailing.server.replies[EMAIL] = ["451 Greylisted"]
    owner.press("Invite people…")
    owner.type("E-mail addresses", EMAIL, within=owner.dialog)
    owner.dialog.get_by_role("radio", name="editor").check()
    expect(owner.dialog.get_by_label("The link", exact=True)).to_have_value("mail")
    fits(owner)
    owner.press("Invite", exact=True, within=owner.dialog)
    row = owner.page.get_by_role("list", name="Invitations", exact=True).get_by_role("listitem").filter(has_text=EMAIL)
    expect(row).to_contain_text("Mail on its way")
    # The first attempt fails. The page says so, and the owner sends it again.
    expect(owner.page.get_by_role("status").filter(has_text="is invited")).to_have_count(1)

    def shows_failure():
        owner.page.reload()
        row.wait_for()
        return "451" in row.inner_text()

    for _ in range(20):
        if shows_failure():
            break
        owner.page.wait_for_timeout(500)
    expect(row).to_contain_text("Waymark tries again.")
    fits(owner)
    owner.press(f"Send the invitation of {EMAIL} again")
    invited = mailing.server.next_to(EMAIL)
    # The row says what became of it.
    for _ in range(20):
        owner.page.reload()
        row.wait_for()
        if "Mailed" in row.inner_text():
            break
        owner.page.wait_for_timeout(500)
    expect(row).to_contain_text("Mailed")

    guest = new_window(width=390, color_scheme="dark")
    guest.page.goto(f"{mailing.url}/invitation#{code(invited)}")
    guest.type("Your name", "Grace Hopper")
    guest.page.get_by_label("New password").fill(PASSWORD)
    guest.press("Create account and join")
    guest.page.wait_for_url(re.compile(r"/(\?|$)"))

    visitor = new_window(width=390, color_scheme="dark")
    visitor.page.goto(f"{mailing.url}/sign-in")
    expect(visitor.page.get_by_text("Ask the operator of this Waymark for a sign-in link.")).to_be_hidden()
    visitor.page.get_by_role("link", name="Forgot your password?").click()
    visitor.press("Send the link")
    expect(visitor.page.get_by_text("Enter your e-mail address.", exact=True)).to_be_visible()
    fits(visitor)
    visitor.type("E-mail address", EMAIL)
    visitor.press("Send the link")
    expect(visitor.page.get_by_role("heading", name="Look at your mail")).to_be_focused()
    fits(visitor)
    reset = mailing.server.next_to(EMAIL, 2)
    visitor.page.goto("about:blank")
    visitor.page.goto(f"{mailing.url}/password-reset#{code(reset)}")
    visitor.page.get_by_role("textbox", name="New password").fill("password1234")
    visitor.press("Save and sign in")
    expect(visitor.page.get_by_text("must be harder to guess")).to_be_visible()
    fits(visitor)
    visitor.page.get_by_role("textbox", name="New password").fill(OTHER)
    visitor.press("Save and sign in")
    visitor.page.wait_for_url(re.compile(r"/$"))
    # All other sessions have ended.
    guest.page.reload()
    guest.page.wait_for_url(re.compile(r"/sign-in"))

    late = new_window()
    late.page.goto(f"{mailing.url}/password-reset#{code(reset)}")
    late.page.get_by_role("textbox", name="New password").fill(PASSWORD)
    late.press("Save and sign in")
    expect(late.page.get_by_role("alert").filter(has_text="used already")).to_be_visible()
    expect(late.page.get_by_label("E-mail address")).to_be_visible()


def test_without_a_mail_server_the_page_says_what_to_do(waymark, new_context):
    window = Dashboard(new_context().new_page(), waymark.url, None)
    window.page.goto(f"{waymark.url}/password-reset")
    window.type("E-mail address", EMAIL)
    window.press("Send the link")
    expect(window.page.get_by_role("alert")).to_contain_text("Ask the operator for a sign-in link.")
    window.page.goto(f"{waymark.url}/sign-in")
    expect(window.page.get_by_text("Ask the operator of this Waymark for a sign-in link.")).to_be_visible()
    expect(window.page.get_by_role("link", name="Forgot your password?")).to_be_hidden()
