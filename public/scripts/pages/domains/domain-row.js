import { domainAddress } from "../../shared/page/addresses.js";
import { clone, fill, label, part } from "../../shared/page/template.js";
import { showAgo } from "../../shared/times/moments.js";
import { showState } from "../../shared/words/domain-states.js";
import { count, list } from "../../shared/words/numbers.js";
import { draftStep, edgeStep, findingWords, liveStep, nextWords, sizeWords, testWords } from "./row-words.js";

const steps = { draft: draftStep, live: liveStep, edge: edgeStep };
const cells = { tests: testWords, findings: findingWords, size: sizeWords, next: nextWords };

/** A domain's row of the table. A click on a label calls `narrow` with it. */
export function domainRow(domain, { organization, isStarred, isSelected, narrow }) {
    const { host, unicodeHost, labels } = domain;
    const row = clone("domain-row");
    row.dataset.key = host;
    row.dataset.alias = domain.aliasOf ? "yes" : "no";
    const link = part(row, "host");
    link.textContent = link.title = unicodeHost;
    link.href = domainAddress(organization.slug, host);
    part(row, "select").setAttribute("aria-label", `Select ${unicodeHost}`);
    part(row, "select").checked = isSelected;
    showStar(row, unicodeHost, isStarred);
    showNote(row, domain);
    showState(part(row, "state"), domain.state);
    for (const [name, words] of Object.entries(cells)) show(part(row, name), words(domain));
    for (const [name, words] of Object.entries(steps)) showStep(part(row, name), words(domain));
    part(row, "draft-line").hidden = part(row, "draft").hidden;
    part(row, "edge-line").hidden = part(row, "edge").hidden;
    row.dataset.checks = checkState(domain);
    showAgo(part(row, "published"), domain.live?.publishedAt);
    part(row, "labels").hidden = labels.length === 0;
    part(row, "labels").replaceChildren(...labels.map((name) => labelButton(name, narrow)));
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
    if (title) element.title = title;
}

/** A screen reader reads the title of a step, because its dot is only a color. */
function showStep(element, { text, tone, title }) {
    element.hidden = text === "";
    part(element, "text").textContent = text;
    element.dataset.tone = tone ?? "";
    element.title = title ?? "";
    if (element.role) element.ariaLabel = title ?? "";
}

/** The domain of an alias, the aliases of a domain, and its name in ASCII. */
function showNote(row, { host, unicodeHost, aliasOf, aliases }) {
    const notes = [
        host !== unicodeHost && host,
        aliasOf && `alias of ${aliasOf}`,
        aliases.length && `+ ${count(aliases.length, "alias", "aliases")}`,
    ];
    fill(row, { note: notes.filter(Boolean).join(" · ") });
    part(row, "note").title = aliases.length ? `Also served on ${list(aliases)}` : part(row, "note").textContent;
}

function labelButton(name, narrow) {
    const item = clone("row-label", { label: name });
    const button = part(item, "label");
    button.title = `Show only domains labelled ${name}`;
    button.addEventListener("click", () => narrow("label", name));
    return item;
}
