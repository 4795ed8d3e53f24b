import { clone, label, part } from "../../../shared/page/template.js";
import { actualText, outcomeText, systems } from "../../../shared/words/test-words.js";

/** One saved test in the list, with its result in the last run. */
export class TestRow {
    element;
    #test;
    #apps;

    constructor(test, { apps, tries, edits, deletes }) {
        this.#test = test;
        this.#apps = apps;
        const { url, expected, os, note } = test;
        const texts = { url, expected: outcomeText(expected, apps), os: os && `on ${systems[os] ?? os}`, note };
        this.element = clone("saved-test", texts);
        this.element.dataset.key = test.id;
        label(this.element, "url", `Try ${url}`).addEventListener("click", () => tries(test));
        label(this.element, "edit-test", `Edit the test of ${url}`).addEventListener("click", () => edits(test));
        label(this.element, "delete-test", `Delete the test of ${url}`).addEventListener("click", () => deletes(test));
    }

    /** `result` is undefined before the first run. */
    showResult(result, draft) {
        const state = result ? (result.passed ? "passed" : "failed") : "waiting";
        this.element.dataset.result = state;
        part(this.element, "result").textContent = { passed: "Passed", failed: "Failed", waiting: "Not run" }[state];
        for (const name of ["expected-word", "actual"]) part(this.element, name).hidden = state !== "failed";
        const now = state === "failed" ? `Now: ${actualText(result, this.#apps, draft)}` : "";
        part(this.element, "actual").textContent = now;
    }

    showForm(form) {
        part(this.element, "resting").hidden = true;
        part(this.element, "form-place").replaceChildren(form);
    }
}
