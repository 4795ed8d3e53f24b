"""The public page as a visitor without an account sees it."""

import json
import re
from pathlib import Path

from playwright.sync_api import expect

from checks import low_contrast
from dashboard import Dashboard

APP = "T7R4L9S2QX.app.walks.main"
NEVER_REACHED = (Path(__file__).parents[3] / "docs/tour/never-reached.json").read_text()


class Validator(Dashboard):
    """One tab of a visitor on `/validate`."""

    def open(self, fragment="", path="/validate"):
        self.page.goto(f"{self.url}{path}{fragment}")
        return self

    def choose_file(self, file):
        """Waits for the panel, then chooses a file."""
        expect(self.file).to_be_visible()
        self.page.get_by_label("Choose a file").set_input_files(file)

    @property
    def file(self):
        return self.page.get_by_role("textbox", name="The file’s text")

    @property
    def urls(self):
        return self.page.get_by_role("textbox", name="URLs, one per line")

    @property
    def findings(self):
        return self.page.get_by_role("list", name="Findings").get_by_role("listitem")

    @property
    def verdicts(self):
        return self.page.get_by_role("list", name="Results").locator(".evaluation")

    @property
    def file_panel(self):
        return self.page.get_by_role("region", name="The file", exact=True)

    def expect_verdicts(self, *texts):
        expect(self.verdicts.locator(".evaluation-headline")).to_have_text(list(texts))

    def selected(self):
        return self.file.evaluate("area => area.value.slice(area.selectionStart, area.selectionEnd)")

    def faint_texts(self):
        """Texts with too little contrast. The text that draws underlines is left out, because it is transparent by
        design."""
        self.page.evaluate("document.querySelector('.editor-marks').hidden = true")
        return low_contrast(self.page)

    def number(self, line):
        """A line's number beside the text, with its mark."""
        return self.page.locator(".editor-number").filter(has_text=re.compile(rf"^\D*{line}$"))


def file_of(*components):
    return json.dumps(
        {"applinks": {"details": [{"appIDs": [APP], "components": list(components)}]}}, indent=1, ensure_ascii=False
    )


def chosen(content):
    """A file to choose, with these bytes."""
    return {"name": "apple-app-site-association", "mimeType": "application/json", "buffer": content}
