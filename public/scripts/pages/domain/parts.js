import { domainAddress } from "../../shared/page/addresses.js";
import { words } from "../../shared/api/problem.js";
import { clone, part } from "../../shared/page/template.js";
import { openPart } from "./part-scripts.js";

const partNames = { rules: "Rules", tests: "Tests", versions: "Versions", serving: "Serving", settings: "Settings" };
/** The parts of places that an address may name after `#`. */
const places = { withdrawing: "settings", handover: "serving", file: "rules", findings: "rules", errors: "rules" };

/**
 * The parts of a domain's page. Each has an address, and one of them is visible. Links to a part, and to a place in a
 * part, change the address without loading the page. A part is loaded when it is first shown; if that fails, a notice
 * offers to try again.
 *
 * The elements of a part are marked `data-page-part="NAME"`. An alias has fewer parts than a domain with a file.
 */
export class DomainParts {
    #page;
    #links;
    #current = null;
    /** By name, what `openPart` returned. */
    #opened = new Map();

    constructor(page) {
        this.#page = page;
        this.#links = [...page.main.querySelectorAll("[data-part-link]")].filter((link) => !link.closest("[hidden]"));
        for (const link of this.#links) link.href = this.#address(link.dataset.partLink);
        window.addEventListener("popstate", () => this.#go(this.#named(location)));
        document.addEventListener("click", (event) => this.#follow(event));
    }

    /** Shows the part that the address names. */
    async start() {
        const first = this.#named(location);
        if (location.hash.slice(1) in partNames) history.replaceState(history.state, "", this.#address(first));
        await this.#show(first);
    }

    /** The element of the visible part. Notices appear in it. */
    get place() {
        return this.#page.main.querySelector(`[data-page-part="${this.#current}"]`);
    }

    /** What `openPart` returned for a part that has been shown, or undefined. */
    opened(name) {
        return this.#opened.get(name);
    }

    /** Goes to a part and moves the focus to its heading. Returns what `openPart` returned, or undefined. */
    async open(name) {
        if (name !== this.#current) history.pushState(null, "", this.#address(name));
        await this.#show(name);
        if (name === this.#current) this.focus();
        return this.opened(name);
    }

    /** Moves the focus to the heading of the visible part. */
    focus() {
        if (this.opened(this.#current)) this.place.querySelector("h2").focus();
    }

    #address(name) {
        return domainAddress(this.#page.session.organization.slug, this.#page.host, name);
    }

    /** Returns the part for an address. The path or the text after `#` identifies the part. */
    #named({ pathname, hash }) {
        const id = hash.slice(1);
        const place = /^(rule|entry|finding)-/.test(id) ? "rules" : places[id];
        const names = this.#links.map((link) => link.dataset.partLink);
        return [place, id, pathname.split("/")[2]].find((name) => names.includes(name)) ?? names[0];
    }

    async #go(name) {
        if (name === this.#current) return;
        await this.#show(name);
        if (name === this.#current) this.focus();
    }

    async #show(name) {
        if (name !== this.#current) {
            this.#current = name;
            this.#page.main.dataset.current = name;
            this.#page.preview?.follow();
            document.title = `${this.#page.domain.unicodeHost} · ${partNames[name]} · Waymark`;
            for (const link of this.#links) {
                if (link.dataset.partLink === name) link.setAttribute("aria-current", "page");
                else link.removeAttribute("aria-current");
            }
        }
        this.#draw();
        if (!this.opened(name)) await this.#load(name);
    }

    /** A part that is still loading has a line in its place. */
    #draw() {
        for (const element of this.#page.main.querySelectorAll("[data-page-part]")) {
            element.hidden = element.dataset.pagePart !== this.#current || !this.opened(this.#current);
        }
        part(this.#page.main, "loading").hidden = Boolean(this.opened(this.#current));
        this.#page.main.querySelector(".part-problem")?.remove();
    }

    async #load(name) {
        try {
            const opened = await openPart(this.#page, name);
            if (!this.opened(name)) this.#opened.set(name, opened);
        } catch (error) {
            if (name === this.#current) this.#showProblem(name, error);
            return;
        }
        if (name === this.#current) this.#draw();
        this.#page.news.show(this.opened(name).updates);
    }

    #showProblem(name, error) {
        const notice = clone("part-problem", { title: `“${partNames[name]}” could not be loaded.`, detail: words(error) });
        part(notice, "again").addEventListener("click", () => this.open(name));
        part(this.#page.main, "loading").hidden = true;
        part(this.#page.main, "bench-parts").prepend(notice);
        part(notice, "again").focus();
    }

    /** Follows a link to this page. Does nothing if the user opens the link in another tab. */
    async #follow(event) {
        const link = event.target.closest?.("a[href]");
        const isPlain = !(event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
        if (!link || !isPlain || event.defaultPrevented || !this.#isHere(new URL(link.href))) return;
        event.preventDefault();
        const { hash } = new URL(link.href);
        const name = this.#named(new URL(link.href));
        if (hash.length < 2) return this.open(name);
        if (name !== this.#current) history.pushState(null, "", this.#address(name));
        await this.#show(name);
        if (name !== this.#current) return;
        this.opened(name)?.rules?.showRule(hash.slice(6));
        // Scrolls to the place, and marks it as the target.
        location.replace(hash);
    }

    #isHere({ origin, pathname, searchParams }) {
        const { organization, host } = Object.fromEntries(searchParams);
        const own = { organization: this.#page.session.organization.slug, host: this.#page.host };
        if (origin !== location.origin || pathname.split("/")[1] !== "domain") return false;
        return host === own.host && (organization ?? own.organization) === own.organization;
    }
}
