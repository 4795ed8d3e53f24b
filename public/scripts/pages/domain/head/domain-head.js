import { addressWithOrganization } from "../../../shared/page/addresses.js";
import { announce } from "../../../components/announce.js";
import { later, soon } from "../../../components/later.js";
import { at } from "../../../shared/api/api.js";
import { domainStates, showState } from "../../../shared/words/states.js";
import { onPress } from "../../../shared/forms/press.js";
import { freezeSentence } from "../../../shared/words/freeze-words.js";
import { showMoment } from "../../../shared/times/moments.js";
import { words } from "../../../shared/api/problem.js";
import { NextLook } from "../../../shared/following/next-look.js";
import { untilVisible } from "../../../shared/following/later.js";
import { count, number } from "../../../shared/words/numbers.js";
import { clone, fill, part } from "../../../shared/page/template.js";

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
    #withdrawal = null;
    #alias = null;
    #nextLook = new NextLook();
    #timer;

    constructor(page) {
        super();
        this.#page = page;
        this.#root = part(page.main, "head");
        const { organization, me } = page.session;
        part(this.#root, "back").href = addressWithOrganization("/", organization.slug);
        part(this.#root, "frozen-link").href = addressWithOrganization("/schedules", organization.slug);
        part(this.#root, "verify").hidden = !me.installation.local;
        part(this.#root, "verify-operator").hidden = me.installation.local;
        const verify = `waymark domain verify --organization ${organization.slug} ${page.domain.host}`;
        part(this.#root, "verify-command").textContent = verify;
        onPress(part(this.#root, "verify"), () => this.verify(), (error) => announce(words(error)));
        this.show(page.domain);
    }

    async reload() {
        const { body } = await this.#page.api.get(at`/domains/${this.#page.host}`);
        this.show(body);
        await this.#showWithdrawal();
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
        // If its script does not arrive, the pending changes ask for it again.
        soon(() => this.#page.standing.show({ stopped: domain.stopped }));
        this.#showChecks(domain.checks);
        this.#showFreeze(domain);
        part(this.#root, "unverified").hidden = domain.verified;
        if (domain.aliasOf) this.#showAlias();
        part(this.#root, "head-labels").replaceChildren(...domain.labels.map((label) => clone("label", { label })));
        this.#showWithdrawal();
        this.dispatchEvent(new Event("change"));
    }

    /** Few domains are withdrawn, so the script for that comes only then. */
    async #showWithdrawal() {
        const { withdrawal, state } = this.#page.domain;
        if (!withdrawal && state !== "withdrawn" && !this.#withdrawal) return;
        try {
            const { WithdrawalView } = await later(() => import("./withdrawal.js"), "domain/withdrawal");
            this.#withdrawal ??= new WithdrawalView(this.#page);
            this.#withdrawal.show(this.#page.domain);
        } catch (error) {
            announce(words(error));
        }
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

    async #showAlias() {
        try {
            const { AliasNotice } = await later(() => import("./alias-notice.js"), "domain/alias");
            this.#alias ??= new AliasNotice(this.#page);
            this.#alias.show(this.#page.domain);
        } catch (error) {
            announce(words(error));
        }
    }

    /** Marks the host as verified. Only a local installation allows this. */
    async verify() {
        const { body } = await this.#page.api.post(at`/domains/${this.#page.host}/verifications`, { method: "local" });
        this.show(body);
        announce(`${body.unicodeHost} marked as verified.`);
        part(this.#root, "host").focus();
    }
}
