import { at } from "../../../shared/api/api.js";
import { openDialog } from "../../../components/dialogs.js";
import { words } from "../../../shared/api/problem.js";
import { fill } from "../../../shared/page/template.js";
import { showChanges } from "../../../components/difference/changes.js";
import { compareDraft, compareVersions } from "../../../components/difference/comparing.js";

/** The draft, as a choice beside the numbers of versions. */
const draft = "draft";

/**
 * Opens a comparison of a version with another, or with the draft: first with the live version, or for the live version
 * with the one before it, until the user chooses. Versions are numbered without gaps, so the newest number gives them
 * all.
 */
export async function openComparison(page, { version }) {
    const [{ body: domain }, { body: versions }] = await Promise.all([
        page.api.get(at`/domains/${page.host}`),
        page.api.get(at`/domains/${page.host}/versions`, { query: { limit: 1 } }),
    ]);
    const live = domain.live?.version ?? null;
    const numbers = Array.from({ length: versions.items[0].version }, (_, index) => index + 1);
    const others = numbers.filter((number) => number !== version);
    const first = live && live !== version ? live : (others.findLast((number) => number < version) ?? others[0] ?? draft);

    const { part } = openDialog("comparison", { title: titleOf(version, first) });
    const choice = part("other");
    choice.append(new Option("The draft", draft), ...others.toReversed().map((number) => option(number, live)));
    choice.value = first;
    choice.addEventListener("change", () => choose(page, version, part));
    await choose(page, version, part);
}

/** A late answer to an earlier choice is ignored. */
async function choose(page, version, part) {
    const other = part("other").value;
    try {
        const changes = await (other === draft ? compareDraft(page, version) : compareVersions(page, Number(other), version));
        if (part("other").value !== other) return;
        fill(part("title"), { title: titleOf(version, other) });
        showChanges(part("changes"), changes, page.apps);
        part("problem").hidden = true;
    } catch (error) {
        fill(part("problem"), { problem: words(error) });
    }
}

function titleOf(version, other) {
    return other === draft ? `Changes from version ${version} to the draft` : `Changes in version ${version}`;
}

function option(number, live) {
    return new Option(number === live ? `Version ${number} (live)` : `Version ${number}`, number);
}
