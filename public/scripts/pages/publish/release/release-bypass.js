import { words } from "../../../shared/api/problem.js";
import { Newest } from "../../../shared/following/newest.js";
import { announce } from "../../../components/announce.js";
import { part } from "../../../shared/page/template.js";
import { mayBypass, offerBypass } from "../approval-bypass.js";
import { lackingApproval } from "./release-checks.js";

/** Offers to publish a release without the approvals, to those who may do it on all of its domains that lack them. */
export function offerReleaseBypass(page, changes) {
    const form = part(page.main, "form");
    const newest = new Newest();
    changes.addEventListener("change", () => {
        newest.stop();
        // While the domains are being compared, nothing is known.
        if (changes.total && !changes.loaded.length) return;
        const domains = lackingApproval(changes.loaded).map(({ domain }) => domain);
        if (!domains.length) return offerBypass(form, false);
        newest.ask(() => mayBypass(page, domains), {
            answered: (isAllowed) => offerBypass(form, isAllowed),
            failed: (problem) => announce(words(problem)),
        });
    });
}
