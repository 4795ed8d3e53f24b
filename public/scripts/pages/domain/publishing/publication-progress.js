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
    scheduled: "The version is frozen; what you edit now does not touch it. A worker takes it up in a moment.",
    running: "The frozen bytes are checked once more, then the change is made in one step.",
    live: "Apple's systems fetch the new file in their own time: the CDN within a day, devices about weekly.",
    cancelled: "Nothing has changed on the live side.",
    superseded: "What is live is newer than this.",
};

/**
 * Follows a publication in an open dialog until its end, and has the page show what came of it. Closing the dialog stops
 * nothing: the page's list of what is pending tells on. Answers with the publication as it was last seen, null if that
 * could not be had.
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
        part(root, "explanation").textContent = `${problemWords(problem)} The publication goes on without this page.`;
        return null;
    }
}

function show(root, publication) {
    const { state, version, at: due } = publication;
    const progress = part(root, "progress");
    progress.dataset.state = isHeld(publication) ? "suspended" : state;
    part(progress, "step-frozen").textContent = `Version ${version} is frozen`;
    part(progress, "headline").textContent = headline(publication);
    const wait = state === "scheduled" && due && `It goes live at ${dueWords(due)}, as it is frozen now.`;
    const words = heldWords(publication) ?? (wait || (explanations[state] ?? failure(publication)));
    part(progress, "explanation").textContent = [words, reachWords(publication)].filter(Boolean).join(" ");
    part(progress, "cancel").hidden = hasEnded(publication);
    showSteps(part(progress, "steps"), publication);
}

/** How the version arrives at one place after the other, as long as the dialog is open. */
function showReach(root, { version }, serving) {
    const show = ({ detail }) => {
        if (detail.live?.version === version) part(root, "reached").replaceChildren(...sinkItems(detail));
    };
    serving.addEventListener("change", show);
    root.addEventListener("close", () => serving.removeEventListener("change", show));
}

function headline(publication) {
    const { state, version } = publication;
    if (state === "live") return `Version ${version} is live`;
    const { words } = standingOf(publication);
    return isHeld(publication) ? `Version ${version}: ${words.toLowerCase()}` : words;
}

function failure({ state, cause, attempts }) {
    if (state === "suspended") return `It was stopped: ${cause.replace(/\.$/, "")}. What was live before is live still.`;
    const because = cause ? `: ${cause.replace(/\.$/, "")}` : "";
    return `It did not go live in ${count(attempts, "attempt")}${because}. What was live before is live still.`;
}

function offerCancel(root, api, { host, id }) {
    const button = part(root, "cancel");
    onPress(
        button,
        () => api.delete(at`/domains/${host}/publications/${id}`),
        (error) => (part(root, "explanation").textContent = problemWords(error)),
    );
}
