import { publishAddress } from "../../../shared/page/addresses.js";
import { announce } from "../../../components/announce.js";
import { at } from "../../../shared/api/api.js";
import { versionAct } from "../../../components/publications/version-act.js";
import { onPress } from "../../../shared/forms/form.js";
import { words } from "../../../shared/api/problem.js";
import { fill, part } from "../../../shared/page/template.js";

/** The title of a publication that made an earlier version live again. */
export function rolledBackTo(version) {
    return `Rolled back to version ${version}`;
}

/** Offers to roll back, and after a roll-back to load the version: the draft still has the newer rules. */
export async function offerNext(page, publication) {
    const { api, host, main, session } = page;
    const path = at`/domains/${host}`;
    const [{ body: domain }, { body: publications }, { body: versions }] = await Promise.all([
        api.get(path),
        api.get(`${path}/publications`, { query: { limit: 50 } }),
        api.get(`${path}/versions`, { query: { limit: 1 } }),
    ]);
    const root = part(main, "progress");
    const before = versionBefore(publication, publications.items);
    if (before > publication.version) fill(main, { title: rolledBackTo(publication.version) });
    const link = part(root, "roll-back");
    link.hidden = !before;
    link.textContent = `${versionAct(before, publication.version)}…`;
    link.href = publishAddress(session.organization.slug, { host, version: before });
    const isOlder = versions.items[0]?.version > publication.version;
    if (isOlder && domain.draft?.changed) offerToLoad(page, publication.version);
}

/** The version that was live before a publication, if it differs. */
function versionBefore({ activation, version }, publications) {
    const earlier = publications.filter((each) => each.activation !== null && each.activation < activation);
    const last = earlier.toSorted((one, other) => other.activation - one.activation)[0];
    return last && last.version !== version ? last.version : null;
}

function offerToLoad({ api, host, main }, version) {
    const notice = part(main, "draft-differs");
    const button = part(notice, "load");
    const path = at`/domains/${host}/draft`;
    notice.hidden = false;
    button.textContent = `Load version ${version} into the draft`;
    const load = async () => {
        const { body: former, etag } = await api.get(path);
        const { etag: newer } = await api.post(`${path}/resets`, { version }, { ifMatch: etag });
        const { revision, updatedAt, ...content } = former;
        const undo = async () => {
            await api.put(path, content, { ifMatch: newer });
            notice.hidden = false;
            announce("Draft restored.");
        };
        notice.hidden = true;
        part(main, "to-domain").focus();
        announce(`Version ${version} loaded into the draft. Nothing was published.`, {
            undo: () => undo().catch((problem) => announce(words(problem))),
        });
    };
    onPress(button, load, (problem) => announce(words(problem)));
}
