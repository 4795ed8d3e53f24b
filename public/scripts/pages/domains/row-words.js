import { domainAddress } from "../../shared/page/addresses.js";
import { appleLimit } from "../../shared/files/association-file.js";
import { dueWords } from "../../shared/times/due-time.js";
import { ago } from "../../shared/times/moments.js";
import { countWords } from "../../shared/words/finding-words.js";
import { frozenWords } from "../../shared/words/freeze-words.js";
import { bytes, count, limitWords, number } from "../../shared/words/numbers.js";
import { isUntouched } from "../../shared/words/untouched.js";
import { importantFindings, problemsOf } from "./problem-kinds.js";

/** The words of a row: `{ text, tone, title }`. Domains without problems have quiet words, so that problems stand out. */

const checking = { text: "checking…", tone: "quiet", title: "The draft is being checked." };
const nothing = { text: "" };
const firstStep = {
    text: "No rules yet",
    tone: "quiet",
    action: "Add an app",
    address: (slug, { host }) => domainAddress(slug, host, "rules"),
};

/** An alias has no draft. */
export function draftStep({ draft }) {
    if (!draft) return nothing;
    if (draft.changed) return { text: "Draft", tone: "accent", title: "The draft has changes that are not published." };
    return { text: "Draft", tone: "good", title: "The draft is live, without unpublished changes." };
}

export function liveStep({ live }) {
    if (!live) return { text: "Nothing live", tone: "quiet", title: "No version is live." };
    return { text: `v${live.version}`, tone: "good", title: `Version ${live.version} is live.` };
}

/** How many of the edges and directories serve the live version. */
export function edgeStep({ live, serving }) {
    if (!live) return nothing;
    if (!serving) return { text: "Edge ?", tone: "quiet", title: "No edge or directory has reported in 24 hours." };
    const { applied, consumers } = serving;
    if (applied >= consumers) {
        return { text: "Edge", tone: "good", title: "Every edge and directory serves the live version." };
    }
    const title = `${number(applied)} of ${number(consumers)} edges and directories serve the live version.`;
    return { text: `Edge ${number(applied)}/${number(consumers)}`, tone: "warning", title };
}

/** The health of a domain in one sentence, with the next step for its worst problem: `{ text, tone, action, address }`. */
export function healthOf(domain) {
    const [worst, ...others] = problemsOf(domain);
    if (worst) return { ...worst, text: [worst, ...others].map(({ sentence }) => sentence).join(" · ") };
    const { aliasOf, checks, draft } = domain;
    if (aliasOf) return nothing;
    if (isUntouched(draft)) return firstStep;
    if (!checks) return checking;
    const found = importantFindings(checks);
    const size = draft.size > 0.9 * appleLimit && `${bytes(draft.size)} of at most ${limitWords(appleLimit)}`;
    const tested = checks.tests ? `${count(checks.tests, "test")} passed` : "no tests";
    return {
        text: [found.text || "No problems", size, tested].filter(Boolean).join(" · "),
        tone: size ? "warning" : found.text ? found.tone : "good",
        title: [countWords(checks).text, !checks.current && "The draft is being checked again."].filter(Boolean).join(". "),
    };
}

/** The next publication, or the freeze that holds publications. */
export function nextWords({ pending, freeze, blockedReason }) {
    if (pending) {
        const others = pending.count > 1 ? `, with ${number(pending.count - 1)} more` : "";
        const due = pending.at ? `, due ${dueWords(pending.at)}` : "";
        return {
            text: pending.at ? `v${pending.version} ${ago(pending.at)}` : `v${pending.version} now`,
            tone: blockedReason ? "bad" : "",
            title: `Version ${pending.version} pending${due}${others}${blockedReason ? `. Will be suspended: ${blockedReason}` : ""}`,
        };
    }
    return freeze ? { text: "Frozen", title: frozenWords(freeze) } : nothing;
}
