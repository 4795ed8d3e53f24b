"""The finder, which Ctrl-K opens."""

from playwright.sync_api import expect


class Finder:
    """The finder of a tab."""

    def __init__(self, dashboard):
        self.page = dashboard.page
        self.dialog = dashboard.page.get_by_role("dialog", name="Find")
        self.field = self.dialog.get_by_role("combobox")
        self.options = self.dialog.get_by_role("option")

    def open(self):
        self.page.keyboard.press("Control+k")
        expect(self.field).to_be_focused()
        return self

    def type(self, text):
        self.field.fill(text)
        return self

    @property
    def selected(self):
        return self.dialog.get_by_role("option", selected=True)

    def choose(self, name):
        """Chooses by keyboard. The option may appear only when the API has answered."""
        option = self.options.filter(has_text=name).first
        expect(option).to_be_visible()
        for _ in range(self.options.count()):
            if option.get_attribute("aria-selected") == "true":
                break
            self.page.keyboard.press("ArrowDown")
        expect(option).to_have_attribute("aria-selected", "true")
        self.page.keyboard.press("Enter")
