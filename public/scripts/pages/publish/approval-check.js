import { at } from "../../shared/api/api.js";
import { approvalAddress } from "../../shared/page/addresses.js";
import { announce } from "../../components/announce.js";
import { openDialog } from "../../components/dialogs.js";
import { onSubmit } from "../../shared/forms/form.js";
import { fill, part } from "../../shared/page/template.js";
import { showAgo } from "../../shared/times/moments.js";
import { authorWords } from "../../shared/words/author-words.js";
import { count, number } from "../../shared/words/numbers.js";
import { mayBypass, offerBypass } from "./approval-bypass.js";

/** The most pending requests of a domain that are searched for the reviewed file. */
const maximumSearched = 20;

/** What the check of the approvals means for a user who cannot publish. `check` is missing if no policy applies. */
export function approvalNote(check) {
    if (!check) return "No approval is required for this domain.";
    return check.outcome === "passed" ? "The file has the required approvals." : null;
}

/**
 * Shows the pending request for the file in the line of the failed check, or lets the user make one. Those who may
 * bypass the approvals can choose that.
 */
export async function showApproval(item, page) {
    const { api, host, main, session } = page;
    offerRequest(item, page);
    const { current, isOutdated } = await pendingRequest(page);
    if (current) showRequest(item, current, page);
    else part(item, "fix-button").hidden = !session.can("requestApproval");
    if (isOutdated) showWords(item, "The last request is for an earlier draft. Approvals of that file do not count for this one.");
    const { body: domain } = await api.get(at`/domains/${host}`);
    offerBypass(part(main, "form"), await mayBypass(page, [domain]));
}

function offerRequest(item, page) {
    const { api, host, version } = page;
    const button = part(item, "fix-button");
    button.textContent = "Request approval…";
    button.addEventListener("click", () => {
        const { dialog, part: each } = openDialog("approval-request");
        onSubmit(each("form"), async ({ message }) => {
            const body = { hosts: [host], message: message ?? "", ...(version && { version }) };
            showRequest(item, (await api.post("/approval-requests", body)).body, page);
            dialog.close();
            announce("Approval requested.");
            part(item, "fix-link").focus();
        });
    });
}

/**
 * The newest pending request for the reviewed file, as `current`, or null. `isOutdated` says whether there is only one for
 * an earlier draft.
 */
async function pendingRequest({ api, host, version }) {
    const query = { state: "pending", host, limit: maximumSearched };
    const { items } = (await api.get("/approval-requests", { query })).body;
    let isOutdated = false;
    for (const { id } of items) {
        const { body: request } = await api.get(at`/approval-requests/${id}`);
        if (fileOf(request, host, version)) return { current: request, isOutdated: false };
        isOutdated ||= !version && request.files.some((file) => file.host === host && file.outdated);
    }
    return { current: null, isOutdated };
}

/** The file of a request that is the reviewed one: an edit of the draft makes it another file. */
function fileOf({ files }, host, version) {
    return files.find((file) => file.host === host && !file.outdated && (file.version ?? null) === (version ?? null));
}

/** The gate's own words advise to request approval, which is done. */
function showRequest(item, request, { host, version, session }) {
    const { required, given } = fileOf(request, host, version);
    fill(item, {
        outcome: "Waiting",
        check: "Approval is requested",
        detail: `${number(given)} of ${count(required, "required approval")} given.`,
    });
    item.dataset.outcome = "waiting";
    showWords(item, `Requested by ${authorWords(request.requestedBy)}`);
    showAgo(part(item, "fix-time"), request.createdAt);
    part(item, "fix-button").hidden = true;
    const link = part(item, "fix-link");
    link.hidden = false;
    Object.assign(link, { textContent: "Show the request", href: approvalAddress(session.organization.slug, request.id) });
}

function showWords(item, text) {
    fill(item, { "fix-words": text });
}
