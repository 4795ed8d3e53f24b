import { later, soon } from "./later.js";
import { showMasthead } from "./masthead/masthead.js";
import { Api } from "../shared/api/api.js";
import { words } from "../shared/api/problem.js";
import { openSession, rolesUpTo } from "../shared/api/session.js";
import { clone } from "../shared/page/template.js";
import { UsedDomains } from "../shared/page/used-domains.js";

/**
 * Starts a page of the dashboard: the session (see `openSession`), the masthead, then the page itself by `show`. A page
 * `forEveryone` also shows for a user without an organization.
 */
export async function startPage(show, { forEveryone = false, ...options } = {}) {
    Api.confirmsBy(async () => {
        const { confirmSession } = await later(() => import("./confirmation/confirmation.js"), "confirmation");
        return confirmSession();
    });
    try {
        const session = await openSession(options);
        if (!session) return;
        const { organization } = session;
        document.body.dataset.can = rolesUpTo(organization?.role).join(" ");
        showMasthead(session);
        if (!organization && !forEveryone) {
            const { strangerWords } = await import("./masthead/stranger.js");
            return showDeadEnd(...strangerWords(session.me));
        }
        if (organization?.requiresSecondFactor && !session.me.user.hasSecondFactor && !forEveryone)
            return location.replace("/account#second-factor");
        rememberDomain(session);
        if (organization?.deletionDueAt) soon(() => import("./masthead/deletion-notice.js").then(({ show }) => show(session)));
        await show(session);
    } catch (error) {
        showDeadEnd(deadEndTitle(error), words(error));
    }
}

/** The start page lists recently used domains first. */
function rememberDomain(session) {
    const host = new URLSearchParams(location.search).get("host");
    if (host && /^\/domain(\/|$)/.test(location.pathname)) new UsedDomains(session).opened(host);
}

function deadEndTitle(error) {
    return error.status === 404 ? "Not found" : "This page could not be shown";
}

function showDeadEnd(title, detail) {
    const notice = clone("dead-end", { title, detail });
    notice.querySelector("button").addEventListener("click", () => location.reload());
    document.getElementById("main").replaceChildren(notice);
}
