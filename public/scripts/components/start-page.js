import { showMasthead } from "./masthead.js";
import { words } from "../shared/api/problem.js";
import { openSession, rolesUpTo } from "../shared/api/session.js";
import { clone } from "../shared/page/template.js";

/** Starts a page of the signed-in dashboard: session, masthead, then what the page itself is about. */
export async function startPage(show) {
    try {
        const session = await openSession();
        if (!session) return;
        document.body.dataset.can = rolesUpTo(session.organization?.role).join(" ");
        showMasthead(session);
        if (!session.organization) return showStranger();
        await show(session);
    } catch (error) {
        showDeadEnd(deadEndTitle(error), words(error));
    }
}

function deadEndTitle(error) {
    return error.status === 404 ? "Nothing is here" : "This page could not be shown";
}

function showStranger() {
    showDeadEnd(
        "You do not belong to this organization",
        "Choose another one above, or ask its owner for a membership.",
    );
}

function showDeadEnd(title, detail) {
    const notice = clone("dead-end", { title, detail });
    notice.querySelector("button").addEventListener("click", () => location.reload());
    document.getElementById("main").replaceChildren(notice);
}
