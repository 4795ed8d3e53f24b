import { later } from "../../components/later.js";

/**
 * The scripts of the parts, each loaded when its part is first shown. `openPart(page)` returns `updates`, the functions
 * that update the part, and what other modules need of it.
 */
const scripts = {
    rules: () => import("./rules/part.js"),
    tests: () => import("./tests/part.js"),
    versions: () => import("./versions/part.js"),
    serving: () => import("./serving/part.js"),
    settings: () => import("./settings/part.js"),
};
const ofDraft = ["rules", "tests", "settings"];

/** Whether the part that an address names shows the draft. */
export function showsDraft({ pathname }) {
    return ofDraft.includes(pathname.split("/")[2] ?? "rules");
}

/** Loads a part, with the draft if it shows that, and opens it. */
export async function openPart(page, name) {
    const isOfDraft = ofDraft.includes(name) && !page.domain.aliasOf;
    const loading = later(scripts[name], `domain/${name}`);
    const [module] = await Promise.all([loading, isOfDraft && page.begin()]);
    showFor(page.main.querySelector(`[data-page-part="${name}"]`), page.domain.aliasOf ? "for-alias" : "for-draft");
    const opened = module.openPart(page);
    if (isOfDraft) page.tester.start();
    return opened;
}

/** Shows the elements of a domain with a file, or of an alias. */
export function showFor(root, kind) {
    for (const element of root.querySelectorAll(`[data-shown~="${kind}"]`)) element.hidden = false;
}
