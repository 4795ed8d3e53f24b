import { count, number } from "./numbers.js";
import { patternText } from "./pattern.js";
import { entriesOfDetails, ruleAt } from "./places.js";

/** The names of the systems that a test can use. */
export const systems = { ios9: "iOS 9 to 12", ios13: "iOS 13", "ios13.5": "iOS 13.5", ios14: "iOS 14 and later" };

/** "1 test fails", "2 of 5 tests fail" */
export function failedWords(failed, tests) {
    return tests === 1 ? "1 test fails" : `${number(failed)} of ${count(tests, "test")} fail`;
}

/** The result for a URL in a few words: `{ outcome, app }` of a test, an evaluation or a difference. */
export function outcomeText({ outcome, app }, apps) {
    if (outcome === "opens") return `Opens ${apps.name(app)}`;
    return { excluded: "Stays on the web", none: "No app opens it" }[outcome] ?? outcome;
}

/** The actual result of a test: "Stays on the web, by rule 2, /help/website/*." `draft` is null for a version. */
export function actualText({ actual, decidedBy, reason }, apps, draft) {
    if (!actual) return `Not run. ${reason ?? ""}`.trim();
    const outcome = outcomeText(actual, apps);
    const place = decidedBy && placeText(decidedBy, draft);
    return `${outcome}${place ? `, by ${place}` : ""}.${reason ? ` ${reason}` : ""}`;
}

/** `rule 2 of entry 1`, with the rule itself if the draft is known. */
function placeText(pointer, draft) {
    const [, element, rule] = /^\/applinks\/details\/(\d+)(?:\/components\/(\d+))?/.exec(pointer) ?? [];
    if (element === undefined) return pointer;
    const entry = entriesOfDetails(draft)[element];
    const number = (entry ? draft.entries.indexOf(entry) : Number(element)) + 1;
    if (rule === undefined) return `entry ${number}, which opens every URL`;
    const isOnlyEntry = draft?.entries.length === 1;
    const found = ruleAt(pointer, draft);
    const ofEntry = isOnlyEntry ? "" : ` of entry ${number}`;
    return `rule ${Number(rule) + 1}${ofEntry}${found ? `, ${patternText(found)}` : ""}`;
}

/** "3 of 4 tests passed" */
export function passedText({ total, passed }) {
    return passed === total ? `${count(total, "test")} passed` : `${passed} of ${count(total, "test")} passed`;
}
