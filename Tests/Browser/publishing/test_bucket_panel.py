"""Buckets on the pages of a domain and a release: which hold the live file, and why others do not."""

import pytest
from playwright.sync_api import expect

from dashboard import HELP, SHOP, Dashboard, draft, rule
from installation import eventually, installed_on_cluster
from object_store import configure, object_store, state


@pytest.mark.destructive
def test_each_bucket_shows_its_version_and_its_error(new_context):
    with object_store() as store, installed_on_cluster() as (waymark, cluster):
        store.new_bucket("links")
        waymark.environment |= configure(
            waymark,
            ("main", store.url, "links", store.key, store.secret),
            ("wrong-key", store.url, "links", store.key, "x" * 40),
        )
        waymark.restart()
        host = waymark.new_domain(draft(([SHOP, HELP], [rule("/*")])))
        waymark.cli("domain", "verify", "--organization", "acme", host)
        waymark.publish(host)
        eventually(lambda: (state(waymark, host, "wrong-key") or {}).get("state") == "failing", what="a failing bucket")
        context = new_context(width=360)
        cookies = waymark.sign_in().items()
        context.add_cookies([{"name": name, "value": value, "url": waymark.url} for name, value in cookies])
        dashboard = Dashboard(context.new_page(), waymark.url, "acme")
        dashboard.open_domain(host, "serving")
        buckets = dashboard.page.get_by_role("list", name="Edges, directories and buckets").get_by_role("listitem")
        expect(buckets.filter(has_text="main")).to_contain_text("Holds version 1")
        eventually(lambda: state(waymark, host)["comparedAt"], what="a comparison")
        # The new token makes a comparison that has begun fail, or it would delete the cause.
        cluster.sql(
            "update sinks set cause = 'there is no such bucket', listing_due_at = now() + interval '1 hour',"
            " listing_token = listing_token + 1 where name = 'main'"
        )
        dashboard.page.reload()
        expect(buckets.filter(has_text="main")).to_contain_text("Cannot list the bucket: there is no such bucket")
        serving = dashboard.page.get_by_role("region", name="Serving")
        expect(serving).to_contain_text("Version 1 has reached 2 of 3 edges and buckets.")
        failing = buckets.filter(has_text="wrong-key")
        expect(failing).to_contain_text("Failing for")
        expect(failing).to_contain_text("403 SignatureDoesNotMatch: the secret access key is not the one")
        assert dashboard.page.evaluate("document.documentElement.scrollWidth") <= 360
        waymark.put_draft(host, draft(([SHOP, HELP], [rule("/new/*")])))
        released = waymark.release({"hosts": [host]})
        dashboard.open("/releases", release=released["id"])
        for bucket, held in (("main", "1 of 1 domain"), ("wrong-key", "0 of 1 domain")):
            bar = dashboard.page.get_by_role("progressbar", name=f"{bucket}, bucket")
            expect(bar).to_have_attribute("aria-valuetext", held)
        expect(dashboard.page.get_by_text("Reached 2 of 3 edges and buckets.")).to_be_visible()
        assert dashboard.complaints == []
