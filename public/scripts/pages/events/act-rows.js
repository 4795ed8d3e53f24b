import { clockIn, dayIn, ownZone, timeIn } from "../../shared/times/zones.js";
import { showMoment } from "../../shared/times/moments.js";
import { count, number } from "../../shared/words/numbers.js";
import { clone, fill, part, showHost } from "../../shared/page/template.js";
import { domainAddress } from "../../shared/page/addresses.js";
import { actWords, stepsOf, wordsWith } from "./act-words.js";
import { bypasses, eventNote, eventTone, eventWords } from "./event-words.js";
import { authorWords } from "../../shared/words/author-words.js";
import { hostWords } from "../../shared/words/host-words.js";

const shownHosts = 12;

/** The acts as sections, one for each day. `row(act)` makes the row of an act. */
export function daySections(acts, row) {
    const days = Map.groupBy(acts, ({ events: [newest] }) => dayIn(ownZone, newest.at));
    return [...days].map(([day, ofDay]) => {
        const section = clone("event-day", { day: dayWords(day) });
        part(section, "acts").append(...ofDay.map(row));
        part(section, "acts").setAttribute("aria-label", `Events of ${day}`);
        return section;
    });
}

/** The row of an act. `unfolds(act, steps)` fills its steps when they are shown first. */
export function actRow(act, { organization, isNew, isOpen, hasEntries, unfolds, folded, filterByAuthor }) {
    const { name, address, what, note, tone, author } = actWords(act, organization);
    const row = clone("act", { what, note, subject: address ? null : name, about: address ? name : null });
    row.dataset.key = act.key;
    row.dataset.tone = tone;
    row.classList.toggle("is-new", isNew);
    if (address) part(row, "about").href = address;
    if (name) showHost(part(row, address ? "about" : "subject"), name);
    showMoment(part(row, "at"), act.events[0].at, clockIn(ownZone, act.events[0].at));
    const actor = part(row, "actor");
    actor.textContent = authorWords(author);
    actor.title = `Show only events by ${authorWords(author)}`;
    actor.addEventListener("click", () => filterByAuthor(author));
    showUnfold(row, act, { name, what, isOpen, hasEntries, unfolds, folded });
    return row;
}

function showUnfold(row, act, { name, what, isOpen, hasEntries, unfolds, folded }) {
    const button = part(row, "unfold");
    button.hidden = !isOpen && !hasEntries && act.events.length < 2 && !act.events[0].act;
    if (button.hidden) return;
    button.setAttribute("aria-label", `Steps of ${[name, what].filter(Boolean).join(": ")}`);
    const open = (isNowOpen) => {
        button.setAttribute("aria-expanded", isNowOpen);
        part(row, "steps").hidden = !isNowOpen;
        if (isNowOpen) unfolds(act, part(row, "steps"));
        else folded(act);
    };
    button.addEventListener("click", () => open(button.getAttribute("aria-expanded") !== "true"));
    if (isOpen) open(true);
}

/** The steps of an act, newest first. Equal steps on several domains are one. `opensEntry` is for administrators, or null. */
export function stepRows(events, organization, opensEntry) {
    const day = dayIn(ownZone, events[0].at);
    const isOfMany = new Set(events.map(({ host }) => host)).size > 1;
    return stepsOf(events).map((together) => {
        const [event] = together;
        const more = together.length > 1 ? ` · ${count(together.length, "domain")}` : "";
        const bypass = bypasses(event) ? event : null;
        const what = wordsWith(bypass, event, more);
        const row = clone("act-step", { what, note: eventNote(event, bypass), actor: authorWords(event.actor) });
        row.dataset.tone = eventTone(event);
        const time = part(row, "at");
        const isSameDay = dayIn(ownZone, event.at) === day;
        time.dateTime = event.at;
        time.textContent = isSameDay ? clockIn(ownZone, event.at, { isExact: true }) : timeIn(ownZone, event.at);
        time.title = `${timeIn("UTC", event.at, { isExact: true })} UTC`;
        const showsHosts = isOfMany && event.host;
        offerEntry(row, event, what, together.length === 1 && opensEntry);
        if (showsHosts) showHosts(part(row, "hosts"), together, organization, together.length > 1 && opensEntry);
        return row;
    });
}

function offerEntry(row, event, what, opensEntry) {
    const button = part(row, "entry");
    button.hidden = !opensEntry;
    button.setAttribute("aria-label", `Details: ${what}`);
    button.addEventListener("click", () => opensEntry(event));
}

function showHosts(element, events, organization, opensEntry) {
    const links = events.map((event) => {
        const link = clone("act-host");
        showHost(part(link, "host"), hostWords(event.host));
        part(link, "host").href = domainAddress(organization, event.host);
        offerEntry(link, event, `${eventWords(event)}, ${hostWords(event.host)}`, opensEntry);
        return link;
    });
    element.hidden = false;
    element.replaceChildren(...links.slice(0, shownHosts));
    if (links.length <= shownHosts) return;
    const more = clone("act-more");
    fill(more, { more: `${number(links.length - shownHosts)} more` });
    part(more, "more").addEventListener("click", () => {
        element.replaceChildren(...links);
        part(links[shownHosts], "host").focus();
    });
    element.append(more);
}

function dayWords(day) {
    if (day === dayIn(ownZone, new Date())) return `Today · ${day}`;
    if (day === dayIn(ownZone, Date.now() - 86_400_000)) return `Yesterday · ${day}`;
    return day;
}
