"""Creates hosts and takes them out of service."""

from contextlib import contextmanager

from installation import eventually, installed_on_cluster
from samples import draft

REASON = {"reason": "the campaign is over"}


class Hosts:
    """The hosts of an installation with its own PostgreSQL cluster. Tests use SQL to make withdrawals due."""

    def __init__(self, waymark, cluster):
        self.waymark = waymark
        self.cluster = cluster

    def new(self, path=None, **fields):
        host = self.waymark.new_domain(draft(path) if path else None, **fields)
        self.verify(host)
        if path:
            self.waymark.publish(host)
            self.until(host, 200)
        return host

    def verify(self, host):
        self.waymark.cli("domain", "verify", "--organization", "acme", host)

    def domain(self, host):
        return self.waymark.api("GET", f"/v1/domains/{host}").json()

    def withdraw(self, host, **fields):
        answer = self.waymark.api("POST", f"/v1/domains/{host}/withdrawals", REASON | fields)
        assert answer.status_code == 202, answer.text
        assert self.waymark.api("GET", answer.headers["Location"]).json() == answer.json()
        return answer.json()

    def end_grace(self, withdrawal):
        """Makes the withdrawal's job due now, if the job still exists."""
        self.cluster.sql(f"update jobs set due_at = now() where key = '{withdrawal['id']}'")

    def ended(self, withdrawal, seconds=60):
        """Waits until the withdrawal has ended, and returns it."""
        path = f"/v1/domains/{withdrawal['host']}/withdrawals/{withdrawal['id']}"

        def look():
            found = self.waymark.api("GET", path).json()
            return found if found["state"] != "pending" else None

        return eventually(look, seconds, what=f"the end of the withdrawal of {withdrawal['host']}")

    def take_down(self, host):
        withdrawal = self.withdraw(host)
        self.end_grace(withdrawal)
        return self.ended(withdrawal)

    def until(self, host, status, edge=None):
        edge = edge or self.waymark.edge
        return eventually(
            lambda: (got := edge(host)).status_code == status and got, what=f"{status} on the edge for {host}"
        )


@contextmanager
def served():
    with installed_on_cluster() as (waymark, cluster):
        yield Hosts(waymark, cluster)
