import { explanation } from "../../../components/explanation.js";
import { clone, part } from "../../../shared/page/template.js";
import { decision, placeName, sentence, verdict } from "../../../components/checking/verdict.js";

/**
 * A result for each URL, with its explanation if it is open. The current one is open automatically; others that the
 * user opens stay open while their URLs stay. Sends `decision` (`detail`: `{ pointer, outcome }` or null) for the
 * current one, and `pointer-wanted`.
 */
export class EvaluationList extends EventTarget {
    #root;
    #evaluations = [];
    #current = 0;
    #opened = new Set();

    constructor(root) {
        super();
        this.#root = root;
        root.addEventListener("pointer-wanted", ({ detail }) => this.#want(detail));
    }

    show(evaluations) {
        this.#evaluations = evaluations;
        this.#current = Math.min(this.#current, Math.max(0, evaluations.length - 1));
        this.#root.replaceChildren(...evaluations.map((evaluation, index) => this.#item(evaluation, index)));
        this.#tellDecision();
    }

    at(index) {
        return this.#evaluations[index];
    }

    /** Makes another URL the current one. */
    choose(index) {
        if (index === this.#current) return;
        const former = this.#current;
        this.#current = index;
        for (const each of [former, index]) {
            const evaluation = this.#evaluations[each];
            if (evaluation) this.#root.children[each].replaceWith(this.#item(evaluation, each));
        }
        this.#tellDecision();
    }

    #tellDecision() {
        const current = this.#evaluations[this.#current];
        this.dispatchEvent(new CustomEvent("decision", { detail: current ? decided(current) : null }));
    }

    #item(evaluation, index) {
        const { tone, headline } = verdict(evaluation);
        const item = clone("evaluation", { url: evaluation.url, headline });
        item.dataset.outcome = tone;
        if (index === this.#current) item.setAttribute("aria-current", "true");
        const details = part(item, "details");
        details.open = index === this.#current || this.#opened.has(evaluation.url);
        if (details.open) this.#explain(item, evaluation);
        details.addEventListener("toggle", () => this.#toggled(item, details, evaluation));
        return item;
    }

    #toggled(item, details, evaluation) {
        if (!details.open) return this.#opened.delete(evaluation.url);
        if (item.ariaCurrent !== "true") this.#opened.add(evaluation.url);
        if (!part(item, "why").hasChildNodes()) this.#explain(item, evaluation);
    }

    #explain(item, evaluation) {
        const explained = evaluation.reason ? null : explanation(evaluation);
        part(item, "why").append(explained ?? this.#decided(evaluation));
    }

    #decided(evaluation) {
        const pointer = decided(evaluation)?.pointer;
        const why = clone("decided", { sentence: sentence(evaluation, pointer && placeName(pointer)) });
        part(why, "place").hidden = !pointer;
        part(why, "place").addEventListener("click", () => this.#want(pointer));
        return why;
    }

    #want(pointer) {
        this.dispatchEvent(new CustomEvent("pointer-wanted", { detail: pointer }));
    }
}

/** `{ pointer, outcome }` of the deciding rule, or null. */
function decided(evaluation) {
    const { decidedBy: pointer, outcome } = decision(evaluation) ?? {};
    return pointer ? { pointer, outcome } : null;
}
