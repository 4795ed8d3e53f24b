import { list, number } from "../../../shared/words/numbers.js";

/** "Tests imported: 3 added and 1 changed." */
export function importSummary({ added, changed, removed, unchanged }) {
    const parts = Object.entries({ added, changed, removed, unchanged }).filter(([, tests]) => tests);
    if (!parts.length) return "The file has no tests.";
    return `Tests imported: ${list(parts.map(([name, tests]) => `${number(tests)} ${name}`))}.`;
}
