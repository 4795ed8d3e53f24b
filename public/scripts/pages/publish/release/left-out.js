import { publishAddress } from "../../../shared/page/addresses.js";
import { count, list, number } from "../../../shared/words/numbers.js";
import { clone, part } from "../../../shared/page/template.js";
import { failing } from "./release-checks.js";

/** The most hosts listed; more are counted. */
const maximumHosts = 20;

/**
 * Lists the domains of a release that cannot be published, each with a link to fix it, and offers to leave them out.
 * That changes the choice of domains, and can be undone while the choice stays as it is.
 */
export function offerToLeaveOut(page, choice, changes) {
    const { main } = page;
    const notice = part(main, "left-out");
    const bypasses = () => part(main, "form").elements.bypassApproval.checked;
    const show = () => showFailing(page, changes, bypasses());
    let former = null;
    changes.addEventListener("change", show);
    part(main, "form").elements.bypassApproval.addEventListener("input", show);
    part(main, "leave-out").addEventListener("click", () => {
        const failed = failing(changes.loaded, bypasses()).map(({ host }) => host);
        const others = changes.hosts.filter((host) => !failed.includes(host));
        former = choice.chosen;
        choice.choose({ hosts: others });
        part(notice, "left-out-words").textContent = `${count(failed.length, "domain")} left out:`;
        part(notice, "left-out-hosts").textContent = listed(failed);
        notice.hidden = false;
        part(notice, "put-back").focus();
    });
    part(notice, "put-back").addEventListener("click", () => {
        choice.choose(former);
        part(main, "title").focus();
    });
    // Another choice has nothing to put back into.
    part(main, "choice").addEventListener("input", () => (notice.hidden = true));
}

function showFailing({ main, session }, changes, bypasses) {
    const failed = failing(changes.loaded, bypasses);
    const slug = session.organization.slug;
    part(main, "failing").hidden = failed.length === 0;
    const items = failed.slice(0, maximumHosts).map(({ host, reason }) => {
        const item = clone("failing-domain", { host, reason });
        part(item, "host").href = publishAddress(slug, { host });
        return item;
    });
    const more = failed.length - maximumHosts;
    if (more > 0) items.push(clone("failing-domain", { host: null, reason: `And ${number(more)} more.` }));
    part(main, "failing").replaceChildren(...items);
    part(main, "leave-out-line").hidden = failed.length === 0 || failed.length === changes.total;
    part(main, "leave-out").textContent = `Leave out the failing domains (${number(failed.length)})`;
}

function listed(hosts) {
    const more = hosts.length - maximumHosts;
    return `${list(more > 0 ? [...hosts.slice(0, maximumHosts), count(more, "other")] : hosts)}.`;
}
