import { domainAddress } from "../../shared/page/addresses.js";

const partNames = { rules: "Rules", tests: "Tests", versions: "Versions", serving: "Serving", settings: "Settings" };

/**
 * The parts of a domain's page. Each has an address, and one of them is visible. Links to a part, and to a place in a
 * part, change the address without loading the page. Calls `shown(name)` whenever a part becomes visible.
 *
 * The elements of a part are marked `data-page-part="NAME"`. An alias has fewer parts than a domain with a file.
 */
export class DomainParts {
    #page;
    #title;
    #links;
    #shown;
    #current = null;

    constructor(page, { unicodeHost }, shown) {
        this.#page = page;
        this.#title = unicodeHost;
        this.#shown = shown;
        this.#links = [...page.main.querySelectorAll("[data-part-link]")].filter((link) => !link.closest("[hidden]"));
        for (const link of this.#links) link.href = this.#address(link.dataset.partLink);
        window.addEventListener("popstate", () => this.#show(this.#named(location)) && this.focus());
        document.addEventListener("click", (event) => this.#follow(event));
        const first = this.#named(location);
        if (location.hash.slice(1) in partNames) history.replaceState(history.state, "", this.#address(first));
        this.#show(first);
    }

    /** The element of the visible part. Notices appear in it. */
    get place() {
        return this.#page.main.querySelector(`[data-page-part="${this.#current}"]`);
    }

    /** Goes to a part and moves the focus to its heading. */
    open(name) {
        if (name !== this.#current) history.pushState(null, "", this.#address(name));
        this.#show(name);
        this.focus();
    }

    /** Moves the focus to the heading of the visible part. */
    focus() {
        this.place.querySelector("h2").focus();
    }

    #address(name) {
        return domainAddress(this.#page.session.organization.slug, this.#page.host, name);
    }

    /** Returns the part for an address. The path or the text after `#` identifies the part. */
    #named({ pathname, hash }) {
        const id = hash.slice(1);
        const place = document.getElementById(id)?.closest("[data-page-part]")?.dataset.pagePart;
        const names = this.#links.map((link) => link.dataset.partLink);
        return [place, id, pathname.split("/")[2]].find((name) => names.includes(name)) ?? names[0];
    }

    #show(name) {
        if (name === this.#current) return false;
        this.#current = name;
        document.title = `${this.#title} · ${partNames[name]} · Waymark`;
        for (const element of this.#page.main.querySelectorAll("[data-page-part]")) {
            element.hidden = element.dataset.pagePart !== name;
        }
        for (const link of this.#links) {
            if (link.dataset.partLink === name) link.setAttribute("aria-current", "page");
            else link.removeAttribute("aria-current");
        }
        this.#shown(name);
        return true;
    }

    /** Follows a link to this page. Does nothing if the user opens the link in another tab. */
    #follow(event) {
        const link = event.target.closest?.("a[href]");
        const isPlain = !(event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
        if (!link || !isPlain || event.defaultPrevented || !this.#isHere(new URL(link.href))) return;
        event.preventDefault();
        const { hash } = new URL(link.href);
        const isPlace = document.getElementById(hash.slice(1)) !== null;
        const name = this.#named(new URL(link.href));
        if (!isPlace) return this.open(name);
        if (name !== this.#current) history.pushState(null, "", this.#address(name));
        this.#show(name);
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
