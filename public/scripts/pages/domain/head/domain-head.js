import { addressWithOrganization, domainAddress } from "../../../shared/page/addresses.js";
import { announce } from "../../../components/announce.js";
import { at } from "../../../shared/api/api.js";
import { domainStates, showState } from "../../../shared/words/states.js";
import { onPress } from "../../../shared/forms/form.js";
import { freezeSentence } from "../../../shared/words/freeze-words.js";
import { showMoment } from "../../../shared/times/moments.js";
import { words } from "../../../shared/api/problem.js";
import { NextLook } from "../../../shared/following/next-look.js";
import { untilVisible } from "../../../shared/following/later.js";
import { count, number } from "../../../shared/words/numbers.js";
import { clone, fill, part } from "../../../shared/page/template.js";
import { WithdrawalView } from "./withdrawal.js";
import { hostWords } from "../../../shared/words/host-words.js";

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
    #withdrawal;
    #nextLook = new NextLook();
    #timer;

    constructor(page) {
        super();
        this.#page = page;
        this.#root = part(page.main, "head");
        this.#withdrawal = new WithdrawalView(page);
        const { organization, me } = page.session;
        part(this.#root, "back").href = addressWithOrganization("/", organization.slug);
        part(this.#root, "frozen-link").href = addressWithOrganization("/schedules", organization.slug);
        part(this.#root, "verify").hidden = !me.installation.local;
        part(this.#root, "verify-operator").hidden = me.installation.local;
        const verify = `waymark domain verify --organization ${organization.slug} ${page.domain.host}`;
        part(this.#root, "verify-command").textContent = verify;
        onPress(part(this.#root, "verify"), () => this.verify(), (error) => announce(words(error)));
        onPress(part(this.#root, "detach"), () => this.#detach(), (error) => announce(words(error)));
        this.show(page.domain);
    }

    async reload() {
        const { body } = await this.#page.api.get(at`/domains/${this.#page.host}`);
        this.show(body);
    }

    /** After an edit. If the state cannot be loaded, the next edit loads it. */
    reloadQuietly() {
        this.reload().catch(() => {});
    }

    /** Shows the domain as the API has returned it. */
    show(domain) {
        const { organization } = this.#page.session;
        this.#page.domain = domain;
        part(this.#root, "host").textContent = domain.unicodeHost;
        part(this.#root, "ascii").textContent = domain.host;
        part(this.#root, "ascii").hidden = domain.host === domain.unicodeHost;
        showState(part(this.#root, "state"), domainStates[domain.state]);
        this.#showLive(domain);
        this.isChanged = Boolean(domain.live && domain.draft?.changed);
        this.#page.standing.showStopped(domain.stopped);
        this.#showChecks(domain.checks);
        this.#withdrawal.show(domain);
        this.#showFreeze(domain);
        part(this.#root, "unverified").hidden = domain.verified;
        part(this.#root, "alias-of").hidden = !domain.aliasOf;
        if (domain.aliasOf) {
            part(this.#root, "target").textContent = hostWords(domain.aliasOf);
            part(this.#root, "target").href = domainAddress(organization.slug, domain.aliasOf);
            part(this.#root, "detach").hidden = Boolean(domain.live);
            part(this.#root, "detach-later").hidden = !domain.live;
        }
        part(this.#root, "head-labels").replaceChildren(...domain.labels.map((label) => clone("label", { label })));
        this.dispatchEvent(new Event("change"));
    }

    /** What is wrong with the draft, at the links to its parts. A changed draft is checked again within seconds. */
    #showChecks(checks) {
        fill(this.#root, {
            errors: checks?.errors ? count(checks.errors, "error") : null,
            "failed-tests": checks?.failed ? `${number(checks.failed)} failing` : null,
        });
        clearTimeout(this.#timer);
        const wait = this.#nextLook.after(checks?.current === false ? [checks] : null);
        if (wait) this.#timer = setTimeout(() => untilVisible().then(() => this.reloadQuietly()), wait);
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

    /** Gives an alias its own file. */
    async #detach() {
        await this.#page.api.patch(at`/domains/${this.#page.host}`, { aliasOf: null });
        location.reload();
    }

    /** Marks the host as verified. Only a local installation allows this. */
    async verify() {
        const { body } = await this.#page.api.post(at`/domains/${this.#page.host}/verifications`, { method: "local" });
        this.show(body);
        announce(`${body.unicodeHost} marked as verified.`);
        part(this.#root, "host").focus();
    }
}
