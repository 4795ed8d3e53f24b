import { at } from "../api.js";
import { onPress } from "../form.js";
import { words } from "../problem.js";
import { part } from "../template.js";
import { news, publicationStates } from "./publication.js";

const explanations = {
    scheduled: "The version is frozen; what you edit now does not touch it. A worker takes it up in a moment.",
    running: "The frozen bytes are checked once more, then the change is made in one step.",
    live: "Apple's systems fetch the new file in their own time: the CDN within a day, devices about weekly.",
    cancelled: "Nothing has changed on the live side.",
    superseded: "What is live is newer than this.",
    suspended: "What is live has changed since this was asked for. Look at it again and publish anew.",
};

/** Follows a publication in an open dialog until its end. Closing the dialog stops nothing. */
export async function followPublication(root, { api, publication }) {
    part(root, "progress").hidden = false;
    offerCancel(root, api, publication);
    try {
        for await (const latest of news(api, publication)) show(root, latest);
    } catch (problem) {
        part(root, "explanation").textContent = `${words(problem)} The publication goes on without this page.`;
    }
}

function show(root, { state, version, cause, attempts }) {
    const progress = part(root, "progress");
    progress.dataset.state = state;
    part(progress, "step-frozen").textContent = `Version ${version} is frozen`;
    part(progress, "headline").textContent = state === "live" ? `Version ${version} is live` : publicationStates[state].words;
    part(progress, "explanation").textContent = explanations[state] ?? failure(cause, attempts);
    part(progress, "cancel").hidden = state !== "scheduled";
}

function failure(cause, attempts) {
    return `${cause ?? "No cause was given."} Attempts: ${attempts}. What was live before is live still.`;
}

function offerCancel(root, api, { host, id }) {
    const button = part(root, "cancel");
    onPress(
        button,
        () => api.delete(at`/domains/${host}/publications/${id}`),
        (error) => (part(root, "explanation").textContent = words(error)),
    );
}
