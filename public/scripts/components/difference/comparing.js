import { at } from "../../shared/api/api.js";

/** The words for the live file in a comparison. */
export const theLiveFile = "the live file";

/** The changes from one version, or from no file (null), to another version, as `showChanges` takes them. */
export async function compareVersions({ api, host }, from, version) {
    const file = async (number) => (await api.get(at`/domains/${host}/versions/${number}/file`)).body;
    const [before, after, difference] = await Promise.all([
        from && file(from),
        file(version),
        from && readDifference(api, at`/domains/${host}/versions/${version}/diff`, { from }),
    ]);
    return { against: `version ${from}`, before, after, difference };
}

/** The changes from a version, or from no file (null), to the draft. */
export async function compareDraft({ api, host }, from) {
    const path = at`/domains/${host}`;
    const [before, after, difference] = await Promise.all([
        from && api.get(`${path}/versions/${from}/file`),
        api.get(`${path}/draft/file`),
        readDifference(api, `${path}/draft/diff`, { from }),
    ]);
    return { against: `version ${from}`, before: before && before.body, after: after.body, difference };
}

/** The comparison by meaning; null if it fails, because the comparison by lines is shown anyway. */
async function readDifference(api, path, query = {}) {
    try {
        return (await api.get(path, { query })).body;
    } catch {
        return null;
    }
}
