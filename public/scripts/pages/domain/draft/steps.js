import { same } from "./same.js";
import { stepWords } from "./step-words.js";

/** What undo and redo need after the first edit, loaded together. */
export { rebase } from "./rebase.js";

/**
 * The most steps of a draft that are kept, their size in characters, and that of all drafts: a tab keeps about five
 * million.
 */
const maximumKept = 64;
const maximumSize = 500_000;
const maximumTotal = 2_000_000;

/** Adds to a step the words for what it did. */
export function named(step) {
    step.words ??= stepWords(step.before, step.after);
    return step;
}

/**
 * Keeps steps in the tab until the user signs out, so that a way to another page and back loses none. `draft` is the
 * draft after them. Keeps fewer steps if they are too large.
 */
export function keepSteps(key, draft, done, undone) {
    sessionStorage.removeItem(key);
    for (let most = maximumKept; most >= 1; most /= 2) {
        const text = packed(draft, done.slice(-most), undone.slice(-most));
        if (text.length > maximumSize) continue;
        makeRoom(text.length);
        try {
            sessionStorage.setItem(key, text);
        } catch {
            // The storage of the tab is full.
        }
        return;
    }
}

/** Forgets the steps of other drafts if all together would be too large. */
function makeRoom(size) {
    const others = Object.keys(sessionStorage).filter((key) => key.startsWith("undo:"));
    const total = others.reduce((sum, key) => sum + sessionStorage.getItem(key).length, size);
    if (total > maximumTotal) others.forEach((key) => sessionStorage.removeItem(key));
}

/** The steps of a text that `keepSteps` has kept, `[done, undone]`; none if the draft has changed after them. */
export function keptSteps(text, draft) {
    const { drafts, end, done, undone } = JSON.parse(text);
    if (!same(drafts[end], draft)) return [[], []];
    const step = ([before, after]) => named({ before: drafts[before], after: drafts[after] });
    return [done.map(step), undone.map(step)];
}

/** Steps share most of their drafts, so each is written once, under its revision. */
function packed(draft, ...lists) {
    const drafts = { [draft.revision]: draft };
    const [done, undone] = lists.map((steps) =>
        steps.map(({ before, after }) =>
            [before, after].map((each) => ((drafts[each.revision] = each), each.revision)),
        ),
    );
    return JSON.stringify({ end: draft.revision, drafts, done, undone });
}
