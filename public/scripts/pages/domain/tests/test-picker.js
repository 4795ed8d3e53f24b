import { afterPause } from "../../../shared/following/later.js";
import { all, at } from "../../../shared/api/api.js";
import { announce } from "../../../components/announce.js";
import { count, number } from "../../../shared/words/numbers.js";
import { clone, fill, part } from "../../../shared/page/template.js";
import { decidingPlace, expectedOf } from "../tester/verdict-words.js";
import { onSubmit } from "../../../shared/forms/form.js";
import { openDialog } from "../../../components/dialogs.js";
import { shortURL } from "../../../components/checking/typed-urls.js";
import { words } from "../../../shared/api/problem.js";
import { verdict } from "../../../components/checking/verdict.js";
import { importSummary } from "./import-words.js";
import { evaluated } from "../../../components/checking/evaluated.js";
import { Picks } from "./picks.js";

const pageSize = 100;
/** The most tests of a domain. */
const maximumTests = 1_000;
const tooMany = `A domain can have ${number(maximumTests)} tests, so pick fewer.`;

/**
 * A dialog in which the user picks URLs, with their results now, and saves them as tests with these as the expected
 * results. `found` is `[{ url, count?, evaluation?, isAsset? }]`; those without an evaluation are checked against the
 * draft. `saved` is called after tests were saved.
 */
export async function openTestPicker(page, { title, intro, found, os = null, note = "", picksAll }, saved) {
    const { dialog } = openDialog("test-picker", { title, intro });
    const picker = new TestPicker(page, dialog, { os, note });
    try {
        await picker.open(found, { picksAll });
    } catch (error) {
        picker.fail(error);
    }
    if ((await picker.closed) === "saved") await saved();
}

class TestPicker {
    closed;
    #page;
    #dialog;
    #os;
    #note;
    #picks = new Picks([]);
    #shown = [];
    #isReview = false;

    constructor(page, dialog, { os, note }) {
        this.#page = page;
        this.#dialog = dialog;
        this.#os = os;
        this.#note = note;
        this.closed = new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue)));
        for (const name of ["search", "result", "assets"]) {
            this.#part(name).addEventListener("input", afterPause(name === "search" ? 150 : 0, () => this.#draw()));
        }
        this.#part("list").addEventListener("change", ({ target }) => this.#pick(target));
        // Enter searches; it does not continue.
        this.#part("search").addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
        this.#part("pick-all").addEventListener("click", () => this.#pickMatching(true));
        this.#part("pick-none").addEventListener("click", () => this.#pickMatching(false));
        this.#part("more").addEventListener("click", () => this.#drawMore());
        this.#part("back").addEventListener("click", () => this.#review(false));
        onSubmit(this.#part("form"), () => (this.#isReview ? this.#save() : this.#review(true)));
    }

    async open(found, { picksAll }) {
        const path = at`/domains/${this.#page.host}`;
        const unknown = found.filter(({ evaluation }) => !evaluation);
        const question = { source: "draft", ...(this.#os && { os: this.#os }) };
        const ask = (urls) => this.#page.api.post(`${path}/evaluations`, { ...question, urls });
        const [tests, evaluations] = await Promise.all([
            all(this.#page.api, `${path}/tests`),
            unknown.length ? evaluated(ask, unknown.map(({ url }) => url)) : [],
        ]);
        evaluations.forEach((evaluation, index) => (unknown[index].evaluation = evaluation));
        const known = new Map(tests.map((test) => [`${test.os} ${this.#short(test.url)}`, test]));
        for (const item of found) item.test = known.get(`${this.#os} ${this.#short(item.url)}`);
        this.#picks = new Picks(found, { picksAll });
        this.#offerResults();
        this.#part("assets-choice").hidden = !found.some(({ isAsset }) => isAsset);
        fill(this.#dialog, { "assets-words": `Show ${count(found.filter(({ isAsset }) => isAsset).length, "asset")}` });
        this.#part("loading").hidden = true;
        this.#part("form").hidden = false;
        this.#draw();
        this.#part("search").focus();
    }

    fail(error) {
        this.#part("loading").textContent = words(error);
        this.#part("loading").setAttribute("role", "alert");
    }

    #part(name) {
        return part(this.#dialog, name);
    }

    #short(url) {
        return shortURL(url, this.#page.host);
    }

    #offerResults() {
        const { apps } = this.#page;
        const words = new Map();
        for (const { result, evaluation } of this.#picks.items) {
            words.set(result, verdict(evaluation, (appID) => apps.name(appID)).headline);
        }
        this.#part("result").append(...[...words].map(([value, headline]) => new Option(headline, value)));
    }

    #draw() {
        this.#shown = this.#picks.matching({
            text: this.#isReview ? "" : this.#part("search").value,
            result: this.#isReview ? "" : this.#part("result").value,
            withAssets: this.#part("assets").checked,
            onlyPicked: this.#isReview,
        });
        this.#part("list").replaceChildren();
        this.#part("none").hidden = this.#shown.length > 0;
        this.#drawMore();
        this.#showNumbers();
    }

    #drawMore() {
        const list = this.#part("list");
        const from = list.childElementCount;
        list.append(...this.#shown.slice(from, from + pageSize).map((item) => this.#row(item)));
        const left = this.#shown.length - list.childElementCount;
        fill(this.#dialog, { more: left ? `Show ${count(Math.min(left, pageSize), "more URL")}` : null });
        if (from) list.children[from]?.querySelector("input").focus();
    }

    #row(item) {
        const { evaluation, test } = item;
        const { tone, headline } = verdict(evaluation, (appID) => this.#page.apps.name(appID));
        const row = clone("picked-url");
        fill(row, {
            url: this.#short(item.url),
            count: item.count ? number(item.count) : null,
            outcome: headline,
            rule: evaluation.reason ?? decidingPlace(evaluation, this.#page.document),
            test: test ? testWords(test, evaluation) : null,
        });
        row.dataset.outcome = tone;
        const box = part(row, "box");
        box.checked = this.#picks.picked.has(item);
        box.disabled = Boolean(evaluation.reason);
        return row;
    }

    #pick(box) {
        const index = [...this.#part("list").children].indexOf(box.closest("li"));
        this.#picks.toggle(this.#shown[index], box.checked);
        this.#showNumbers();
    }

    #pickMatching(isPicked) {
        for (const item of this.#shown) {
            if (!item.evaluation.reason) this.#picks.toggle(item, isPicked);
        }
        this.#draw();
    }

    #review(isReview) {
        this.#isReview = isReview;
        this.#part("search-form").hidden = isReview;
        this.#part("back").hidden = !isReview;
        this.#draw();
        this.#part("list").scrollTo(0, 0);
        (isReview ? this.#part("numbers") : this.#part("search")).focus();
    }

    #showNumbers() {
        const { size } = this.#picks.picked;
        const tests = count(size, "test");
        const numbers = this.#isReview
            ? `${tests} will be saved, each with the result shown here.`
            : `${number(size)} of ${count(this.#picks.items.length, "URL")} picked`;
        this.#part("numbers").textContent = size > maximumTests ? `${numbers}. ${tooMany}` : numbers;
        const action = this.#part("action");
        action.textContent = this.#isReview ? `Save ${tests}` : `Review ${tests}`;
        action.disabled = size === 0;
    }

    async #save() {
        const items = this.#picks.items.filter((item) => this.#picks.picked.has(item));
        const tests = items.map((item) => ({
            url: item.test?.url ?? this.#short(item.url),
            expected: expectedOf(item.evaluation),
            ...(this.#os && { os: this.#os }),
            note: item.test?.note || this.#noteOf(item),
        }));
        const { body } = await this.#page.api.post(at`/domains/${this.#page.host}/test-imports`, { tests });
        this.#dialog.close("saved");
        announce(importSummary(body));
    }

    #noteOf({ count: requests }) {
        return requests && this.#note ? `${count(requests, "request")} in ${this.#note}` : "";
    }
}

function testWords({ expected }, { outcome, app }) {
    const isSame = expected.outcome === outcome && (expected.app ?? null) === (outcome === "opens" ? app : null);
    return isSame ? "Has a test" : "Has a test that expects another result";
}
