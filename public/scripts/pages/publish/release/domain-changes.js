import { at } from "../../../shared/api/api.js";
import { compareDraft, compareVersions, theLiveFile } from "../../../components/difference/comparing.js";

/** The size of the file of an empty draft, `{}`, in bytes. */
const emptySize = 2;

/**
 * What a release would change on a domain: `{ host, domain, changes, checks, problem, isEmpty }`. `changes` is null if
 * its draft is live already; `problem` is set if it cannot be loaded or published. `isEmpty` is true if nothing is live
 * and its draft is empty: it cannot be published yet.
 */
export async function draftChange(api, host) {
    try {
        const path = at`/domains/${host}`;
        const { body: domain } = await api.get(path);
        const live = domain.live?.version ?? null;
        if (live && domain.draft && !domain.draft.changed) return { host, changes: null };
        if (!live && domain.draft?.size === emptySize) return { host, changes: null, isEmpty: true };
        const [changes, checks] = await Promise.all([
            compareDraft({ api, host }, live),
            api.post(`${path}/publication-checks`, {}).catch(unchecked),
        ]);
        return { host, domain, changes: { ...changes, against: theLiveFile }, checks: checks.body ?? null };
    } catch (problem) {
        return { host, changes: null, problem };
    }
}

/** What going back to a version would change on a domain. */
export async function versionChange(api, host, version) {
    try {
        const { body: domain } = await api.get(at`/domains/${host}`);
        const live = domain.live?.version ?? null;
        if (live === version) return { host, changes: null };
        const changes = await compareVersions({ api, host }, live, version);
        return { host, changes: { ...changes, against: theLiveFile } };
    } catch (problem) {
        return { host, changes: null, problem };
    }
}

/**
 * Domains with equal changes, the most first: `[{ changes, hosts }]`. Changes are equal if the same rules change with
 * the same effects, also at other places of the file and on another number of URLs.
 */
export function equalChanges(loaded) {
    const groups = new Map();
    for (const { host, changes } of loaded.filter(({ changes }) => changes)) {
        const key = signature(changes);
        if (!groups.has(key)) groups.set(key, { changes, hosts: [] });
        groups.get(key).hosts.push(host);
    }
    return [...groups.values()].toSorted((one, other) => other.hosts.length - one.hosts.length);
}

function signature({ before, after, difference }) {
    if (!difference) return JSON.stringify([before, after]);
    const { bytes, urls, outcomes, rules, ...rest } = difference;
    const effects = outcomes.map(({ url, given, ...effect }) => JSON.stringify(effect, withoutPlaces));
    const moves = rules.filter(({ change }) => change === "moved");
    return JSON.stringify([[...new Set(effects)].sort(), moves]) + JSON.stringify([rules, rest], withoutPlaces);
}

function withoutPlaces(name, value) {
    return ["decidedBy", "from", "to"].includes(name) ? undefined : value;
}

/** The domain is refused later; a failure to check is no reason to hide its changes. */
function unchecked(problem) {
    if (problem.status === 409) throw problem;
    return { body: null };
}
