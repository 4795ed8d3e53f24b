"""A person who uses the pages by what they see, and the seconds that this takes.

The seconds follow the keystroke-level model: S. K. Card, T. P. Moran and A. Newell, "The Keystroke-Level Model for User
Performance Time with Interactive Systems", Communications of the ACM 23 (7), July 1980. The model is for people who
know what to do, so a newcomer also reads: M. Brysbaert, "How many words do we read per minute?", Journal of Memory and
Language 109, 2019: 238 words a minute. The time that the service takes is left out, so a slow machine changes nothing.
"""

from playwright.sync_api import expect

KEY = 0.28  # one key: an average typist who is not a secretary
POINT = 1.10  # move the pointer to a target
CLICK = 0.20  # press and release the button of the mouse
HOME = 0.40  # move the hand between the mouse and the keyboard
DECIDE = 1.35  # prepare mentally for the next action
WORD = 60 / 238  # read a word

PATIENCE = 120  # more presses of Tab than any page needs


class Person:
    """`way` is how the person uses the machine: "mouse", "touch" or "keyboard"."""

    def __init__(self, page, way):
        self.page = page
        self.way = way
        self.steps = {}
        self.hand = "mouse"

    def begins(self, step):
        self.step = step
        self.steps[step] = 0

    def spends(self, seconds):
        self.steps[self.step] += seconds

    @property
    def seconds(self):
        return sum(self.steps.values())

    def report(self):
        lines = [f"{seconds:6.1f} s  {step}" for step, seconds in self.steps.items()]
        return "\n".join([f"by {self.way}:", *lines, f"{self.seconds:6.1f} s  together"])

    # Actions

    def reads(self, target, words):
        """Waits for words, and reads them."""
        expect(target).to_contain_text(words)
        self.spends(len(words.split()) * WORD)

    def presses(self, role, name, within=None):
        """Presses a button or a link, or chooses an option. A name is exact, or a pattern."""
        self.spends(DECIDE)
        target = self.named(role, name, within)
        if self.way == "keyboard":
            self.goes_to(target)
            self.keys("Space" if role in ("checkbox", "radio") else "Enter")
        else:
            self.points_at(target)

    def types(self, name, text, within=None, role="textbox"):
        """Replaces the text of a field."""
        self.spends(DECIDE)
        field = self.named(role, name, within)
        if self.way == "keyboard":
            self.goes_to(field)
        else:
            expect(field).to_be_visible()
            if not field.evaluate("field => field === document.activeElement"):
                self.points_at(field)
        if field.input_value():
            self.keys("Control+a")
        self.writes(text)

    def writes(self, text):
        self.takes("keyboard")
        self.page.keyboard.type(text)
        self.spends(KEY * len(text))

    def pastes(self, text):
        """Pastes what another program has copied: Ctrl-V."""
        self.takes("keyboard")
        self.page.keyboard.insert_text(text)
        self.spends(DECIDE + 2 * KEY)

    def keys(self, *combinations):
        self.takes("keyboard")
        for combination in combinations:
            self.page.keyboard.press(combination)
            self.spends(KEY * len(combination.split("+")))

    # How they are done

    def named(self, role, name, within=None):
        return (within or self.page).get_by_role(role, name=name, exact=True)

    def takes(self, device):
        """Moves the hand, which a phone does not require."""
        if self.way != "touch" and self.hand != device:
            self.spends(HOME)
            self.hand = device

    def points_at(self, target):
        self.takes("mouse")
        self.spends(POINT + CLICK)
        target.tap() if self.way == "touch" else target.click()

    def goes_to(self, target):
        """Presses Tab until a control has the focus."""
        expect(target).to_be_visible()
        for _ in range(PATIENCE):
            if target.evaluate("target => target === document.activeElement"):
                return
            self.keys("Tab")
        raise AssertionError(f"Tab does not reach {target}")
