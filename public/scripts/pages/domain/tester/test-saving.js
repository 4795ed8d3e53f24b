import { announce } from "../../../components/announce.js";
import { at } from "../../../shared/api/api.js";
import { isTypedIn } from "../../../shared/forms/typed-work.js";
import { part } from "../../../shared/page/template.js";
import { expectedOf } from "./verdict-words.js";
import { openTestPicker } from "../tests/test-picker.js";
import { openTestForm } from "../tests/test-form.js";

/** Saves results of the tester as tests, where the user is: the current result becomes the expected result. */
export class TestSaving {
    #page;
    #root;
    #saved;

    /** `saved` is called after tests were saved. */
    constructor(page, root, saved) {
        this.#page = page;
        this.#root = root;
        this.#saved = saved;
    }

    /** Opens the form of a new test below the verdict. Replaces an open form unless the user has typed in it. */
    open(evaluation, os) {
        const place = part(this.#root, "test-place");
        const open = place.firstElementChild;
        if (!open || !isTypedIn(open)) place.replaceChildren(this.#form(evaluation, os, place));
        place.scrollIntoView({ block: "nearest" });
        place.querySelector("[type=submit]").focus();
    }

    /** Opens the choice of URLs for many tests. */
    openAll(evaluations, os) {
        const found = evaluations.map((evaluation) => ({ url: evaluation.url, evaluation }));
        openTestPicker(this.#page, { title: "Save as tests", found, os: systemOf(os), picksAll: true }, this.#saved);
    }

    #form(evaluation, os, place) {
        const test = { url: evaluation.url, expected: expectedOf(evaluation), os: systemOf(os) };
        const close = () => {
            place.replaceChildren();
            part(this.#root, "save-test").focus();
        };
        const save = async (content) => {
            await this.#page.api.post(at`/domains/${this.#page.host}/tests`, content);
            announce("Test saved.");
            this.#saved();
        };
        return openTestForm(this.#page, { test, isNew: true, save, close });
    }
}

/** The system of a test: null is the newest one. */
function systemOf(os) {
    return os === "ios14" ? null : os;
}
