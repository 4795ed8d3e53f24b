import { addressWithOrganization } from "../../../shared/page/addresses.js";
import { announce } from "../../../components/announce.js";
import { later, soon } from "../../../components/later.js";
import { at } from "../../../shared/api/api.js";
import { domainStates, showState } from "../../../shared/words/states.js";
import { freezeSentence } from "../../../shared/words/freeze-words.js";
import { showMoment } from "../../../shared/times/moments.js";
import { words } from "../../../shared/api/problem.js";
import { NextLook } from "../../../shared/following/next-look.js";
import { untilVisible } from "../../../shared/following/later.js";
import { count, number } from "../../../shared/words/numbers.js";
import { clone, fill, part, showHost } from "../../../shared/page/template.js";
import { isUntouched } from "../../../shared/words/untouched.js";

/**
 * The top of a domain's page: its name, its state, and what it needs next. Sends `change` when `page.domain`, the answer
 * that it shows, is a new one.
 */
export class DomainHead extends EventTarget {
    /** The freeze that covers the domain now, or null. */
    freeze = null;
    /** Whether the draft differs from the live version. */
    isChanged = false;

    #page;
    #root;
    #notices = null;
    #nextLook = new NextLook();
    #found = {};
    #timer;

    constructor(page) {
        super();
        this.#page = page;
        this.#root = part(page.main, "head");
        const { organization, me } = page.session;
        part(this.#root, "back").href = addressWithOrganization("/", organization.slug);
        part(this.#root, "frozen-link").href = addressWithOrganization("/schedules", organization.slug);
        this.show(page.domain);
    }

    async reload() {
        const { body } = await this.#page.api.get(at`/domains/${this.#page.host}`);
        this.show(body);
        await this.#showNotices();
    }

    /** After an edit. If the state cannot be loaded, the next edit loads it. */
    reloadQuietly() {
        this.reload().catch(() => {});
    }

    /** Shows the domain as the API has returned it. */
    show(domain) {
        this.#page.domain = domain;
        showHost(part(this.#root, "host"), domain.unicodeHost);
        fill(this.#root, { ascii: domain.host === domain.unicodeHost ? null : domain.host });
        showState(part(this.#root, "state"), domainStates[domain.state]);
        this.#showLive(domain);
        part(this.#root, "publish").classList.toggle("is-primary", domain.draft?.appCount > 0);
        this.isChanged = Boolean(domain.live && domain.draft?.changed);
        // If its script does not arrive, the pending changes ask for it again.
        soon(() => this.#page.standing.show({ stopped: domain.stopped }));
        this.#showChecks(domain);
        this.#showFreeze(domain);
        part(this.#root, "head-labels").replaceChildren(...domain.labels.map((label) => clone("label", { label })));
        this.#showNotices();
        this.dispatchEvent(new Event("change"));
    }

    /** Most domains need none of these notices, so their script comes only with the first one. */
    async #showNotices() {
        const { verified, aliasOf, withdrawal, state } = this.#page.domain;
        const isNeeded = !verified || aliasOf || withdrawal || state === "withdrawn";
        if (!isNeeded && !this.#notices) return;
        try {
            const { Notices } = await later(() => import("./notices.js"), "domain/notices");
            this.#notices ??= new Notices(this.#page);
            this.#notices.show(this.#page.domain);
        } catch (error) {
            announce(words(error));
        }
    }

    /** What is wrong with the draft, at the links to its parts. A new or changed draft is checked within seconds. */
    #showChecks({ checks, draft }) {
        const errors = checks?.errors && !isUntouched(draft) ? checks.errors : 0;
        const failed = checks?.failed ?? 0;
        this.#showCount("errors", errors, count(errors, "error"));
        this.#showCount("failed-tests", failed, `${number(failed)} failing`);
        clearTimeout(this.#timer);
        const wait = this.#nextLook.after(draft && !checks?.current ? [checks] : null);
        if (wait) this.#timer = setTimeout(() => untilVisible().then(() => this.reloadQuietly()), wait);
    }

    /** Screen readers read out the link of a part with more trouble than before. */
    #showCount(name, found, words) {
        const isWorse = found > (this.#found[name] ?? found);
        Object.assign(part(this.#root, name).parentElement, { ariaLive: isWorse ? "polite" : "off", ariaAtomic: "true" });
        fill(this.#root, { [name]: found ? words : null });
        this.#found[name] = found;
    }

    /** The page of an alias shows no freeze: its domain's page does. */
    #showFreeze({ freeze, aliasOf }) {
        this.freeze = aliasOf ? null : freeze;
        part(this.#root, "frozen").hidden = !this.freeze;
        if (this.freeze) part(this.#root, "frozen-until").textContent = freezeSentence(this.freeze);
    }

    #showLive({ live, state }) {
        this.live = live;
        const nothing = state === "withdrawn" ? "Nothing is live" : "Nothing is live yet";
        part(this.#root, "live").textContent = live ? `Version ${live.version} · went live` : nothing;
        showMoment(part(this.#root, "published"), live?.publishedAt);
    }
}
