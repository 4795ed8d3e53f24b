import { at } from "../../../shared/api/api.js";
import { openDialog } from "../../../components/dialogs.js";
import { words } from "../../../shared/api/problem.js";
import { fill } from "../../../shared/page/template.js";
import { showChanges } from "../../../components/difference/changes.js";
import { compareVersions } from "../../../components/difference/comparing.js";

/**
 * Opens a comparison of a version with another: the live one, or for the live version the one before it, until the user
 * chooses. Versions are numbered without gaps, so the newest number gives them all.
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
    const changes = await compareVersions(page, first, version);

    const { part } = openDialog("comparison", { title: `Changes in version ${version}` });
    const choice = part("other");
    choice.append(...others.toReversed().map((number) => option(number, live)));
    choice.value = first;
    showChanges(part("changes"), changes, page.apps);
    choice.addEventListener("change", () => choose(page, version, part));
}

/** A late answer to an earlier choice is ignored. */
async function choose(page, version, part) {
    const other = Number(part("other").value);
    try {
        const changes = await compareVersions(page, other, version);
        if (Number(part("other").value) === other) showChanges(part("changes"), changes, page.apps);
        part("problem").hidden = true;
    } catch (error) {
        fill(part("problem"), { problem: words(error) });
    }
}

function option(number, live) {
    return new Option(number === live ? `Version ${number} (live)` : `Version ${number}`, number);
}
