import { announce } from "../../../components/announce.js";
import { publishAddress } from "../../../shared/page/addresses.js";
import { showChanges } from "../../../components/difference/changes.js";
import { onPress } from "../../../shared/forms/form.js";
import { words } from "../../../shared/api/problem.js";
import { count, number } from "../../../shared/words/numbers.js";
import { clone, part } from "../../../shared/page/template.js";
import { equalChanges } from "./domain-changes.js";
import { hostWords } from "../../../shared/words/host-words.js";

/** The domains compared before the user asks for more, the requests at a time, and the hosts shown of a group. */
const batch = 50;
const atATime = 4;
const maximumHosts = 8;

/** The changes of every domain of a release, shown once if they are equal. Sends `change` with the loaded domains. */
export class ReleaseChanges extends EventTarget {
    loaded = [];
    /** Why there are no domains, and what to do; empty if there are some. */
    nothing = "";
    /** Whether the domains could not be loaded; publishing then reports why. */
    isUnknown = false;
    #page;
    #root = clone("release-changes");
    #subjects = [];
    #turn = 0;

    constructor(page) {
        super();
        this.#page = page;
        part(page.main, "changes").replaceChildren(this.#root);
        onPress(part(this.#root, "more"), () => this.#loadMore(this.#turn), (problem) => announce(words(problem)));
    }

    get total() {
        return this.#subjects.length;
    }

    /** The hosts of all domains, compared or not. */
    get hosts() {
        return this.#subjects.map(({ host }) => host);
    }

    /** Compares the domains, `{ host, load }`; `load` loads the changes of one. */
    async show(subjects) {
        this.#turn++;
        this.nothing = "";
        this.#subjects = subjects;
        this.loaded = [];
        this.#draw();
        await this.#loadMore(this.#turn);
    }

    /** Shows why there are no domains. */
    showNothing(sentence, { isUnknown = false } = {}) {
        this.#turn++;
        this.nothing = sentence;
        this.isUnknown = isUnknown;
        this.#subjects = [];
        this.loaded = [];
        this.#draw();
        this.#say(sentence);
    }

    async #loadMore(turn) {
        const waiting = this.#subjects.slice(this.loaded.length, this.loaded.length + batch);
        const wanted = this.loaded.length + waiting.length;
        const results = [];
        const work = async () => {
            while (waiting.length && turn === this.#turn) {
                const { load } = waiting.shift();
                results.push(await load());
                const done = this.loaded.length + results.length;
                if (turn === this.#turn) this.#say(`Comparing: ${number(done)} of ${count(wanted, "domain")}…`);
            }
        };
        await Promise.all(Array.from({ length: atATime }, work));
        // A newer choice replaces this one.
        if (turn !== this.#turn) return;
        this.loaded = [...this.loaded, ...results].toSorted((one, other) => (one.host < other.host ? -1 : 1));
        this.#draw();
    }

    #draw() {
        const groups = equalChanges(this.loaded);
        const empty = this.loaded.filter(({ isEmpty }) => isEmpty);
        const unchanged = this.loaded.filter(({ changes, problem, isEmpty }) => !changes && !problem && !isEmpty);
        const faulty = this.loaded.filter(({ problem }) => problem);
        const items = [
            ...faulty.map(({ host, problem }) => this.#group(words(problem), [host])),
            ...groups.map(({ changes, hosts }) => this.#group(changingWords(hosts.length), hosts, changes)),
        ];
        if (empty.length) items.push(this.#group(emptyWords(empty.length), empty.map(({ host }) => host)));
        if (unchanged.length) {
            const heading = `${count(unchanged.length, "domain")} without changes, skipped`;
            items.push(this.#group(heading, unchanged.map(({ host }) => host)));
        }
        part(this.#root, "groups").replaceChildren(...items);
        const left = this.#subjects.length - this.loaded.length;
        part(this.#root, "more").hidden = left === 0 || this.loaded.length === 0;
        part(this.#root, "more").textContent = `Compare ${number(Math.min(left, batch))} more`;
        if (this.loaded.length) this.#say(this.#summary(groups, { empty: empty.length, unchanged: unchanged.length, left }));
        this.dispatchEvent(new Event("change"));
    }

    #summary(groups, { empty, unchanged, left }) {
        const changing = groups.flatMap(({ hosts }) => hosts).length;
        const equally = changing > 1 ? " in the same way" : "";
        const ways = groups.length > 1 ? ` in ${number(groups.length)} different ways` : equally;
        return [
            (changing > 0 || empty === 0) && `${changingWords(changing)}${ways}.`,
            empty > 0 && `${emptyWords(empty)}.`,
            unchanged && `${count(unchanged, "domain")} without changes ${unchanged === 1 ? "is" : "are"} skipped.`,
            left && `${count(left, "more domain")} not compared yet.`,
        ].filter(Boolean).join(" ");
    }

    #group(heading, hosts, changes) {
        const item = clone("domain-group", { heading });
        const items = hosts.map((host) => this.#host(host));
        part(item, "hosts").replaceChildren(...items.slice(0, maximumHosts));
        part(item, "more-hosts").hidden = items.length <= maximumHosts;
        part(item, "more-hosts-words").textContent = `${count(items.length - maximumHosts, "more domain")}`;
        part(item, "other-hosts").replaceChildren(...items.slice(maximumHosts));
        if (changes) showChanges(part(item, "changes"), changes, this.#page.apps);
        return item;
    }

    #host(host) {
        const item = clone("host", { host: hostWords(host) });
        part(item, "host").href = publishAddress(this.#page.session.organization.slug, { host });
        return item;
    }

    #say(sentence) {
        part(this.#root, "summary").textContent = sentence;
    }
}

function changingWords(domains) {
    return `${count(domains, "domain")} ${domains === 1 ? "changes" : "change"}`;
}

function emptyWords(domains) {
    return `${count(domains, "domain")} ${domains === 1 ? "has" : "have"} no rules yet`;
}
