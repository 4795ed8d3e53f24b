import { openDialog } from "../../components/dialogs.js";
import { pause } from "../../shared/following/later.js";
import { domainAddress } from "../../shared/page/addresses.js";
import { clone, part } from "../../shared/page/template.js";
import { words } from "../../shared/api/problem.js";
import { count, number } from "../../shared/words/numbers.js";
import { hostWords } from "../../shared/words/host-words.js";

/** How many domains are processed at a time, so that other users' requests do not wait. */
const atATime = 3;
const attempts = 4;
const firstRetry = 1_000;

/**
 * A dialog that does the same for many domains, and shows the progress and each result. One failure does not stop the
 * others. Stop, or closing the dialog, ends it after the domains in progress.
 */
export class BulkRun {
    #organization;
    #hosts;
    #domainPart;
    #dialog;
    #controller = new AbortController();
    #done = 0;
    #failed = 0;

    /** The results link to a part of the domain's page, by default its first. */
    constructor(organization, hosts, title, domainPart) {
        this.#organization = organization;
        this.#hosts = hosts;
        this.#domainPart = domainPart;
        this.#dialog = openDialog("bulk-run", { title });
        this.#dialog.part("progress").max = hosts.length;
        this.#dialog.part("stop").addEventListener("click", () => this.#controller.abort());
        this.#dialog.closed.then(() => this.#controller.abort());
        this.#show();
    }

    /** Calls `action(host, signal)` for each host. It returns `{ words, tone }`, or throws. */
    async each(action) {
        const waiting = [...this.#hosts];
        const work = async () => {
            while (waiting.length && !this.#controller.signal.aborted) await this.#one(waiting.shift(), action);
        };
        await Promise.all(Array.from({ length: atATime }, work));
        this.#end();
    }

    async #one(host, action) {
        const result = await this.#attempt(host, action).catch((error) => ({ words: words(error), tone: "bad" }));
        if (result === null) return;
        this.#done += 1;
        if (result.tone === "bad") this.#failed += 1;
        this.#list(host, result);
        this.#show();
    }

    /** Retries what may work later. Null if it was stopped. */
    async #attempt(host, action, attempt = 1) {
        const { signal } = this.#controller;
        try {
            return await action(host, signal);
        } catch (error) {
            if (signal.aborted) return null;
            if (!error.isPassing || attempt === attempts) throw error;
            await pause(firstRetry * 2 ** (attempt - 1));
            return signal.aborted ? null : this.#attempt(host, action, attempt + 1);
        }
    }

    /** Failures first. */
    #list(host, { words, tone }) {
        const item = clone("bulk-result", { host: hostWords(host), words });
        item.dataset.tone = tone ?? "quiet";
        part(item, "host").href = domainAddress(this.#organization.slug, host, this.#domainPart);
        const results = this.#dialog.part("results");
        const before = tone === "bad" ? results.querySelector(':scope > :not([data-tone="bad"])') : null;
        results.insertBefore(item, before);
    }

    #show() {
        this.#dialog.part("progress").value = this.#done;
        this.#dialog.part("summary").textContent = `${number(this.#done)} of ${this.#all}${this.#failures}.`;
    }

    #end() {
        const isWhole = this.#done === this.#hosts.length;
        const summary = isWhole ? `Done: ${this.#all}` : `Stopped after ${number(this.#done)} of ${this.#all}`;
        this.#dialog.part("summary").ariaLive = "polite";
        this.#dialog.part("summary").textContent = `${summary}${this.#failures}.`;
        this.#dialog.part("stop").hidden = true;
        this.#dialog.part("close").hidden = false;
        this.#dialog.part("close").focus();
    }

    get #all() {
        return count(this.#hosts.length, "domain");
    }

    get #failures() {
        return this.#failed ? `, ${number(this.#failed)} failed` : "";
    }
}
