import { addressWithOrganization, releaseAddress } from "../../../shared/page/addresses.js";
import { all, at } from "../../../shared/api/api.js";
import { offerCurl } from "../../../components/curl.js";
import { DomainChoice } from "../../../components/domain-choice.js";
import { chosenTimes, offerTimes } from "../../../components/publications/publish-times.js";
import { afterPause } from "../../../shared/following/later.js";
import { onSubmit, values as valuesOf } from "../../../shared/forms/form.js";
import { capitalised, coveredWords, frozenWords } from "../../../shared/words/freeze-words.js";
import { AppNames } from "../../../shared/words/app-names.js";
import { words } from "../../../shared/api/problem.js";
import { part } from "../../../shared/page/template.js";
import { isSuspicious } from "../checks.js";
import { Footer } from "../footer.js";
import { keepInput } from "../kept-input.js";
import { offerOverride, remarks } from "../override.js";
import { draftChange } from "./domain-changes.js";
import { ReleaseChanges } from "./release-changes.js";
import { ReleaseCreation } from "./release-creation.js";
import { offerToLeaveOut } from "./left-out.js";
import { offerReleaseBypass } from "./release-bypass.js";
import { showReleaseChecks } from "./release-checks.js";
import { ReleaseWarnings } from "./release-warnings.js";

/** The review of a release: the drafts of many domains that go live together, or not at all. */
export async function openReleaseReview(page, { label, hosts, again }) {
    const { api, main, session } = page;
    const slug = session.organization.slug;
    const [apps, former] = await Promise.all([all(api, "/apps"), again && formerRelease(api, again)]);
    page.apps = new AppNames(apps);
    const form = part(main, "form");
    const releases = addressWithOrganization("/releases", slug);
    Object.assign(part(main, "back"), { textContent: "Releases", href: releases });
    part(main, "title").textContent = "Review and publish a release";
    document.title = "Review and publish a release · Waymark";
    part(main, "choice-panel").hidden = false;
    const choice = new DomainChoice(part(main, "choice"), api, { chosen: former?.chosen ?? { label, hosts } });
    const footer = new Footer(form, { cancel: releases });
    part(form, "check-only").hidden = false;
    offerTimes(form, api, { rollsBack: false });
    warnOfFreezes(form, api);
    const changes = new ReleaseChanges(page);
    // A checked override stays while the domains change.
    const isOffered = () => form.elements.override.checked || canOverride(form, changes);
    const showOverride = offerOverride(form, { isOffered });
    form.elements.message.value = former?.message ?? "";
    const kept = keepInput(form);
    new ReleaseWarnings(form, session, choice);
    const bypass = form.elements.bypassApproval;
    const showChecks = () => footer.show(showReleaseChecks(page, changes, bypass.checked));
    changes.addEventListener("change", () => {
        showChecks();
        showOverride();
    });
    bypass.addEventListener("input", showChecks);
    offerReleaseBypass(page, changes);
    offerToLeaveOut(page, choice, changes);
    part(main, "loading").hidden = true;
    form.hidden = false;
    if (!label && !hosts.length && !again) form.querySelector("input:checked").focus();
    followChoice(page, choice, changes);
    submit(page, { form, choice, footer, kept });
}

/** Only a later release, or one with a suspicious or unchecked file, needs an override. */
function canOverride(form, { loaded, total }) {
    const isUnsure = ({ changes, checks }) => changes && (!checks || isSuspicious(checks.report));
    const isPartly = loaded.length > 0 && loaded.length < total;
    return total > 0 && (form.elements.when.value !== "now" || isPartly || loaded.some(isUnsure));
}

/** Compares the chosen domains whenever the choice has changed. */
function followChoice({ api, main }, choice, changes) {
    let shown = null;
    const show = async () => {
        const chosen = complete(choice);
        if (JSON.stringify(chosen) === shown) return;
        shown = JSON.stringify(chosen);
        if (!chosen) return changes.showNothing("Choose the domains to see their changes and checks.");
        try {
            const hosts = chosen.hosts ?? (await hostsLabelled(api, chosen.label));
            if (JSON.stringify(chosen) !== shown) return;
            if (!hosts.length) return changes.showNothing("No domain has this label.");
            await changes.show(hosts.map((host) => ({ host, load: () => draftChange(api, host) })));
        } catch (problem) {
            changes.showNothing(words(problem), { isUnknown: true });
        }
    };
    part(main, "choice").addEventListener("input", afterPause(400, show));
    show();
}

function complete(choice) {
    try {
        return choice.chosen;
    } catch {
        return null;
    }
}

async function hostsLabelled(api, label) {
    const domains = await all(api, "/domains", { query: { label } });
    return domains.filter(({ aliasOf }) => !aliasOf).map(({ host }) => host);
}

/** The domains and the message of an earlier release. */
async function formerRelease(api, id) {
    const { body } = await api.get(at`/releases/${id}`);
    const listed = body.label ? [] : await all(api, at`/releases/${id}/domains`);
    return { chosen: { label: body.label, hosts: listed.map(({ host }) => host) }, message: body.message };
}

function submit({ main, session }, { form, choice, footer, kept }) {
    const slug = session.organization.slug;
    const creation = new ReleaseCreation(session);
    const bodyOf = (values) => ({ ...choice.chosen, ...remarks(values), ...chosenTimes(values) });
    const request = () => ({ method: "POST", path: "/releases", body: bodyOf(valuesOf(form)), organization: slug });
    offerCurl("create this release", request, part(form, "as-curl"));
    onSubmit(form, async (values, _, { button }) => {
        const isCheck = button.name === "check";
        if (footer.isBlocked && !isCheck) return part(main, "checks-title").focus();
        try {
            const made = await creation.create("/releases", bodyOf(values), { isCheck });
            if (!isCheck) kept.forget();
            location.assign(releaseAddress(slug, made.id));
        } catch (problem) {
            throw choice.explained(problem);
        }
    });
}

/** Warns of active freezes once a time is chosen. Shows nothing if they cannot be loaded. */
async function warnOfFreezes(form, api) {
    const freezes = await all(api, "/freezes", { query: { state: "current" } }).catch(() => []);
    const told = part(form, "frozen");
    const each = freezes.map((freeze) => `${capitalised(coveredWords(freeze))}: ${frozenWords(freeze)}`).join(" ");
    told.textContent = `${each} A release of these domains that is due before then is suspended.`;
    const update = () => (told.hidden = freezes.length === 0 || form.elements.when.value === "now");
    form.addEventListener("input", update);
    update();
}
