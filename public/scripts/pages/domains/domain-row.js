import { domainAddress } from "../../shared/page/addresses.js";
import { clone, fill, label, part, showHost } from "../../shared/page/template.js";
import { showAgo } from "../../shared/times/moments.js";
import { domainStates, showState } from "../../shared/words/states.js";
import { hostWords } from "../../shared/words/host-words.js";
import { count, list, number } from "../../shared/words/numbers.js";
import { draftStep, edgeStep, healthOf, liveStep, nextWords } from "./row-words.js";

const steps = { draft: draftStep, live: liveStep, edge: edgeStep };
const shownLabels = 2;

/**
 * A domain's row of the table. `blockedReason` says why its next publication will be suspended. A click on a label calls
 * `narrow` with it.
 */
export function domainRow(listed, { organization, isStarred, isSelected, narrow, blockedReason }) {
    const domain = { ...listed, blockedReason };
    const { host, unicodeHost, labels } = domain;
    const row = clone("domain-row");
    row.dataset.key = host;
    row.dataset.alias = domain.aliasOf ? "yes" : "no";
    const link = part(row, "host");
    showHost(link, unicodeHost);
    link.title = host === unicodeHost ? host : `${unicodeHost} (${host})`;
    link.href = domainAddress(organization.slug, host);
    part(row, "select").setAttribute("aria-label", `Select ${unicodeHost}`);
    part(row, "select").checked = isSelected;
    showStar(row, unicodeHost, isStarred);
    showNote(row, domain);
    showState(part(row, "state"), domainStates[domain.state]);
    show(part(row, "next"), nextWords(domain));
    showHealth(row, domain, organization);
    for (const [name, words] of Object.entries(steps)) showStep(part(row, name), words(domain));
    part(row, "draft-line").hidden = part(row, "draft").hidden;
    part(row, "edge-line").hidden = part(row, "edge").hidden;
    row.dataset.checks = checkState(domain);
    showAgo(part(row, "published"), domain.live?.publishedAt);
    showLabels(row, labels, narrow);
    return row;
}

function checkState({ aliasOf, checks }) {
    if (aliasOf) return "none";
    return checks ? (checks.current ? "current" : "outdated") : "missing";
}

export function showStar(row, name, isStarred) {
    const star = label(row, "star", isStarred ? `Remove the star of ${name}` : `Star ${name}`);
    star.ariaPressed = isStarred;
    star.title += isStarred ? "" : ": list it first. Stars are kept in this browser.";
}

function show(element, { text, tone, title }) {
    fill(element, { [element.dataset.part]: text });
    element.dataset.tone = tone ?? "";
    element.title = title ?? text;
}

function showHealth(row, domain, { slug }) {
    const health = healthOf(domain);
    show(part(row, "health"), health);
    fill(row, { action: health.action });
    if (!health.action) return;
    part(row, "action").href = health.address(slug, domain);
    part(row, "action").setAttribute("aria-label", `${health.action}: ${domain.unicodeHost}`);
}

/** A screen reader reads the title of a step, because its dot is only a color. */
function showStep(element, { text, tone, title }) {
    element.hidden = text === "";
    part(element, "text").textContent = text;
    element.dataset.tone = tone ?? "";
    element.title = title ?? "";
    if (element.role) element.ariaLabel = title ?? "";
}

/** The domain of an alias; or the apps of a domain, and its aliases. */
function showNote(row, { aliasOf, aliases, draft }) {
    if (aliasOf) return show(part(row, "note"), { text: `of ${hostWords(aliasOf)}` });
    const names = draft.apps.map(({ appID, name }) => name ?? appID.slice(appID.indexOf(".") + 1));
    const more = draft.appCount - names.length;
    const text = [
        names.length && names.join(", ") + (more ? ` +${number(more)}` : ""),
        aliases.length && `+ ${count(aliases.length, "alias", "aliases")}`,
    ];
    const title = [
        names.length && `Apps: ${list([...names, more && `${number(more)} more`].filter(Boolean))}`,
        aliases.length && `Also served on ${list(aliases.map(hostWords))}`,
    ];
    show(part(row, "note"), { text: text.filter(Boolean).join(" · ") || null, title: title.filter(Boolean).join(". ") });
}

/** The first labels, and a button that shows the others. */
function showLabels(row, labels, narrow) {
    const buttons = labels.map((name) => labelButton(name, narrow));
    const rest = buttons.splice(shownLabels);
    part(row, "labels").hidden = labels.length === 0;
    part(row, "labels").replaceChildren(...buttons);
    const more = part(row, "more-labels");
    more.hidden = rest.length === 0;
    more.textContent = `+${rest.length}`;
    more.title = list(labels.slice(shownLabels));
    more.setAttribute("aria-label", `${count(rest.length, "more label")}: ${more.title}`);
    more.addEventListener("click", () => {
        part(row, "labels").append(...rest);
        more.hidden = true;
        part(rest[0], "label").focus();
    });
}

function labelButton(name, narrow) {
    const item = clone("row-label", { label: name });
    const button = part(item, "label");
    button.title = `Show only domains labelled ${name}`;
    button.addEventListener("click", () => narrow("label", name));
    return item;
}
