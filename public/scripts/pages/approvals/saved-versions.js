import { at } from "../../shared/api/api.js";

/** The most files whose versions are searched, and the newest versions of each. */
const maximumFiles = 20;
const maximumVersions = 50;

/**
 * The version with exactly the requested bytes, for each host: the requested version or, if the draft has changed or its
 * file went live, the newest one with the same digest. A file that only the draft generates has none.
 */
export async function savedVersions(api, files) {
    const found = new Map(files.filter(({ version }) => version).map(({ host, version }) => [host, version]));
    const wanted = files.filter(({ version, outdated, live }) => !version && (outdated || live)).slice(0, maximumFiles);
    await Promise.all(wanted.map(async ({ host, sha256 }) => {
        const { body } = await api.get(at`/domains/${host}/versions`, { query: { limit: maximumVersions } });
        const same = body.items.find((version) => version.sha256 === sha256);
        if (same) found.set(host, same.version);
    }));
    return found;
}
