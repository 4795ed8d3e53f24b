import { domainAddress } from "../../../shared/page/addresses.js";
import { at } from "../../../shared/api/api.js";
import { onPress } from "../../../shared/forms/form.js";
import { count } from "../../../shared/words/numbers.js";
import { words as problemWords } from "../../../shared/api/problem.js";
import { fill, part, showHost } from "../../../shared/page/template.js";
import { dueWords } from "../../../shared/times/due-time.js";
import { bypassWords } from "../../../components/publications/bypass.js";
import { reachWords } from "../../../components/publications/effective-by.js";
import { showSteps } from "../../../components/publications/publication-steps.js";
import { hasEnded, isHeld, news, standingOf } from "../../../components/publications/publication.js";
import { heldWords } from "../../../components/publications/waiting.js";
import { offerNext, rolledBackTo } from "./next-steps.js";
import { followReach } from "./reach.js";
import { publicationStates } from "../../../shared/words/states.js";
import { hostWords } from "../../../shared/words/host-words.js";

const explanations = {
    scheduled: "The version is saved; later edits to the draft do not change it. It goes live in a moment.",
    running: "The saved file is checked once more, then goes live in one step.",
    live: "Apple’s CDN fetches the new file within a day; devices check about weekly.",
    cancelled: "The live file is unchanged.",
    superseded: "A newer publication replaced this one.",
};

/** A publication by its address, for example after a reload. */
export async function openPublication(page, id) {
    const { body } = await page.api.get(at`/domains/${page.host}/publications/${id}`);
    part(page.main, "loading").hidden = true;
    await showProgress(page, body);
}

/**
 * Follows a publication until it is on the edge. Leaving the page does not stop the publication. `isNew` moves the
 * focus to it.
 */
export async function showProgress(page, publication, { isNew = false } = {}) {
    const { api, main, host, session } = page;
    const root = part(main, "progress");
    const domain = domainAddress(session.organization.slug, host);
    part(main, "back").href = domain;
    showHost(part(main, "back"), hostWords(host));
    part(root, "to-domain").href = domain;
    fill(main, { title: titleOf(publication), facts: null });
    root.hidden = false;
    offerCancel(root, api, publication);
    show(root, publication);
    if (isNew) part(root, "headline").focus();
    try {
        let last = publication;
        for await (const latest of news(api, publication)) show(root, (last = latest));
        if (last.state !== "live") return;
        fill(main, { title: titleOf(last) });
        await Promise.all([offerNext(page, last), followReach(page, last)]);
    } catch (problem) {
        part(root, "explanation").textContent = `${problemWords(problem)} The publication continues without this page.`;
    }
}

/** A rollback at its time says so from the start; any other one is known once `offerNext` knows the version before. */
function titleOf({ reverts, state, version }) {
    if (!reverts) return `Publication of version ${version}`;
    return state === "live" ? rolledBackTo(version) : `Rollback to version ${version}`;
}

function show(root, publication) {
    const { state, version, at: due } = publication;
    root.dataset.state = isHeld(publication) ? "suspended" : state;
    part(root, "step-frozen").textContent = `Version ${version} saved`;
    part(root, "step-running").textContent = publicationStates[state === "live" ? state : "running"].words;
    setText(part(root, "headline"), headline(publication));
    document.title = `${headline(publication)} · Waymark`;
    const wait = state === "scheduled" && due && `It goes live at ${dueWords(due)}, exactly as saved now.`;
    const words = heldWords(publication) ?? (wait || (explanations[state] ?? failure(publication)));
    setText(part(root, "explanation"), [words, reachWords(publication), bypassWords(publication)].filter(Boolean).join(" "));
    part(root, "cancel-publication").hidden = hasEnded(publication);
    showSteps(part(root, "steps"), publication);
}

/** Screen readers read only new text. */
function setText(element, text) {
    if (element.textContent !== text) element.textContent = text;
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
    onPress(
        part(root, "cancel-publication"),
        () => api.delete(at`/domains/${host}/publications/${id}`),
        (error) => (part(root, "explanation").textContent = problemWords(error)),
    );
}
