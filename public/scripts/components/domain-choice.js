import { all } from "../shared/api/api.js";
import { parseHosts } from "../shared/forms/hosts.js";
import { countDomainsOf } from "../shared/forms/label-count.js";
import { afterPause } from "../shared/following/later.js";
import { count, number } from "../shared/words/numbers.js";
import { Problem } from "../shared/api/problem.js";
import { clone, part, uniqueIDs } from "../shared/page/template.js";
import { hostWords } from "../shared/words/host-words.js";

/** The most domains searched for labels to suggest. */
const maximumSearched = 2_000;
const maximumPicks = 50;
/** The most invalid hosts shown one by one. */
const maximumFaults = 5;

const missing = {
    "/choice": "Choose which domains.",
    "/label": "Enter a label.",
    "/hosts": "Enter at least one domain.",
};

/**
 * A choice of domains: by label, from a list that is pasted or chosen, or all of them, if `every` holds the words for
 * that.
 */
export class DomainChoice {
    #root;
    #api;

    constructor(place, api, { every, chosen = {} } = {}) {
        this.#api = api;
        this.#root = uniqueIDs(clone("domain-choice"));
        place.replaceChildren(this.#root);
        if (every) {
            part(this.#root, "every").hidden = false;
            part(this.#root, "every-words").textContent = every;
            // Nothing is preselected, so that users do not change every draft by mistake.
            for (const choice of this.#control("choice")) choice.checked = false;
        }
        const countLabel = countDomainsOf(this.#control("label"), part(this.#root, "label-count"), api);
        this.#choose(chosen);
        countLabel();
        this.#root.addEventListener("input", () => this.#show());
        part(this.#root, "search").addEventListener("input", afterPause(250, () => this.#offerPicks()));
        this.#show();
        this.#offerLabels();
        this.#offerPicks();
    }

    /**
     * The choice as the API takes it: `{ label }`, `{ hosts }`, or `{}` for all. Throws a `Problem` if it is
     * incomplete.
     */
    get chosen() {
        const choice = this.#control("choice").value;
        if (choice === "") return this.#missing("/choice");
        if (choice === "every") return {};
        if (choice === "label") return { label: this.#control("label").value.trim() || this.#missing("/label") };
        return { hosts: this.#hosts.length ? this.#hosts : this.#missing("/hosts") };
    }

    /** A problem of the API with the host added to each error, and not too many errors. */
    explained(problem) {
        if (!(problem instanceof Problem)) return problem;
        const isHost = ({ pointer }) => pointer?.startsWith("/hosts");
        const faults = problem.errors.filter(isHost).map((error) => {
            const host = this.#hosts[/^\/hosts\/(\d+)$/.exec(error.pointer)?.[1]];
            return { pointer: "/hosts", detail: host ? `${error.detail}: ${hostWords(host)}` : error.detail };
        });
        const more = faults.length - maximumFaults;
        const told = faults.slice(0, maximumFaults);
        if (more > 0) told.push({ pointer: "/hosts", detail: `And ${number(more)} more.` });
        problem.errors = [...problem.errors.filter((error) => !isHost(error)), ...told];
        return problem;
    }

    /** Changes the choice to a label or a list of hosts. */
    choose(chosen) {
        this.#choose(chosen);
        this.#root.dispatchEvent(new Event("input", { bubbles: true }));
    }

    #choose({ label, hosts }) {
        if (label) {
            this.#control("choice").value = "label";
            this.#control("label").value = label;
        } else if (hosts?.length) {
            this.#control("choice").value = "hosts";
            this.#control("hosts").value = `${hosts.join("\n")}\n`;
        }
    }

    #control(name) {
        return this.#root.form.elements[name];
    }

    get #hosts() {
        return parseHosts(this.#control("hosts").value);
    }

    #missing(pointer) {
        throw new Problem({ code: "invalid", errors: [{ pointer, detail: missing[pointer] }] });
    }

    #show() {
        const choice = this.#control("choice").value;
        part(this.#root, "label-field").hidden = choice !== "label";
        part(this.#root, "hosts-field").hidden = choice !== "hosts";
        const hosts = new Set(this.#hosts);
        const hint = "One host per line, or separated by commas. You can also paste URLs.";
        part(this.#root, "hosts-count").textContent = hosts.size ? count(hosts.size, "domain") : hint;
        for (const box of part(this.#root, "picks").querySelectorAll("input")) box.checked = hosts.has(box.value);
    }

    async #offerLabels() {
        const domains = await this.#domains({}, maximumSearched);
        const labels = [...new Set(domains.flatMap((domain) => domain.labels))].sort();
        part(this.#root, "labels").replaceChildren(...labels.map((label) => new Option(label, label)));
    }

    async #offerPicks() {
        const q = part(this.#root, "search").value.trim();
        const domains = (await this.#domains({ q }, maximumPicks)).filter(({ aliasOf }) => !aliasOf);
        if (q !== part(this.#root, "search").value.trim()) return;
        part(this.#root, "picks").replaceChildren(...domains.slice(0, maximumPicks).map(({ host }) => this.#pick(host)));
        this.#show();
    }

    #pick(host) {
        const item = clone("domain-pick", { host: hostWords(host) });
        const box = part(item, "box");
        box.value = host;
        box.addEventListener("input", () => {
            const others = this.#hosts.filter((other) => other !== host);
            const hosts = box.checked ? [...others, host] : others;
            this.#control("hosts").value = hosts.map((each) => `${each}\n`).join("");
            this.#control("hosts").dispatchEvent(new Event("input", { bubbles: true }));
        });
        return item;
    }

    /** Only suggestions: a failure leaves them empty. */
    #domains(query, limit) {
        return all(this.#api, "/domains", { query, limit }).catch(() => []);
    }
}
