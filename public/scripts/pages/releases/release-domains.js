import { domainAddress } from "../../shared/page/addresses.js";
import { announce } from "../../components/announce.js";
import { all, at } from "../../shared/api/api.js";
import { AppNames } from "../../shared/words/app-names.js";
import { failureItems, showFound } from "../../components/gate-report.js";
import { keepingFocus } from "../../shared/page/focus.js";
import { onPress } from "../../shared/forms/form.js";
import { number } from "../../shared/words/numbers.js";
import { words } from "../../shared/api/problem.js";
import { clone, part } from "../../shared/page/template.js";
import { hasEnded } from "../../shared/words/release-words.js";
import { releaseDomainStates, showState } from "../../shared/words/states.js";
import { hostWords } from "../../shared/words/host-words.js";

const pageSize = 50;

/** The domains of a release, each with its state and failed checks. After the release ends, problems come first. */
export class ReleaseDomains {
    #root;
    #session;
    #path;
    #states;
    #apps = null;
    #isChosen = false;
    #shown = null;
    #next = null;
    #turn = 0;

    constructor(root, session, id) {
        this.#root = root;
        this.#session = session;
        this.#path = at`/releases/${id}/domains`;
        this.#states = part(root, "domain-states");
        const failed = (error) => announce(words(error));
        this.#states.addEventListener("change", () => this.#chosen().catch(failed));
        onPress(part(root, "more-domains"), () => this.#showMore(), failed);
    }

    /** Shows the domains of a release if their states have changed. */
    async show(release) {
        const counts = JSON.stringify(release.domains);
        if (counts === this.#shown) return;
        this.#offerStates(release);
        await this.#load();
        this.#shown = counts;
    }

    #offerStates({ domains, ...release }) {
        const present = Object.entries(releaseDomainStates).filter(([state]) => domains[state] > 0);
        const options = present.map(([state, { words }]) => new Option(`${words} (${number(domains[state])})`, state));
        const trouble = hasEnded(release) && ["refused", "moved"].find((state) => domains[state] > 0);
        const wanted = this.#isChosen ? this.#states.value : (trouble ?? "");
        this.#states.replaceChildren(new Option(`All (${number(domains.total)})`, ""), ...options);
        this.#states.value = present.some(([state]) => state === wanted) ? wanted : "";
    }

    async #chosen() {
        this.#isChosen = true;
        await this.#load();
    }

    async #load() {
        const turn = ++this.#turn;
        const { items, next } = await this.#ask(null);
        // A newer request replaces this one.
        if (turn !== this.#turn) return;
        const list = part(this.#root, "domains");
        keepingFocus(list, () => list.replaceChildren(...items.map((domain) => this.#row(domain))));
        this.#showNext(next);
    }

    async #showMore() {
        const turn = ++this.#turn;
        const { items, next } = await this.#ask(this.#next);
        if (turn !== this.#turn) return;
        const rows = items.map((domain) => this.#row(domain));
        part(this.#root, "domains").append(...rows);
        this.#showNext(next);
        if (rows.length) part(rows[0], "host").focus();
    }

    async #ask(cursor) {
        const query = { state: this.#states.value, limit: pageSize, cursor };
        return (await this.#session.api.get(this.#path, { query })).body;
    }

    #showNext(next) {
        this.#next = next;
        part(this.#root, "more-domains").hidden = !next;
    }

    #row(domain) {
        const { host, state, failures, report } = domain;
        const row = clone("release-domain", { host: hostWords(host), facts: facts(domain) });
        row.dataset.key = host;
        part(row, "host").href = domainAddress(this.#session.organization.slug, host);
        showState(part(row, "state"), releaseDomainStates[state]);
        part(row, "failures").hidden = failures.length === 0;
        part(row, "failures").replaceChildren(...failureItems(failures));
        const hasFound = report?.findings.length || report?.tests?.failed;
        part(row, "details").hidden = !hasFound;
        if (hasFound) part(row, "details").addEventListener("toggle", () => this.#showFound(row, report), { once: true });
        return row;
    }

    async #showFound(row, report) {
        this.#apps ??= all(this.#session.api, "/apps").catch(() => []);
        showFound(part(row, "details"), report, { apps: new AppNames(await this.#apps), document: null });
    }
}

function facts({ version, versionBefore, draftRevision, state }) {
    const made = version ? `version ${version}` : draftRevision && `draft revision ${draftRevision}`;
    const before = state === "live" && (versionBefore ? `previously version ${versionBefore}` : "nothing live before");
    return [made, before].filter(Boolean).join(" · ");
}
