"""People who sign in with a password."""

import itertools

import httpx

GOOD = "correct pony staple wagon"
names = itertools.count()


def client(waymark, agent="Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"):
    headers = {"Sec-Fetch-Site": "same-origin", "User-Agent": agent}
    return httpx.Client(base_url=waymark.url, headers=headers, timeout=60)


def problem(answer):
    return answer.status_code, answer.json()["code"]


class Person:
    """A member who signed in with the operator's link."""

    def __init__(self, waymark, role="admin"):
        self.waymark = waymark
        self.email = f"person{next(names)}@acme.example"
        self.link = waymark.cli("user", "add", self.email, "--organization", "acme", "--role", role).stdout.strip()
        self.browser = client(waymark)
        assert self.browser.post("/v1/session", json={"code": self.code(self.link)}).status_code == 200

    @staticmethod
    def code(link):
        return link.strip().rpartition("#")[2]

    def new_code(self):
        return self.code(self.waymark.cli("user", "sign-in-link", self.email).stdout)

    def set_password(self, password=GOOD):
        answer = self.browser.put("/v1/me/password", json={"password": password})
        assert answer.status_code == 204, answer.text
        return self

    def sign_in(self, password=GOOD, email=None, browser=None):
        browser = browser or client(self.waymark, "curl/8.1")
        answer = browser.post("/v1/session", json={"email": email or self.email, "password": password})
        return browser, answer
