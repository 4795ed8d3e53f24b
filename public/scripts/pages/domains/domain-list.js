import { domainAddress } from "../../shared/page/addresses.js";
import { dueWords } from "../../shared/times/due-time.js";
import { domainStates, showState } from "../../shared/words/domain-states.js";
import { onPress } from "../../shared/forms/form.js";
import { firstRows, KeptPlace } from "../../shared/page/kept-place.js";
import { afterPause } from "../../shared/following/later.js";
import { showMoment } from "../../shared/times/moments.js";
import { number } from "../../shared/words/numbers.js";
import { words } from "../../shared/api/problem.js";
import { clone, fill, part } from "../../shared/page/template.js";
import { Newest } from "../../shared/following/newest.js";

const pageSize = 50;

/**
 * The organization's domains. The filters are in the page's address, so that a filtered list can be bookmarked, and
 * Back restores the place.
 */
export class DomainList {
    #main;
    #session;
    #filters;
    #place;
    #searching = new Newest();

    constructor(main, session) {
        this.#main = main;
        this.#session = session;
        this.#filters = part(main, "filters");
        this.#place = new KeptPlace(part(main, "list"));
        fillStates(part(main, "states"));
        this.#readAddress();
        this.#listen();
    }

    /** Shows the list as it was when the user left the page, or its first page. */
    async show() {
        this.#draw(await firstRows((page) => this.#load(page), pageSize, this.#place.rows));
        this.#place.restore();
    }

    #draw({ items, next }) {
        fill(this.#main, { problem: null });
        part(this.#main, "list").replaceChildren(...items.map((domain) => this.#row(domain)));
        this.#showMore(next);
        this.#showEmptiness(items.length === 0);
    }

    async #load(page, signal) {
        const query = { ...this.#values(), ...page };
        return (await this.#session.api.get("/domains", { query, signal })).body;
    }

    #values() {
        return Object.fromEntries([...new FormData(this.#filters)].map(([name, value]) => [name, value.trim()]));
    }

    #row(domain) {
        const row = clone("domain-row", { version: domain.live ? `Version ${domain.live.version}` : "Nothing live" });
        const link = part(row, "host");
        link.textContent = domain.unicodeHost;
        link.href = domainAddress(this.#session.organization.slug, domain.host);
        showState(part(row, "state"), domain.state);
        showMoment(part(row, "published"), domain.live?.publishedAt);
        part(row, "note").textContent = note(domain);
        fill(row, { publication: publicationNote(domain) });
        part(row, "labels").replaceChildren(...domain.labels.map((name) => this.#labelButton(name)));
        return row;
    }

    #labelButton(name) {
        const item = clone("row-label", { label: name });
        item.title = `Show only domains labelled ${name}`;
        part(item, "label").addEventListener("click", () => this.#narrow("label", name));
        return item;
    }

    #narrow(name, value) {
        this.#filters.elements[name].value = value;
        this.#changed();
    }

    #showMore(cursor) {
        const more = part(this.#main, "more");
        more.hidden = !cursor;
        more.dataset.cursor = cursor ?? "";
    }

    async #appendMore() {
        const { items, next } = await this.#load({ limit: pageSize, cursor: part(this.#main, "more").dataset.cursor });
        const rows = items.map((domain) => this.#row(domain));
        part(this.#main, "list").append(...rows);
        this.#showMore(next);
        this.#place.keep();
        fill(this.#main, { problem: null });
        part(rows[0] ?? this.#main, "host")?.focus();
    }

    /**
     * An empty search result differs from an organization without domains, which gets the welcome. The heading's button
     * is hidden until that is known, so that it cannot disappear under a click.
     */
    #showEmptiness(isEmpty) {
        const isFiltered = Object.values(this.#values()).some(Boolean);
        part(this.#main, "loading").hidden = true;
        part(this.#main, "welcome").hidden = !isEmpty || isFiltered;
        part(this.#main, "nothing-found").hidden = !isEmpty || !isFiltered;
        part(this.#main, "heading").hidden = this.#filters.hidden = isEmpty && !isFiltered;
        part(this.#main, "add").hidden = false;
        part(this.#main, "columns").hidden = isEmpty;
    }

    #listen() {
        this.#filters.addEventListener("submit", (event) => event.preventDefault());
        this.#filters.addEventListener("input", afterPause(200, () => this.#changed()));
        part(this.#main, "clear").addEventListener("click", () => this.#clear());
        onPress(part(this.#main, "more"), () => this.#appendMore(), (error) => this.#failed(error));
    }

    #clear() {
        for (const control of this.#filters.elements) if (control.name) control.value = "";
        this.#changed();
        this.#filters.elements.q.focus();
    }

    async #changed() {
        const address = new URL(location.href);
        for (const [name, value] of Object.entries(this.#values())) {
            if (value) address.searchParams.set(name, value);
            else address.searchParams.delete(name);
        }
        history.replaceState(null, "", address);
        await this.#searching.ask((signal) => this.#load({ limit: pageSize }, signal), {
            answered: (found) => this.#draw(found),
            failed: (error) => this.#failed(error),
        });
    }

    #readAddress() {
        const asked = new URLSearchParams(location.search);
        for (const control of this.#filters.elements) control.value = asked.get(control.name) ?? "";
    }

    #failed(error) {
        fill(this.#main, { problem: words(error) });
    }
}

function fillStates(select) {
    select.append(...Object.entries(domainStates).map(([state, { words }]) => new Option(words, state)));
}

function note({ aliasOf, aliases, host, unicodeHost }) {
    const parts = [];
    if (aliasOf) parts.push(`alias of ${aliasOf}`);
    if (aliases.length) parts.push(`also served on ${aliases.slice(0, 2).join(", ")}${more(aliases.length - 2)}`);
    if (host !== unicodeHost) parts.push(host);
    return parts.join(" · ");
}

/** The publication that did not go live, then the pending one. */
function publicationNote({ stopped, pending }) {
    const parts = [];
    if (stopped) parts.push(`Version ${stopped.version} ${stopped.state}`);
    if (pending) {
        const others = pending.count > 1 ? `, with ${number(pending.count - 1)} more` : "";
        parts.push(`Version ${pending.version} pending${pending.at ? `, due ${dueWords(pending.at)}` : ""}${others}`);
    }
    return parts.join(" · ") || null;
}

function more(others) {
    return others > 0 ? ` and ${number(others)} more` : "";
}
