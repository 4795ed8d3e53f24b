import { all } from "../../shared/api/api.js";
import { approvalAddress } from "../../shared/page/addresses.js";
import { clone, part } from "../../shared/page/template.js";
import { showAgo } from "../../shared/times/moments.js";
import { authorWords } from "../../shared/words/author-words.js";
import { count } from "../../shared/words/numbers.js";
import { showState } from "../../shared/words/states.js";
import { approvalStates } from "./approval-states.js";

/** The most ended requests to show. */
const maximumEnded = 50;

/** Lists the requests: the pending ones, and folded the ended ones. */
export async function showRequests(root, { api, organization }) {
    const [pending, { body: ended }] = await Promise.all([
        all(api, "/approval-requests", { query: { state: "pending" } }),
        api.get("/approval-requests", { query: { state: "ended", limit: maximumEnded } }),
    ]);
    const rows = (requests) => requests.map((request) => row(request, organization.slug));
    part(root, "list").replaceChildren(...rows(pending));
    part(root, "empty").hidden = pending.length > 0;
    part(root, "ended-list").replaceChildren(...rows(ended.items));
    part(root, "ended").hidden = ended.items.length === 0;
}

function row({ id, message, hosts, requestedBy, createdAt, state }, slug) {
    const [first, ...others] = hosts;
    const made = clone("request", {
        message,
        hosts: others.length ? `${first} and ${count(others.length, "other domain")}` : first,
        requester: authorWords(requestedBy),
    });
    part(made, "message").href = approvalAddress(slug, id);
    showAgo(part(made, "time"), createdAt);
    showState(part(made, "state"), approvalStates[state]);
    return made;
}
