"""A real mail server (aiosmtpd) that keeps what it accepts."""

import email
import email.policy
import re
import ssl
import time
from contextlib import contextmanager

import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult

from installation import Installation, eventually, free_port, installed_on_cluster

USER, PASSWORD = "waymark", "a secret: with spaces"


class WithoutStartTLS(SMTP):
    """A server between Waymark and the real one that removes the offer of STARTTLS."""

    async def smtp_EHLO(self, hostname):
        self.tls_context, kept = None, self.tls_context
        try:
            return await super().smtp_EHLO(hostname)
        finally:
            self.tls_context = kept

    async def smtp_STARTTLS(self, arg):
        await self.push("502 Command not implemented")


class MailServer:
    """Accepts mails with STARTTLS and an account. `name` is the name in its certificate."""

    def __init__(self, kind=SMTP, name="localhost", tls="starttls", account=True):
        self.mails, self.replies, self.recipients = [], {}, []
        authority = trustme.CA()
        self.authority = authority.cert_pem.bytes()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert(name).configure_cert(context)
        self.port = free_port()
        self.scheme = "smtps" if tls == "tls" else "smtp"
        options = {"require_starttls": tls == "starttls", "tls_context": context} if tls == "starttls" else {}
        if account:
            options |= {"authenticator": self._authenticate, "auth_required": True}
            options |= {"auth_require_tls": tls == "starttls"}
        server = self

        class Server(Controller):
            def factory(self):
                return kind(self.handler, enable_SMTPUTF8=False, **options)

        self._controller = Server(
            server, hostname="127.0.0.1", port=self.port, ssl_context=context if tls == "tls" else None,
            server_hostname=name)
        self._controller.start()

    def _authenticate(self, _server, _session, _envelope, _mechanism, data):
        is_right = (data.login, data.password) == (USER.encode(), PASSWORD.encode())
        return AuthResult(success=is_right, handled=False, auth_data=data.login)

    async def handle_RCPT(self, _server, _session, envelope, address, _options):
        self.recipients.append((time.monotonic(), address))
        reply = self.replies.get(address, "250 OK")
        if isinstance(reply, list):
            reply = reply.pop(0) if reply else "250 OK"
        if reply.startswith("250"):
            envelope.rcpt_tos.append(address)
        return reply

    async def handle_DATA(self, _server, _session, envelope):
        mail = email.message_from_bytes(envelope.content, policy=email.policy.SMTP)
        mail.envelope = (envelope.mail_from, envelope.rcpt_tos)
        mail.raw = envelope.content
        self.mails.append(mail)
        return "250 OK"

    def settings(self, folder, **more):
        """The environment for Waymark. Writes the password and the authority's certificate to a folder."""
        (folder / "mail-password").write_text(PASSWORD + "\n")
        (folder / "mail-authority.pem").write_bytes(self.authority)
        return {
            "WAYMARK_MAIL_SERVER": f"{self.scheme}://localhost:{self.port}",
            "WAYMARK_MAIL_FROM": "waymark@acme.example",
            "WAYMARK_MAIL_USER": USER,
            "WAYMARK_MAIL_PASSWORD_FILE": str(folder / "mail-password"),
            "WAYMARK_MAIL_CA_FILE": str(folder / "mail-authority.pem"),
        } | more

    def to(self, address):
        return [mail for mail in self.mails if mail.envelope[1] == [address]]

    def next_to(self, address, count=1, seconds=30):
        """The mail number `count` to an address, once it has arrived."""
        return eventually(
            lambda: (self.to(address) + [None] * count)[count - 1], seconds, what=f"mail {count} to {address}")

    def about(self, address, words):
        """The first mail to an address that contains these words, once it has arrived."""
        return eventually(
            lambda: next((mail for mail in self.to(address) if words in text(mail)), None), 30, what=f"a mail: {words}")

    def stop(self):
        if not self._controller.loop.is_closed():
            self._controller.stop()


def text(mail):
    return mail.get_content().replace("\r\n", "\n")


def code(mail):
    """The code of the link in a mail."""
    return re.search(r"https?://\S+#(\S+)", text(mail)).group(1)


@contextmanager
def installed_with_mail():
    """A Waymark that sends mails, with its database (`cluster`) and its mail server (`server`)."""
    server = MailServer()
    with installed_on_cluster() as (waymark, cluster):
        waymark.environment |= server.settings(waymark.directory, WAYMARK_PUBLIC_URL=waymark.url)
        waymark.restart()
        waymark.server, waymark.cluster = server, cluster
        yield waymark
    server.stop()


@contextmanager
def mailing(**settings):
    """A Waymark on its own embedded database, with its mail server (`server`). `settings` are environment variables."""
    server, waymark = MailServer(), Installation()
    try:
        waymark.environment |= server.settings(waymark.directory, WAYMARK_PUBLIC_URL=waymark.url) | settings
        waymark.start()
        waymark.create_organization(waymark.organization)
        waymark.server = server
        yield waymark
    finally:
        waymark.remove()
        server.stop()
