import { labelsOf } from "../../shared/api/domain-labels.js";
import { list } from "../../shared/words/numbers.js";

/**
 * What a user can do with a pending request: `{ canApprove, canDecide, why }`. `why` is a sentence about what they cannot
 * do, or null.
 */
export async function deciding(session, { files }) {
    const { api, me, organization } = session;
    if (!session.can("giveApproval")) return refused(`Publishers approve and reject. Your role is ${organization.role}.`);
    const limit = organization.labels ?? [];
    const beyond = limit.length ? await hostsBeyond(api, files, limit) : [];
    if (beyond.length) {
        const counts = `Your role counts only for domains with the label ${limit.join(" or ")}`;
        return refused(`You cannot approve or reject. ${counts}, and not for ${named(beyond)}.`);
    }
    const own = files.filter(({ editors }) => editors.some(isPerson(me.user.email)));
    const left = files.filter((file) => !file.outdated && !own.includes(file));
    const decides = { canDecide: true, canApprove: left.length > 0 };
    if (left.length === files.length) return { ...decides, why: null };
    if (left.length) return { ...decides, why: `You can approve only ${named(left.map(({ host }) => host))}.${reasons(files, own)}` };
    return { ...decides, why: `You cannot approve.${reasons(files, own)}` };
}

export function isPerson(email) {
    return ({ kind, name }) => kind === "user" && name === email;
}

function refused(why) {
    return { canApprove: false, canDecide: false, why };
}

async function hostsBeyond(api, files, limit) {
    const hosts = files.map(({ host }) => host);
    const labels = await labelsOf(api, hosts);
    return hosts.filter((host) => !labels.get(host)?.some((label) => limit.includes(label)));
}

function reasons(files, own) {
    const isForAll = own.length === files.length;
    const edited = own.length && ` You edited ${isForAll ? theFile(files) : named(own.map(({ host }) => host))}, so other people must approve.`;
    const changed = files.filter((file) => file.outdated && !own.includes(file));
    const isChanged = changed.length && ` The draft has changed since the request${changed.length === files.length ? "" : ` on ${named(changed.map(({ host }) => host))}`}. Request approval of the new file.`;
    return [edited, isChanged].filter(Boolean).join("");
}

function theFile(files) {
    return files.length === 1 ? "this file" : "these files";
}

function named(hosts) {
    return hosts.length > 3 ? `${hosts.slice(0, 3).join(", ")} and ${hosts.length - 3} more` : list(hosts);
}
