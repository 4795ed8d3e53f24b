import { copies } from "../../../shared/page/clipboard.js";
import { bytes } from "../../../shared/words/numbers.js";
import { words } from "../../../shared/api/problem.js";
import { part } from "../../../shared/page/template.js";
import { Newest } from "../../../shared/following/newest.js";
import { decidingApp } from "../rules/rule-row.js";
import { lineElement } from "../../../components/file-line.js";
import { findingItems } from "../../../components/finding-items.js";
import { jsonLines } from "../../../shared/files/json-lines.js";

/** The generated file, its size and Apple's limit, and the findings. Sends `findings`. */
export class FileView extends EventTarget {
    #page;
    #root;
    #text = "";
    #asking = new Newest();
    #verdict = null;

    constructor(page) {
        super();
        this.#page = page;
        this.#root = part(page.main, "file");
        copies(part(this.#root, "copy"), () => this.#text);
        page.document.addEventListener("change", () => this.#follow());
    }

    /** Marks the lines of the rule that decides in the tester. */
    showVerdict({ evaluation }) {
        this.#verdict = evaluation;
        const winner = decidingApp(evaluation);
        const pointer = evaluation?.apps.find(({ app, decidedBy }) => app === winner && decidedBy)?.decidedBy;
        for (const line of part(this.#root, "lines").children) {
            const isDeciding = pointer && `${line.dataset.pointer}/`.startsWith(`${pointer}/`);
            line.dataset.decides = isDeciding ? evaluation.outcome : "";
        }
        this.#scrollTo(part(this.#root, "lines").querySelector("[data-decides=opens], [data-decides=excluded]"));
    }

    /** Scrolls to the value of a pointer and moves the focus there. */
    showPlace(pointer) {
        const lines = [...part(this.#root, "lines").children];
        for (const line of lines) delete line.dataset.wanted;
        const wanted = lines.filter((line) => `${line.dataset.pointer}/`.startsWith(`${pointer}/`));
        for (const line of wanted) line.dataset.wanted = "yes";
        const box = part(this.#root, "lines").parentElement;
        box.scrollIntoView({ block: "nearest" });
        box.focus({ preventScroll: true });
        this.#scrollTo(wanted[0]);
    }

    /** Scrolls the box, not the page, to a line. */
    #scrollTo(line) {
        if (!line) return;
        const box = part(this.#root, "lines").parentElement;
        const top = line.offsetTop;
        const isInView = top >= box.scrollTop && top < box.scrollTop + box.clientHeight - 3 * line.offsetHeight;
        if (!isInView) box.scrollTop = top - box.clientHeight / 3;
    }

    async #follow() {
        const path = `/domains/${encodeURIComponent(this.#page.host)}/draft`;
        const ask = (signal) => {
            return Promise.all(["file", "findings"].map((name) => this.#page.api.get(`${path}/${name}`, { signal })));
        };
        await this.#asking.ask(ask, {
            answered: ([file, report]) => {
                this.#showProblem(null);
                this.#showFile(file.body);
                this.#showReport(report.body);
            },
            failed: (error) => this.#showProblem(error),
        });
    }

    #showFile(text) {
        this.#text = text;
        part(this.#root, "lines").replaceChildren(...jsonLines(text).map(lineElement));
        if (this.#verdict) this.showVerdict({ evaluation: this.#verdict });
    }

    #showReport({ size, limit, sha256, findings }) {
        const meter = part(this.#root, "meter");
        meter.max = limit;
        meter.high = limit * 0.9;
        meter.value = size;
        part(this.#root, "size").textContent = `${bytes(size)} of ${bytes(limit)}`;
        part(this.#root, "sha256").textContent = `SHA-256 ${sha256.slice(0, 12)}…`;
        part(this.#root, "sha256").title = sha256;
        part(this.#root, "findings").replaceChildren(...findingItems(findings, this.#page.document));
        part(this.#root, "no-findings").hidden = findings.length > 0;
        this.dispatchEvent(new CustomEvent("findings", { detail: findings }));
    }

    #showProblem(error) {
        part(this.#root, "problem").hidden = !error;
        part(this.#root, "problem").textContent = error ? words(error) : "";
    }
}
