import { domainAddress } from "../../shared/page/addresses.js";
import { at } from "../../shared/api/api.js";
import { afterPause } from "../../shared/following/later.js";
import { Newest } from "../../shared/following/newest.js";
import { onPress } from "../../shared/forms/form.js";
import { words } from "../../shared/api/problem.js";
import { clone, fill, part } from "../../shared/page/template.js";
import { showRules } from "./app-rules.js";
import { useState, useWords } from "./use-words.js";
import { hostWords } from "../../shared/words/host-words.js";

const pageSize = 50;
/** The most domains that are loaded for the entitlement. */
const maximum = 2_000;

/** The domains that use the app: list, search, and the rules of each. `loaded` gets the list if nothing is searched. */
export class AppDomains {
    #root;
    #session;
    #app;
    #loaded;
    #uses = [];
    #next = null;
    #searching = new Newest();

    constructor(main, session, app, { loaded }) {
        this.#root = part(main, "domains");
        this.#session = session;
        this.#app = app;
        this.#loaded = loaded;
        part(this.#root, "search").addEventListener("input", afterPause(200, () => this.show()));
        onPress(part(this.#root, "more"), () => this.#more(), (problem) => this.#failed(problem));
    }

    show() {
        return this.#searching.ask((signal) => this.#ask({ signal }), {
            answered: (body) => {
                this.#uses = [];
                part(this.#root, "list").replaceChildren();
                fill(this.#root, { problem: null });
                this.#add(body);
            },
            failed: (problem) => this.#failed(problem),
        });
    }

    /** Loads the rest of the unsearched list. */
    async showAll() {
        part(this.#root, "search").value = "";
        await this.show();
        while (this.#next && !this.#searched && this.#uses.length < maximum) await this.#more();
    }

    async #more() {
        const searched = this.#searched;
        const body = await this.#ask({ cursor: this.#next });
        if (searched === this.#searched) this.#add(body);
    }

    async #ask({ cursor, signal }) {
        const query = { q: this.#searched, limit: pageSize, cursor };
        return (await this.#session.api.get(at`/apps/${this.#app.appID}/domains`, { query, signal })).body;
    }

    get #searched() {
        return part(this.#root, "search").value.trim();
    }

    #add({ items, next }) {
        this.#uses.push(...items);
        this.#next = next;
        part(this.#root, "list").append(...items.map((use) => this.#row(use)));
        part(this.#root, "loading").hidden = true;
        part(this.#root, "more").hidden = !next;
        const isEmpty = this.#uses.length === 0;
        part(this.#root, "empty").hidden = !isEmpty || this.#searched !== "";
        part(this.#root, "nothing-found").hidden = !isEmpty || this.#searched === "";
        if (!this.#searched) this.#loaded(this.#uses, { isAll: !next });
    }

    #row(use) {
        const { words: state, tone } = useState(use);
        const row = clone("use", { host: hostWords(use.host), what: useWords(use), state });
        part(row, "host").href = domainAddress(this.#session.organization.slug, use.host, "rules");
        part(row, "state").dataset.tone = tone;
        this.#offerRules(row, use);
        return row;
    }

    #offerRules(row, use) {
        const button = part(row, "unfold");
        const rules = part(row, "rules");
        button.hidden = !use.draft;
        button.setAttribute("aria-label", `Rules of ${hostWords(use.host)}`);
        onPress(
            button,
            async () => {
                const isOpen = button.getAttribute("aria-expanded") !== "true";
                if (isOpen) await showRules(rules, this.#session, this.#app, use);
                button.setAttribute("aria-expanded", isOpen);
                rules.hidden = !isOpen;
            },
            (problem) => this.#failed(problem),
        );
    }

    #failed(problem) {
        part(this.#root, "loading").hidden = true;
        fill(this.#root, { problem: words(problem) });
    }
}
