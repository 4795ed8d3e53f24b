import { at } from "../../../shared/api/api.js";
import { onPress } from "../../../shared/forms/form.js";
import { count } from "../../../shared/words/numbers.js";
import { words as problemWords } from "../../../shared/api/problem.js";
import { part } from "../../../shared/page/template.js";
import { dueWords } from "../../../shared/times/due-time.js";
import { reachWords } from "../../../components/effective-by.js";
import { showSteps } from "./publication-steps.js";
import { hasEnded, isHeld, news, standingOf } from "./publication.js";
import { sinkItems } from "../serving/sinks.js";
import { heldWords } from "./waiting.js";

const explanations = {
    scheduled: "The version is saved; later edits to the draft do not change it. A worker publishes it in a moment.",
    running: "The saved file is checked once more, then goes live in one step.",
    live: "Apple’s CDN fetches the new file within a day; devices check about weekly.",
    cancelled: "The live file is unchanged.",
    superseded: "A newer publication replaced this one.",
};

/**
 * Follows a publication in an open dialog until its end, then updates the page. Closing the dialog does not stop the
 * publication; the page's pending list shows it. Returns the publication as last seen, or null if it could not be
 * loaded.
 */
export async function followPublication(root, { api, publication, showLive, serving }) {
    part(root, "progress").hidden = false;
    offerCancel(root, api, publication);
    if (publication.at) showLive();
    try {
        let last = publication;
        for await (const latest of news(api, publication)) {
            last = latest;
            show(root, latest);
            if (!root.open) break;
            if (latest.state === "live") showReach(root, latest, serving);
        }
        await showLive();
        return last;
    } catch (problem) {
        part(root, "explanation").textContent = `${problemWords(problem)} The publication continues without this page.`;
        return null;
    }
}

function show(root, publication) {
    const { state, version, at: due } = publication;
    const progress = part(root, "progress");
    progress.dataset.state = isHeld(publication) ? "suspended" : state;
    part(progress, "step-frozen").textContent = `Version ${version} saved`;
    part(progress, "headline").textContent = headline(publication);
    const wait = state === "scheduled" && due && `It goes live at ${dueWords(due)}, exactly as saved now.`;
    const words = heldWords(publication) ?? (wait || (explanations[state] ?? failure(publication)));
    part(progress, "explanation").textContent = [words, reachWords(publication)].filter(Boolean).join(" ");
    part(progress, "cancel").hidden = hasEnded(publication);
    showSteps(part(progress, "steps"), publication);
}

/** Shows which edges, directories and buckets have the version, while the dialog is open. */
function showReach(root, { version }, serving) {
    const show = ({ detail }) => {
        if (detail.live?.version === version) part(root, "reached").replaceChildren(...sinkItems(detail));
    };
    serving.addEventListener("change", show);
    serving.follow();
    root.addEventListener("close", () => serving.removeEventListener("change", show));
}

function headline(publication) {
    const { state, version } = publication;
    if (state === "live") return `Version ${version} is live`;
    const { words } = standingOf(publication);
    return isHeld(publication) ? `Version ${version}: ${words.toLowerCase()}` : words;
}

function failure({ state, cause, attempts }) {
    if (state === "suspended") return `It was suspended: ${cause.replace(/\.$/, "")}. The live file is unchanged.`;
    const because = cause ? `: ${cause.replace(/\.$/, "")}` : "";
    return `It did not go live after ${count(attempts, "attempt")}${because}. The live file is unchanged.`;
}

function offerCancel(root, api, { host, id }) {
    const button = part(root, "cancel");
    onPress(
        button,
        () => api.delete(at`/domains/${host}/publications/${id}`),
        (error) => (part(root, "explanation").textContent = problemWords(error)),
    );
}
