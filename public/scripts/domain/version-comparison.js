import { at } from "../api.js";
import { openDialog } from "../dialogs.js";
import { showChanges } from "./changes.js";

/** What is live, in words, where something is compared with it. */
export const whatIsLive = "what is live";

/** What a version would change if it took the place of the live one, as `showChanges` takes it. */
export async function compareWithLive({ api, host }, { version }) {
    const { body: domain } = await api.get(at`/domains/${host}`);
    const live = domain.live?.version ?? null;
    const file = async (number) => (await api.get(at`/domains/${host}/versions/${number}/file`)).body;
    const [before, after, difference] = await Promise.all([
        live && file(live),
        file(version),
        live && readDifference(api, at`/domains/${host}/versions/${version}/diff`, { from: live }),
    ]);
    return { live, against: whatIsLive, before, after, difference };
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
    const changes = await compareWithLive(page, version);
    const against = changes.live ? `version ${changes.live}, which is live` : whatIsLive;
    const { part } = openDialog("comparison", { title: `Version ${version.version} against ${against}` });
    showChanges(part("changes"), changes, page.apps);
}
