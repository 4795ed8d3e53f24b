import { words } from "../../shared/api/problem.js";
import { afterPause } from "../../shared/following/later.js";
import { Newest } from "../../shared/following/newest.js";
import { part } from "../../shared/page/template.js";
import { UsedDomains } from "../../shared/page/used-domains.js";
import { count } from "../../shared/words/numbers.js";
import { openDialog } from "../dialogs.js";
import { actionItems } from "./actions.js";
import { domainItems, rulesOfDomains } from "./domain-items.js";
import { pageItems } from "./pages.js";
import { ranked } from "./ranking.js";
import { Recent } from "./recent.js";
import { ResultList } from "./result-list.js";
import { domainItem, search } from "./search.js";

const pauseInTyping = 120;
const maximumPerGroup = 8;
/** How many domains are asked for a rule: those that the user opened last, then starred ones. */
const maximumUsed = 12;
/** Groups of many items, which appear only when the user types. */
const typedOnly = ["Rules", "Versions"];

/** The finder. `session` is null for a visitor. It begins with what the user has `typed` while it was loading. */
export function openPalette(session, typed = "") {
    const { dialog, closed } = openDialog("palette");
    const palette = new Palette(dialog, session, typed);
    closed.then(() => palette.close());
}

/**
 * Finds domains, apps, rules, versions, pages and actions. Those of this page are found while the user types; those of
 * the organization by the API, after a pause in typing. A path also finds rules of the domains that the user uses.
 */
class Palette {
    #dialog;
    #place;
    #input;
    #list;
    #recent;
    #items;
    #found = [];
    #hasUsedRules = false;
    #asking = new Newest();

    constructor(dialog, session, typed) {
        this.#dialog = dialog;
        this.#input = part(dialog, "input");
        this.#input.value = typed;
        this.#list = new ResultList(part(dialog, "list"), this.#input, (item, options) => this.#choose(item, options));
        const organization = session?.organization;
        this.#place = { session, api: session?.api, slug: organization?.slug, host: organization ? hostOfPage() : null };
        this.#recent = new Recent(session);
        this.#items = [...pageItems(this.#place), ...actionItems(this.#place)];
        const searchLater = afterPause(pauseInTyping, () => this.#search());
        this.#input.addEventListener("input", () => (this.#show(), searchLater()));
        dialog.addEventListener("keydown", (event) => this.#pressed(event));
        // A click beside the dialog is on its backdrop.
        dialog.addEventListener("pointerdown", ({ target }) => target === dialog && dialog.close());
        this.#show();
        if (typed) searchLater();
        if (this.#place.host) this.#loadDomain();
    }

    close() {
        this.#asking.stop();
    }

    get #typed() {
        return this.#input.value.trim();
    }

    #show() {
        const groups = this.#typed ? this.#groups() : this.#restingGroups();
        this.#list.show(groups);
        const total = groups.reduce((sum, { items }) => sum + items.length, 0);
        this.#say(total ? count(total, "result") : "Nothing found.");
    }

    #groups() {
        const known = new Set();
        const items = [...this.#lastUsed(), ...this.#found, ...this.#items].filter(({ href }) => {
            const isNew = !href || !known.has(href);
            known.add(href);
            return isNew;
        });
        return ranked(items, this.#typed, maximumPerGroup);
    }

    /** What was opened here, then the domains that were opened in other ways. */
    #lastUsed() {
        const { session, slug } = this.#place;
        const opened = this.#recent.items;
        const hosts = slug ? new UsedDomains(session).recent : [];
        const domains = hosts.map((host) => domainItem(slug, { host }));
        return [...opened, ...domains.filter(({ href }) => opened.every((each) => each.href !== href))];
    }

    /** Before anything is typed: what was opened last, then what this page offers. */
    #restingGroups() {
        const recent = this.#lastUsed();
        const others = this.#items.filter(({ group }) => !typedOnly.includes(group));
        const groups = Map.groupBy(others, ({ group }) => group);
        return [{ name: "Recent", items: recent }, ...[...groups].map(([name, items]) => ({ name, items }))].filter(
            ({ items }) => items.length > 0,
        );
    }

    async #loadUsedRules() {
        if (this.#hasUsedRules) return;
        this.#hasUsedRules = true;
        const { recent, starred } = new UsedDomains(this.#place.session);
        const hosts = [...new Set([...recent, ...starred])].filter((host) => host !== this.#place.host);
        this.#add(await rulesOfDomains(this.#place, hosts.slice(0, maximumUsed)));
    }

    /** A failure leaves the pages and the actions. */
    async #loadDomain() {
        this.#add(await domainItems(this.#place).catch(() => []));
    }

    #add(items) {
        this.#items = [...this.#items, ...items];
        if (this.#dialog.open && this.#typed) this.#show();
    }

    async #search() {
        const typed = this.#typed;
        this.#asking.stop();
        if (!typed || !this.#place.slug) return;
        if (typed.startsWith("/")) this.#loadUsedRules();
        await this.#asking.ask((signal) => search(this.#place, typed, signal), {
            answered: (found) => {
                // The API has matched them already, by rules of its own.
                this.#found = found.map((item) => ({ ...item, also: `${item.also ?? ""} ${typed}` }));
                this.#show();
            },
            failed: (error) => this.#say(words(error)),
        });
    }

    #say(text) {
        part(this.#dialog, "status").textContent = text;
    }

    #pressed(event) {
        const isMod = event.metaKey || event.ctrlKey;
        if (isMod && event.key.toLowerCase() === "k") this.#dialog.close();
        else if (!this.#list.pressed(event)) return;
        event.preventDefault();
    }

    #choose(item, { beside }) {
        if (item.href) this.#recent.opened(item);
        if (item.href && beside) return void window.open(item.href, "_blank", "noopener");
        this.#dialog.close();
        if (item.href) location.assign(item.href);
        else item.run();
    }
}

/** The host of the domain that the page is about, from its address. */
function hostOfPage() {
    const { pathname, searchParams } = new URL(location.href);
    return /^\/(domain|publish)(\/|$)/.test(pathname) ? searchParams.get("host") : null;
}
