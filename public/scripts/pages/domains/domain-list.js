import { Newest } from "../../shared/following/newest.js";
import { onPress } from "../../shared/forms/form.js";
import { firstRows, KeptPlace } from "../../shared/page/kept-place.js";
import { fill, part } from "../../shared/page/template.js";
import { words } from "../../shared/api/problem.js";
import { atMost } from "../../shared/words/numbers.js";
import { DomainTable } from "./domain-table.js";
import { Filters } from "./filters.js";
import { SelectionBar } from "./selection-bar.js";
import { UsedFirst } from "./used-first.js";

const pageSize = 50;
/** The most domains with problems that come first. */
const maximumTroubled = 5;

/**
 * The organization's domains, those with problems first, page by page. Back restores the rows, the selection
 * and the place.
 */
export class DomainList {
    table;
    #main;
    #session;
    #filters;
    #place;
    #used;
    #bar;
    #counts;
    #searching = new Newest();

    constructor(main, session) {
        this.#main = main;
        this.#session = session;
        this.#filters = new Filters(main, session.api, () => this.#search());
        this.#used = new UsedFirst(session);
        this.#place = new KeptPlace(part(main, "list"), () => this.table.loaded);
        this.#bar = new SelectionBar(main, session, this.#filters, this.#place, () => this.reload());
        this.table = new DomainTable(part(main, "list"), session, {
            used: this.#used,
            isSelected: (host) => this.#bar.has(host),
            narrow: (name, value) => this.#filters.set(name, value),
        });
        part(main, "needing").addEventListener("click", () => this.#filters.showProblems());
        onPress(part(main, "more"), () => this.#appendMore(), (error) => this.#failed(error));
    }

    /** Shows the list as it was when the user left the page, or its first page. */
    async show() {
        this.#draw(await this.#all(this.#place.rows, this.#used.hosts(this.#place.returned?.used)));
        this.#place.restore();
    }

    /** Loads the shown rows again, for example after a change of many domains. */
    reload() {
        return this.#find(this.table.loaded, this.#used.hosts(history.state?.used));
    }

    async updateCounts() {
        this.#showCounts((await this.#load({ limit: 1 })).counts);
        await this.#showBlocked();
    }

    /**
     * Asks only if a publication is scheduled, after the rows are shown. Knows the newest 200 of the organization. A
     * failure leaves the rows as they are.
     */
    async #showBlocked() {
        if (!this.table.scheduled.length) return;
        const query = { state: "scheduled", limit: 200 };
        const answer = await this.#session.api.get("/publications", { query }).catch(() => null);
        if (!answer) return;
        const blocked = answer.body.items.filter(({ blockedReason }) => blockedReason);
        this.table.showBlocked(new Map(blocked.map(({ id, blockedReason }) => [id, blockedReason])));
    }

    #search() {
        this.#bar.clear();
        return this.#find(0, this.#used.hosts());
    }

    #find(rows, used) {
        return this.#searching.ask((signal) => this.#all(rows, used, signal), {
            answered: (found) => this.#draw(found),
            failed: (error) => this.#failed(error),
        });
    }

    /** All that the page shows, at least as many `rows` as before. */
    async #all(rows, used, signal) {
        let counts;
        const ask = async (page) => {
            const body = await this.#load(page, signal);
            counts ??= body.counts;
            return body;
        };
        const [{ items, next }, first] = await Promise.all([
            firstRows(ask, pageSize, rows),
            this.#filters.isUntouched ? this.#first(used, signal) : null,
        ]);
        return { items, next, counts, used, first: first && UsedFirst.shown(first, counts) };
    }

    async #load(page, signal) {
        const query = { ...this.#filters.values, ...page, ...(!page.cursor && { counts: true }) };
        return (await this.#session.api.get("/domains", { query, signal })).body;
    }

    /** The groups at the top: the domains with the worst problems, starred ones, and recently used ones. */
    async #first(used, signal) {
        const query = { problem: "any", sort: "problems", limit: maximumTroubled };
        const [{ body }, groups] = await Promise.all([
            this.#session.api.get("/domains", { query, signal }),
            this.#used.load(used, signal),
        ]);
        return { troubled: body.items, hasMore: body.next !== null, ...groups };
    }

    #draw({ items, next, counts, first, used }) {
        fill(this.#main, { problem: null });
        this.table.draw(items, first, counts);
        this.#showMore(next);
        this.#showEmptiness(items.length === 0);
        this.#showCounts(counts);
        this.#place.keepMore({ used });
        this.#showBlocked();
    }

    #showCounts(counts) {
        this.#counts = counts;
        this.#bar.show(counts);
        this.#filters.showCounts(counts);
        const { any } = counts.problems;
        const words = `${atMost(any, counts.limit)} ${any === 1 ? "needs" : "need"} attention`;
        const { isNarrow } = this.#filters;
        part(this.#main, "healthy").hidden = isNarrow || any > 0;
        fill(this.#main, { needing: any && !isNarrow ? words : null });
    }

    #showMore(cursor) {
        const more = part(this.#main, "more");
        more.hidden = !cursor;
        more.dataset.cursor = cursor ?? "";
    }

    async #appendMore() {
        const { items, next } = await this.#load({ limit: pageSize, cursor: part(this.#main, "more").dataset.cursor });
        const [first] = this.table.append(items);
        this.#showMore(next);
        this.#bar.show(this.#counts);
        this.#place.keep();
        fill(this.#main, { problem: null });
        if (first) part(first, "host").focus();
        this.#showBlocked();
    }

    /**
     * An empty search result differs from an organization without domains, which gets the welcome. The heading's button
     * is hidden until that is known, so that it cannot disappear under a click.
     */
    #showEmptiness(isEmpty) {
        const isWelcome = isEmpty && !this.#filters.isNarrow;
        part(this.#main, "loading").hidden = true;
        part(this.#main, "welcome").hidden = !isWelcome;
        part(this.#main, "nothing-found").hidden = !isEmpty || isWelcome;
        part(this.#main, "heading").hidden = isWelcome;
        this.#filters.hide(isWelcome);
        part(this.#main, "add").hidden = false;
        part(this.#main, "frame").hidden = isEmpty;
    }

    #failed(error) {
        fill(this.#main, { problem: words(error) });
    }
}
