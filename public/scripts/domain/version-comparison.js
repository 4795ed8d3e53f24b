import { at } from "../api.js";
import { openDialog } from "../dialogs.js";
import { showDifference } from "./file-difference.js";
import { showMeaning } from "./rule-difference.js";

/** What a version would change if it took the place of the live one: `{ before, after, difference }`. */
export async function compareWithLive({ api, host }, { version }) {
    const { body: domain } = await api.get(at`/domains/${host}`);
    const live = domain.live?.version ?? null;
    const file = async (number) => (await api.get(at`/domains/${host}/versions/${number}/file`)).body;
    const [before, after, difference] = await Promise.all([
        live && file(live),
        file(version),
        live && readDifference(api, at`/domains/${host}/versions/${version}/diff`, { from: live }),
    ]);
    return { live, before, after, difference };
}

/** The comparison by meaning, or null where there is none: the comparison by lines is there in any case. */
export async function readDifference(api, path, query = {}) {
    try {
        return (await api.get(path, { query })).body;
    } catch {
        return null;
    }
}

/** Shows it, and changes nothing. */
export async function openComparison(page, version) {
    const { live, before, after, difference } = await compareWithLive(page, version);
    const against = live ? `version ${live}, which is live` : "what is live";
    const { part } = openDialog("comparison", { title: `Version ${version.version} against ${against}` });
    showMeaning(part("review"), difference, page.apps);
    showDifference(part("review"), before, after);
}
