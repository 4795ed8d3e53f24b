"""An organization whose members sign in with an OpenID Connect provider."""

import itertools

from people import client

numbers = itertools.count()


class Company:
    """An organization with a provider."""

    def __init__(self, waymark, provider, **settings):
        self.waymark, self.provider = waymark, provider
        self.slug = waymark.create_organization()
        self.owner = waymark.session(organization=self.slug)
        self.set(**settings)

    def set(self, status=200, **settings):
        usual = {"domains": ["company.example"], "role": "editor"}
        body = self.provider.settings(**usual | settings)
        answer = self.waymark.api("PUT", "/v1/sign-in-provider", body, self.owner, token=False)
        assert answer.status_code == status, answer.text
        return answer.json()

    def invite(self, email, **more):
        """The code of an invitation to hand over."""
        body = {"email": email, "role": "viewer", "delivery": "link", **more}
        made = self.waymark.api("POST", "/v1/invitations", body, self.owner, token=False)
        return made.json()["link"].partition("#")[2]

    def begin(self, browser, **more):
        answer = browser.post("/v1/provider-sign-ins", json={"organization": self.slug, **more})
        assert answer.status_code == 201, answer.text
        return answer.json()["location"]

    def sign_in(self, subject, browser=None, change=None, begin=None, **claims):
        """Signs a person in. `change` changes the provider's answer."""
        browser = browser or client(self.waymark)
        answer = self.provider.grant(self.begin(browser, **begin or {}), subject, **claims)
        answer |= change or {}
        sent = {name: value for name, value in answer.items() if value is not None}
        return browser, browser.post("/v1/provider-sign-ins/completions", json=sent)

    def joined(self, **claims):
        """A person who joined by the domain of the address."""
        email = f"person{next(numbers)}@company.example"
        claims = {"email": email, "email_verified": True, "name": "Ada", **claims}
        browser, answer = self.sign_in(f"sub of {email}", **claims)
        assert answer.status_code == 200, answer.text
        browser.email, browser.subject = email, f"sub of {email}"
        return browser
