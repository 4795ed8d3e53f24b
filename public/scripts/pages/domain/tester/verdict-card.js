import { later } from "../../../components/later.js";
import { uncertainty } from "../../../components/checking/verdict.js";
import { words } from "../../../shared/api/problem.js";
import { clone, fill, part } from "../../../shared/page/template.js";
import { explain, outcomeWords } from "./verdict-words.js";

/**
 * The result for one URL: the verdict, why, and what each app of the file does. Asks `traced` for an evaluation with a
 * trace when the user opens the explanation of one without.
 */
export class VerdictCard {
    #page;
    #root;
    #traced;
    #evaluation = null;

    constructor(page, root, traced) {
        this.#page = page;
        this.#root = root;
        this.#traced = traced;
        part(root, "explained").addEventListener("toggle", () => this.#showExplanation());
    }

    /** Whether the user has opened the explanation. */
    get isExplaining() {
        return part(this.#root, "explained").open;
    }

    /** Whether screen readers read out the result when it changes. */
    set isSaid(isSaid) {
        part(this.#root, "headline").parentElement.ariaLive = isSaid ? "polite" : "off";
    }

    /** The URL is shown too if it is one of many. `source` is what was checked. */
    show(evaluation, { source, total }) {
        this.#evaluation = evaluation;
        const { apps, document } = this.#page;
        const draft = source === "draft" ? document.shown : null;
        const { tone, rule, ...texts } = explain(evaluation, { apps, draft });
        const typed = evaluation && draft && document.preview ? "With your unsaved input." : null;
        this.#showHosts(tone, { ...texts, typed, "verdict-uncertainty": uncertainty(evaluation) });
        part(this.#root, "place").href = `#rule-${rule}`;
        fill(this.#root, { "verdict-url": total > 1 ? evaluation?.url : null });
        part(this.#root, "explained").hidden = !evaluation || Boolean(evaluation.reason);
        part(this.#root, "explanation").dataset.source = typeof source === "number" ? "version" : source;
        this.#showExplanation();
        this.#showApps(evaluation?.apps ?? [], evaluation?.app);
    }

    showProblem(problem) {
        this.#evaluation = null;
        const isUnpublished = problem.code === "nothing_live";
        const headline = isUnpublished ? "Nothing is live yet" : "No result";
        const why = isUnpublished ? "Publish first, or check against the draft." : words(problem);
        this.say("ineligible", headline, why);
    }

    /** A sentence in place of a result. */
    say(tone, headline, why) {
        this.#evaluation = null;
        this.isSaid = true;
        this.#showHosts(tone, { headline, why });
        fill(this.#root, { "verdict-url": null });
        part(this.#root, "explained").hidden = true;
        this.#showApps([]);
    }

    #showHosts(tone, texts) {
        part(this.#root, "verdict").dataset.outcome = tone;
        for (const [name, text] of Object.entries({ place: null, typed: null, "verdict-uncertainty": null, ...texts })) {
            const place = part(this.#root, name);
            place.hidden = !text;
            // A screen reader reads out what changes, so what stays is not written again.
            if (place.textContent !== (text ?? "")) place.textContent = text ?? "";
        }
    }

    /** Made only when it is opened: an explanation lists every tried rule. */
    async #showExplanation() {
        const { open, hidden } = part(this.#root, "explained");
        const evaluation = this.#evaluation;
        const element = open && !hidden && evaluation ? await this.#explained(evaluation) : null;
        if (evaluation !== this.#evaluation) return;
        part(this.#root, "explanation").replaceChildren(...(element ? [element] : []));
    }

    /** The explanation, or the words why it cannot be shown. */
    async #explained(evaluation) {
        try {
            const load = () => import("../../../components/explanation.js");
            const [{ explanation }, { trace }] = await Promise.all([
                later(load, "domain/explanation"),
                evaluation.trace ? evaluation : this.#traced(evaluation),
            ]);
            evaluation.trace = trace;
            return explanation(evaluation);
        } catch (problem) {
            return words(problem);
        }
    }

    /** Hidden for one app: the headline says it already. */
    #showApps(verdicts, winner) {
        const { apps } = this.#page;
        const list = part(this.#root, "apps");
        list.hidden = verdicts.length < 2;
        list.replaceChildren(
            ...verdicts.map((verdict) => {
                const { app, outcome } = verdict;
                const texts = { name: apps.name(app), outcome: outcomeWords(verdict, winner, apps.name(winner)) };
                const item = clone("tester-app", texts);
                item.dataset.outcome = outcome;
                item.title = app;
                return item;
            }),
        );
    }
}
