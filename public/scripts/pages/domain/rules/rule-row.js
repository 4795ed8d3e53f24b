import { announce } from "../../../components/announce.js";
import { clone, label, part } from "../../../shared/page/template.js";
import { addRule, nudgeRule, removeRule } from "../draft/edits.js";
import { patternNodes, patternText } from "../../../shared/words/pattern.js";
import { inPageWords } from "../../../shared/words/places.js";

/** One rule in its entry's list. */
export class RuleRow {
    element;
    #rule;
    #editor;
    #text;

    constructor(rule, { position, total, editor }) {
        this.#rule = rule;
        this.#editor = editor;
        this.#text = patternText(rule);
        this.element = clone("rule");
        this.element.dataset.key = rule.id;
        this.element.id = `rule-${rule.id}`;
        this.#describe(position);
        this.#offerActions(position, total);
    }

    showForm(form) {
        part(this.element, "resting").hidden = true;
        part(this.element, "form-place").replaceChildren(form);
    }

    /** Marks the rule that decides the URL in the tester. */
    showVerdict({ evaluation }, apps) {
        const decided = (evaluation?.apps ?? []).filter(({ rule }) => rule === this.#rule.id);
        const winner = decidingApp(evaluation);
        const isDeciding = decided.some(({ app }) => app === winner);
        this.element.dataset.decides = isDeciding ? evaluation.outcome : "";
        const words = isDeciding ? "Decides" : decided.length ? `Decides for ${apps.name(decided[0].app)}` : "";
        part(this.element, "verdict").textContent = words;
        part(this.element, "verdict").hidden = !words;
    }

    /** `draft` is the draft that the findings' pointers point into. */
    showFindings(findings, draft) {
        part(this.element, "findings").replaceChildren(
            ...findings.map(({ severity, pointer, message, remedy }) => {
                const item = clone("row-finding", { message, remedy });
                part(item, "message").replaceChildren(...inPageWords(message, draft, pointer));
                item.dataset.severity = severity;
                return item;
            }),
        );
    }

    #describe(position) {
        const { exclude, comment, caseSensitive, percentEncoded, extras } = this.#rule;
        part(this.element, "number").textContent = position + 1;
        part(this.element, "effect").textContent = exclude ? "Stays on the web" : "Opens";
        this.element.dataset.effect = exclude ? "excluded" : "opens";
        part(this.element, "pattern").replaceChildren(...patternNodes(this.#rule));
        part(this.element, "comment").textContent = comment ?? "";
        part(this.element, "comment").hidden = !comment;
        const flags = [
            caseSensitive === false && "ignores case",
            caseSensitive === true && "case matters",
            percentEncoded === false && "compares decoded",
            percentEncoded === true && "compares as written",
            ...Object.keys(extras ?? {}).map((key) => `keeps ${key}`),
        ].filter(Boolean);
        part(this.element, "flags").replaceChildren(...flags.map((text) => clone("rule-flag", { flag: text })));
    }

    #offerActions(position, total) {
        const name = `rule ${position + 1}, ${this.#text}`;
        const edit = label(this.element, "edit", `Edit ${name}`);
        edit.addEventListener("click", () => this.#editor.editRule(this.#rule.id));
        label(this.element, "delete", `Delete ${name}`).addEventListener("click", () => this.#delete());
        const handle = label(this.element, "handle", `Drag ${name}, or move it with the arrow keys`);
        handle.addEventListener("keydown", (event) => this.#moveByKey(event, position, total));
        for (const [direction, by] of [["up", -1], ["down", 1]]) {
            const button = label(this.element, direction, `Move ${name} ${direction}`);
            button.ariaDisabled = String(position + by < 0 || position + by >= total);
            button.addEventListener("click", () => this.#nudge(by, position, total));
        }
    }

    #moveByKey(event, position, total) {
        const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (!by) return;
        event.preventDefault();
        this.#nudge(by, position, total);
    }

    async #nudge(by, position, total) {
        if (position + by < 0 || position + by >= total) return;
        const isMoved = await this.#editor.apply(nudgeRule(this.#rule.id, by));
        if (isMoved) announce(`Moved: ${this.#text} is now rule ${position + by + 1} of ${total}.`);
    }

    async #delete() {
        const { id, ...fields } = this.#rule;
        const { entry, position } = this.#editor.place(id);
        if (!(await this.#editor.apply(removeRule(id)))) return;
        this.#editor.focusRule(entry.id, position);
        const undo = async () => {
            const isBack = await this.#editor.apply(addRule(withoutNulls(fields), { entry: entry.id, position }));
            this.#editor.focusRule(entry.id, position);
            if (isBack) announce(`Rule ${this.#text} restored.`);
        };
        announce(`Rule ${this.#text} deleted from the draft.`, { undo });
    }
}

/** The app whose rule decides the URL: the one that opens it, or else the first that is excluded. */
export function decidingApp(evaluation) {
    return evaluation?.app ?? evaluation?.apps.find(({ outcome }) => outcome === evaluation.outcome)?.app;
}

function withoutNulls(fields) {
    return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
