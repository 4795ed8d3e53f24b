"""New edges take over from old ones, again and again, while versions go live. No edge answers with an older version."""

import http.client
import itertools
from contextlib import ExitStack

import httpx
import pytest

from consumers import Edge
from installation import eventually
from load import Load, Meanwhile
from publications import PATH, only_resets_of_takeovers
from roles import ending
from samples import draft


class KeptLoad(Load):
    """The same over one connection, as long as the server keeps it open."""

    _connection = None

    def _ask(self):
        try:
            return self._exchange()
        except ConnectionError:
            # Like every client: the server may have closed an idle connection at the same moment.
            return self._exchange()

    def _exchange(self):
        # A request that fails is not sent again.
        kept, self._connection = self._connection, None
        connection = kept or http.client.HTTPConnection(self._address.netloc, timeout=self._timeout)
        connection.request("GET", self._address.path, headers=self._headers)
        answer = connection.getresponse()
        body = answer.read()
        self._connection = connection
        return answer.status, body, {name.lower(): value for name, value in answer.getheaders()}


class Publisher(Meanwhile):
    """Publishes versions of a host, one after the other."""

    def __init__(self, waymark, host):
        super().__init__()
        self.waymark, self.host, self.last, self.failure = waymark, host, 1, None

    def _once(self):
        try:
            self.waymark.put_draft(self.host, draft(f"/{self.last + 1}"))
            self.last = self.waymark.publish(self.host)["version"]
        except BaseException as error:
            self.failure = error
            raise


def served_version(edge, host):
    answer = httpx.get(edge.url + PATH, headers={"Host": host})
    return answer.status_code == 200 and int(answer.headers["Waymark-Version"])


def stepped_back(answers):
    """Answers with an older version than an answer that had ended before their request, each with that newer
    version."""
    ends = sorted((seen.at + seen.seconds, int(seen.headers["waymark-version"])) for seen in answers)
    newest = list(itertools.accumulate((version for _, version in ends), max))
    found, ended = [], 0
    for seen in sorted(answers, key=lambda seen: seen.at):
        while ended < len(ends) and ends[ended][0] < seen.at:
            ended += 1
        if ended and int(seen.headers["waymark-version"]) < newest[ended - 1]:
            found.append((seen, newest[ended - 1]))
    return found


@pytest.mark.destructive
@pytest.mark.timeout(600)
def test_no_answer_is_older_than_an_earlier_one_while_edges_take_over(waymark, size, figure):
    takeovers = size(8, 50)
    host = waymark.new_domain(draft("/1"))
    waymark.publish(host)
    with ending([]) as processes:
        processes += [edge := Edge(waymark, "taking-over")]
        edge.wait_for(f"{edge.metrics_url}/readyz")
        new = [Load(edge.url + PATH, {"Host": host}) for _ in range(2)]
        # Slow enough that the old edge gets another request after the new edge has started.
        kept = [KeptLoad(edge.url + PATH, {"Host": host}, pause=0.1) for _ in range(8)]
        publisher = Publisher(waymark, host)
        eventually(lambda: served_version(edge, host) == 1, what="the first version")
        with ExitStack() as running:
            for one in [publisher, *new, *kept]:
                running.enter_context(one)
            for _ in range(takeovers):
                old = edge.process
                edge.start()
                try:
                    assert old.wait(60) == 0
                finally:
                    old.kill()
        eventually(lambda: served_version(edge, host) == publisher.last, what="the last version")
    answers = [seen for load in new + kept for seen in load.seen]
    resets = sum(len(load.failures) for load in new + kept)
    assert publisher.failure is None and {seen.status for seen in answers} == {200}
    assert stepped_back(answers) == []
    assert all(only_resets_of_takeovers(load, takeovers) for load in new + kept), [load.failures for load in new + kept]
    figure(
        f"{takeovers} takeovers of one edge from the other while {publisher.last} versions went live",
        f"{len(answers):,} answers, none older than an earlier one, {max(seen.seconds for seen in answers):.2f} s at"
        f" most; {resets} connections reset",
        "never goes back",
    )
