import { at } from "../../../shared/api/api.js";
import { openDialog } from "../../../components/dialogs.js";
import { words } from "../../../shared/api/problem.js";
import { fill } from "../../../shared/page/template.js";
import { showChanges } from "../file/changes.js";

/** What is live, in words, where something is compared with it. */
export const whatIsLive = "what is live";

/** What a version would change if it took the place of the live one, as `showChanges` takes it. */
export async function compareWithLive({ api, host }, { version }) {
    const { body: domain } = await api.get(at`/domains/${host}`);
    return { ...(await compare({ api, host }, domain.live?.version ?? null, version)), against: whatIsLive };
}

/** What a version would change if it took the place of another; of none, with null. */
async function compare({ api, host }, from, version) {
    const file = async (number) => (await api.get(at`/domains/${host}/versions/${number}/file`)).body;
    const [before, after, difference] = await Promise.all([
        from && file(from),
        file(version),
        from && readDifference(api, at`/domains/${host}/versions/${version}/diff`, { from }),
    ]);
    return { against: `version ${from}`, before, after, difference };
}

/** The comparison by meaning, or null where there is none: the comparison by lines is there in any case. */
export async function readDifference(api, path, query = {}) {
    try {
        return (await api.get(path, { query })).body;
    } catch {
        return null;
    }
}

/**
 * Shows what a version changes against another, and changes nothing: against the live one, or of that the one before
 * it, until somebody chooses. Versions are numbered without a gap, so the newest tells all that there are.
 */
export async function openComparison(page, { version }) {
    const [{ body: domain }, { body: versions }] = await Promise.all([
        page.api.get(at`/domains/${page.host}`),
        page.api.get(at`/domains/${page.host}/versions`, { query: { limit: 1 } }),
    ]);
    const live = domain.live?.version ?? null;
    const numbers = Array.from({ length: versions.items[0].version }, (_, index) => index + 1);
    const others = numbers.filter((number) => number !== version);
    const first = live && live !== version ? live : (others.findLast((number) => number < version) ?? others[0]);
    const changes = await compare(page, first, version);

    const { part } = openDialog("comparison", { title: `What version ${version} changes` });
    const choice = part("other");
    choice.append(...others.toReversed().map((number) => option(number, live)));
    choice.value = first;
    showChanges(part("changes"), changes, page.apps);
    choice.addEventListener("change", () => choose(page, version, part));
}

/** The newest choice counts, however late the answer to an earlier one comes. */
async function choose(page, version, part) {
    const other = Number(part("other").value);
    try {
        const changes = await compare(page, other, version);
        if (Number(part("other").value) === other) showChanges(part("changes"), changes, page.apps);
        part("problem").hidden = true;
    } catch (error) {
        fill(part("problem"), { problem: words(error) });
    }
}

function option(number, live) {
    return new Option(number === live ? `Version ${number}, which is live` : `Version ${number}`, number);
}
