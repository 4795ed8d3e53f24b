import { publishAddress } from "../../shared/page/addresses.js";
import { all, at } from "../../shared/api/api.js";
import { openDialog } from "../../components/dialogs.js";
import { DomainChoice } from "../../components/domain-choice.js";
import { newestPlace } from "../../shared/following/event-follower.js";
import { onSubmit } from "../../shared/forms/form.js";
import { showMoment } from "../../shared/times/moments.js";
import { count } from "../../shared/words/numbers.js";
import { Problem } from "../../shared/api/problem.js";
import { clone, part as partOf } from "../../shared/page/template.js";
import { followReplacement, replacementStates } from "./replacement.js";

const shownPast = 10;
/** A longer list of hosts does not fit in an address. */
const maximumHosts = 100;

/** Opens the dialog that replaces an app with another in many drafts, with the earlier replacements. */
export async function openReplacing(session, app) {
    const { api } = session;
    const path = at`/apps/${app.appID}/replacements`;
    // Read first, so that no later change is missed.
    const place = await newestPlace(api);
    const [apps, { body: past }] = await Promise.all([
        all(api, "/apps"),
        api.get(path, { query: { limit: shownPast } }),
    ]);
    const { dialog, part } = openDialog("replace", { title: `Replace ${app.name} in drafts` });
    const form = part("form");
    const choice = new DomainChoice(part("choice"), api, { every: "All domains whose draft uses this app" });
    offerOthers(part("others"), apps, app);
    const show = (replacement, release) => {
        form.hidden = part("past").hidden = true;
        return followReplacement(dialog, part("replacement"), session, { replacement, path, place, apps, release });
    };
    showPast(part("past"), past.items, show);
    onSubmit(form, async ({ with: other, message }) => {
        const chosen = requireChoices(other, choice);
        const body = { with: other, ...chosen, ...(message && { message }) };
        let made;
        try {
            made = await api.post(path, body);
        } catch (problem) {
            throw choice.explained(problem);
        }
        show(made.body, releaseOf(session, chosen));
    });
    const running = past.items.find(({ state }) => state === "running");
    if (running) show(running, null);
}

function offerOthers(select, apps, { appID }) {
    const others = apps.filter((other) => other.appID !== appID);
    const first = new Option(others.length ? "Choose an app" : "Add the other app first", "");
    select.replaceChildren(first, ...others.map((other) => new Option(`${other.name} (${other.appID})`, other.appID)));
}

/** The chosen domains. Throws one `Problem` for everything that is missing, the other app too. */
function requireChoices(other, choice) {
    const errors = other ? [] : [{ pointer: "/with", detail: "Choose the new app." }];
    try {
        const { chosen } = choice;
        if (!errors.length) return chosen;
    } catch (problem) {
        errors.push(...problem.errors);
    }
    throw new Problem({ code: "invalid", errors });
}

/** The address of a new release of the same domains; null without a label or a short list of hosts. */
function releaseOf({ organization }, { label, hosts = [] }) {
    const isSayable = label || (hosts.length > 0 && hosts.length <= maximumHosts);
    return isSayable ? publishAddress(organization.slug, { label, hosts }) : null;
}

function showPast(section, past, show) {
    section.hidden = past.length === 0;
    partOf(section, "list").replaceChildren(
        ...past.map((replacement) => {
            const { with: other, state, domains, requestedBy, endedAt, createdAt, message } = replacement;
            const facts = [`${count(domains.changed, "draft")} changed`, requestedBy.name, message && `“${message}”`];
            const row = clone("replacement-row", { with: other, facts: facts.filter(Boolean).join(" · ") });
            const { words, tone } = replacementStates[state];
            partOf(row, "state").textContent = words;
            partOf(row, "state").dataset.tone = tone;
            showMoment(partOf(row, "time"), endedAt ?? createdAt);
            partOf(row, "show").setAttribute("aria-label", `Show the replacement with ${other}`);
            partOf(row, "show").addEventListener("click", () => show(replacement, null));
            return row;
        }),
    );
}
