import { appleLimit } from "../../shared/files/association-file.js";
import { dueWords } from "../../shared/times/due-time.js";
import { ago } from "../../shared/times/moments.js";
import { frozenWords } from "../../shared/words/freeze-words.js";
import { failedWords } from "../../shared/words/test-words.js";
import { bytes, count, list, number } from "../../shared/words/numbers.js";

/**
 * The words of a row's cells: `{ text, tone, title }`. Domains without problems have quiet words, so that problems
 * stand out; a cell with nothing to say has the tone `none`.
 */

const checking = { text: "checking…", tone: "quiet", title: "The draft is being checked." };
const outdated = "The draft is being checked again.";
const nothing = { text: "" };

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

export function testWords({ aliasOf, checks }) {
    if (aliasOf) return nothing;
    if (!checks) return checking;
    const { tests, failed, current } = checks;
    const title = current ? null : outdated;
    if (!tests) return { text: "None", tone: "none", title: "No tests are saved." };
    if (failed) return { text: failedWords(failed, tests), tone: "bad", title };
    return { text: `${number(tests)} passed`, tone: "good", title };
}

/** The worst findings; the title has all. */
export function findingWords({ aliasOf, checks }) {
    if (aliasOf || !checks) return nothing;
    const kinds = [
        [checks.errors, "error", "bad"],
        [checks.warnings, "warning", "warning"],
        [checks.notices, "notice", "quiet"],
    ].filter(([found]) => found);
    if (!kinds.length) return { text: "None", tone: "none", title: "No problems found." };
    const [found, noun, tone] = kinds[0];
    const all = list(kinds.map(([each, name]) => count(each, name)));
    return { text: count(found, noun), tone, title: checks.current ? all : `${all}. ${outdated}` };
}

export function sizeWords({ draft }) {
    if (!draft) return nothing;
    const { size } = draft;
    const tone = size > appleLimit ? "bad" : size > 0.9 * appleLimit ? "warning" : "quiet";
    const text = size < 1_000 ? `${size} B` : `${(size / 1_024).toFixed(1)} KB`;
    return { text, tone, title: `${bytes(size)} of at most ${number(appleLimit)}` };
}

/** What happens to the domain next, or what did not happen. */
export function nextWords({ stopped, withdrawal, pending, freeze }) {
    if (stopped) {
        const title = stopped.cause ?? `Version ${stopped.version} did not go live.`;
        return { text: `v${stopped.version} ${stopped.state}`, tone: "bad", title };
    }
    if (withdrawal) {
        const title = `The file is no longer served from ${dueWords(withdrawal.dueAt)}.`;
        return { text: `Withdrawn ${ago(withdrawal.dueAt)}`, tone: "warning", title };
    }
    if (pending) {
        const others = pending.count > 1 ? `, with ${number(pending.count - 1)} more` : "";
        const due = pending.at ? `, due ${dueWords(pending.at)}` : "";
        return {
            text: pending.at ? `v${pending.version} ${ago(pending.at)}` : `v${pending.version} now`,
            tone: "accent",
            title: `Version ${pending.version} pending${due}${others}`,
        };
    }
    if (freeze) return { text: "Frozen", tone: "quiet", title: frozenWords(freeze) };
    return nothing;
}
