import { decision } from "../../../components/checking/verdict.js";
import { announce } from "../../../components/announce.js";
import { words } from "../../../shared/api/problem.js";
import { clone, label, part } from "../../../shared/page/template.js";
import { patternNodes, patternText } from "../../../shared/words/pattern.js";
import { forms } from "./later-forms.js";
import { showRuleFindings } from "./rule-findings.js";

/** One rule in its entry's list. */
export class RuleRow {
    element = clone("rule");
    #rule;
    #actions;
    #place;
    #form = null;
    #verdict = "";
    #findings = "";

    constructor(rule, { actions, selection }) {
        this.#rule = rule;
        this.#actions = actions;
        this.element.dataset.key = rule.id;
        this.element.id = `rule-${rule.id}`;
        this.#describe();
        part(this.element, "edit").addEventListener("click", () => actions.edit([rule.id]));
        part(this.element, "delete").addEventListener("click", () => actions.remove(selection.including(rule.id)));
        part(this.element, "menu").addEventListener("click", () => this.#openMenu(selection.including(rule.id)));
    }

    /** Whether this row still shows the rule. */
    shows(rule) {
        return JSON.stringify(rule) === JSON.stringify(this.#rule);
    }

    moveTo(position, total) {
        const isHere = this.#place?.position === position;
        this.#place = { position, total };
        if (isHere) return;
        const text = patternText(this.#rule);
        const name = `rule ${position + 1}, ${text}`;
        const effect = this.#rule.exclude ? "stays on the web" : "opens the app";
        this.element.ariaLabel = `Rule ${position + 1}: ${text}, ${effect}`;
        part(this.element, "number").textContent = position + 1;
        part(this.element, "select").ariaLabel = `Select ${name}`;
        for (const [action, words] of [["edit", "Edit"], ["delete", "Delete"], ["menu", "More for"]]) {
            label(this.element, action, `${words} ${name}`);
        }
    }

    /** Shows the form of the rule instead of the rule, or the rule again (null). */
    showForm(form = null) {
        if (form === this.#form && (!form || this.element.contains(form))) return;
        this.#form = form;
        part(this.element, "resting").hidden = Boolean(form);
        part(this.element, "form-place").hidden = !form;
        part(this.element, "form-place").replaceChildren(...(form ? [form] : []));
        this.element.tabIndex = form ? -1 : 0;
        if (form) this.element.dataset.editing = "yes";
        else delete this.element.dataset.editing;
    }

    /** Marks the rule that decides the URL in the tester. */
    showVerdict({ evaluation }, apps) {
        const decided = (evaluation?.apps ?? []).filter(({ rule }) => rule === this.#rule.id);
        const isDeciding = Boolean(evaluation) && decided.includes(decision(evaluation));
        const words = isDeciding ? "Decides" : decided.length ? `Decides for ${apps.name(decided[0].app)}` : "";
        const shown = isDeciding ? evaluation.outcome : words;
        if (shown === this.#verdict) return;
        this.#verdict = shown;
        this.element.dataset.decides = isDeciding ? evaluation.outcome : "";
        part(this.element, "verdict").textContent = words;
        part(this.element, "verdict").hidden = !words;
    }

    /** `draft` is the draft that the findings' pointers point into. */
    showFindings(findings, { draft, mend }) {
        const shown = JSON.stringify(findings);
        if (shown === this.#findings) return;
        this.#findings = shown;
        showRuleFindings(part(this.element, "findings"), findings, { draft, mend });
    }

    #describe() {
        const { exclude, comment, caseSensitive, percentEncoded, extras } = this.#rule;
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

    async #openMenu(ids) {
        const { position, total } = this.#place;
        const canMove = ids.length > 1 ? {} : { up: position > 0, down: position < total - 1 };
        const choices = {
            "insert-above": () => this.#actions.insert([this.#rule.id], 0),
            "insert-below": () => this.#actions.insert([this.#rule.id], 1),
            duplicate: () => this.#actions.duplicate(ids),
            up: () => this.#actions.nudge(ids, -1),
            down: () => this.#actions.nudge(ids, 1),
            exclude: () => this.#actions.exclude(ids),
        };
        const state = { canMove, wouldExclude: this.#actions.wouldExclude(ids) };
        try {
            const { openRuleMenu } = await forms();
            openRuleMenu(part(this.element, "menu"), state, (name) => choices[name]());
        } catch (problem) {
            announce(words(problem));
        }
    }
}
