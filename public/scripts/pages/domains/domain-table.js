import { announce } from "../../components/announce.js";
import { domainsAddress } from "../../shared/page/addresses.js";
import { clone, part } from "../../shared/page/template.js";
import { atMost } from "../../shared/words/numbers.js";
import { domainRow, showStar } from "./domain-row.js";

/** The rows of the table: domains with problems, starred ones, recently used ones, and all others, each once. */
export class DomainTable {
    #list;
    #organization;
    #used;
    #isSelected;
    #narrow;
    #first = new Set();
    #loaded = 0;
    #domains = new Map();
    #blockedReasons = new Map();

    /** `narrow(name, value)` sets a filter. */
    constructor(list, { organization }, { used, isSelected, narrow }) {
        this.#list = list;
        this.#organization = organization;
        this.#used = used;
        this.#isSelected = isSelected;
        this.#narrow = narrow;
        list.addEventListener("click", (event) => this.#click(event));
    }

    /** How many domains of the list have been loaded, including those that are shown in the groups at the top. */
    get loaded() {
        return this.#loaded;
    }

    get hosts() {
        return [...this.#list.querySelectorAll("[data-key]")].map(({ dataset }) => dataset.key);
    }

    /** The hosts of rows without the results of a current check. */
    get unchecked() {
        const rows = this.#list.querySelectorAll('[data-checks="outdated"], [data-checks="missing"]');
        return [...rows].map(({ dataset }) => dataset.key);
    }

    /** `first` are the groups at the top, or null. A domain is only in its first group. */
    draw(domains, first, { problems, limit }) {
        this.#first = new Set();
        this.#loaded = 0;
        this.#domains.clear();
        const { troubled = [], hasMore, starred = [], recent = [] } = first ?? {};
        this.#list.replaceChildren(...this.#group("Needs attention", troubled));
        if (hasMore && troubled.length) this.#list.append(this.#allProblems(problems, limit));
        this.#list.append(...this.#group("Starred", starred), ...this.#group("Recently used", recent));
        if (this.#first.size && domains.length > this.#first.size) {
            this.#list.append(clone("group-row", { title: "All other domains" }));
        }
        this.append(domains);
    }

    /** Adds a page of the list. Returns its rows. */
    append(domains) {
        const rows = domains.filter(({ host }) => !this.#first.has(host)).map((domain) => this.#row(domain));
        this.#list.append(...rows);
        this.#loaded += domains.length;
        return rows;
    }

    /** The domains with a publication that is due at a time. */
    get scheduled() {
        return [...this.#domains.values()].filter(({ pending }) => pending?.at);
    }

    /** Shows why pending publications will be suspended: reasons by the ID of the publication. */
    showBlocked(reasons) {
        const before = this.#blockedReasons;
        this.#blockedReasons = reasons;
        const isNew = ({ pending: { publication } }) => before.get(publication) !== reasons.get(publication);
        this.scheduled.filter(isNew).forEach((domain) => this.update(domain));
    }

    /** Replaces the row of a domain that has changed. */
    update(domain) {
        this.#list.querySelector(`[data-key="${CSS.escape(domain.host)}"]`)?.replaceWith(this.#row(domain));
    }

    #group(title, domains) {
        const others = domains.filter(({ host }) => !this.#first.has(host));
        for (const { host } of others) this.#first.add(host);
        return others.length ? [clone("group-row", { title }), ...others.map((domain) => this.#row(domain))] : [];
    }

    #allProblems({ any }, limit) {
        const row = clone("all-problems", { link: `Show all ${atMost(any, limit)} domains with problems` });
        part(row, "link").href = domainsAddress(this.#organization.slug, { problem: "any", sort: "problems" });
        return row;
    }

    #row(domain) {
        this.#domains.set(domain.host, domain);
        return domainRow(domain, {
            blockedReason: this.#blockedReasons.get(domain.pending?.publication),
            organization: this.#organization,
            isStarred: this.#used.isStarred(domain.host),
            isSelected: this.#isSelected(domain.host),
            narrow: this.#narrow,
        });
    }

    /** A click on a star or a text. Texts with a title are above the link of their row: a click on one follows it. */
    #click(event) {
        const row = event.target.closest("[data-key]");
        if (!row) return;
        if (event.target.closest('[data-part="star"]')) this.#star(row);
        if (event.target.closest("a, button, input")) return;
        const { ctrlKey, metaKey, shiftKey } = event;
        const click = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey };
        part(row, "host").dispatchEvent(new MouseEvent("click", click));
    }

    #star(row) {
        const isStarred = part(row, "star").ariaPressed !== "true";
        const isDone = this.#used.star(row.dataset.key, isStarred);
        if (!isDone) return announce("You have starred 40 domains. Remove a star first.");
        showStar(row, part(row, "host").textContent, isStarred);
    }
}
