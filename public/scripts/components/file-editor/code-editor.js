import { jsonPlaces } from "./json-places.js";
import { TextLines } from "./text-lines.js";
import { part } from "../../shared/page/template.js";
import { severityOf, worstFirst } from "../../shared/words/finding-words.js";

/** Limits on underlines: later columns, and more underlines in a line, get only the mark of the line. */
const widestMark = 4_000;
const maximumUnderlines = 40;

/**
 * A textarea with line numbers and marks. Numbers and marks are drawn behind the text, only for the lines in view, so
 * that a large file is as fast as a small one. Sends `edit` when the user has changed the text, and `mark` (`detail`:
 * the index of a finding) when the user clicks a mark.
 */
export class CodeEditor extends EventTarget {
    #gutter;
    #marks;
    #area;
    #lines = new TextLines("");
    #places = null;
    #findings = new Map();
    #decision = null;
    #isDrawing = false;

    constructor(root) {
        super();
        this.#gutter = part(root, "gutter");
        this.#marks = part(root, "marks");
        this.#area = part(root, "text");
        this.#area.addEventListener("input", () => {
            this.#textChanged();
            this.dispatchEvent(new Event("edit"));
        });
        this.#area.addEventListener("scroll", () => this.#drawSoon());
        this.#gutter.addEventListener("click", ({ target }) => this.#pressed(target));
        new ResizeObserver(() => this.#drawSoon()).observe(this.#area);
        this.#draw();
    }

    get text() {
        return this.#area.value;
    }

    set text(text) {
        this.#area.value = text;
        this.#area.scrollTo(0, 0);
        this.#findings = new Map();
        this.#decision = null;
        this.#textChanged();
    }

    /** Marks the findings that have a place: `line` and `column` from 1. */
    mark(findings) {
        this.#findings = new Map();
        findings.forEach((finding, index) => {
            if (!finding.line) return;
            const line = this.#lines.lineAt(this.#lines.offset(finding));
            if (!this.#findings.has(line)) this.#findings.set(line, []);
            this.#findings.get(line).push({ ...finding, index });
        });
        this.#drawSoon();
    }

    /** Marks the lines of the rule that decides: `{ pointer, outcome }`. Null, if no rule decides, removes the mark. */
    decide(decision) {
        const place = decision && this.#jsonPlaces.at.get(decision.pointer);
        this.#decision = place && {
            outcome: decision.outcome,
            first: this.#lines.lineAt(place.start),
            last: this.#lines.lineAt(place.end),
        };
        this.#drawSoon();
    }

    /** The line of a JSON Pointer's value, from 1; null if the file has no value there. */
    lineOf(pointer) {
        const place = this.#jsonPlaces.at.get(pointer);
        return place ? this.#lines.lineAt(place.start) + 1 : null;
    }

    /** The JSON Pointer of the innermost value at the caret, or null. */
    get caretPointer() {
        const caret = this.#area.selectionStart;
        const around = [...this.#jsonPlaces.at].filter(([, { start, end }]) => start <= caret && caret <= end);
        return around.sort(([one], [other]) => other.length - one.length)[0]?.[0] ?? null;
    }

    /** Selects and shows the value of a JSON Pointer. */
    selectPointer(pointer) {
        const place = this.#jsonPlaces.at.get(pointer);
        if (place) this.#select(place.start, place.end);
    }

    /** Selects the place of a finding, to the end of its value or key, or of the line. */
    selectFinding(finding) {
        const start = this.#lines.offset(finding);
        this.#select(start, this.#endOf(start));
    }

    #select(start, end) {
        this.#area.focus({ preventScroll: true });
        this.#area.setSelectionRange(start, end);
        const line = this.#lines.lineAt(start);
        const before = this.text.slice(this.#lines.start(line), start);
        this.#area.scrollTop = Math.max(0, (line - 3) * this.#lineHeight);
        this.#area.scrollLeft = before.length > 60 ? this.#widthOf(before) - this.#area.clientWidth / 3 : 0;
        this.#area.parentElement.scrollIntoView({ block: "nearest" });
    }

    #widthOf(text) {
        const probe = document.createElement("span");
        probe.textContent = text;
        this.#marks.append(probe);
        const width = probe.getBoundingClientRect().width;
        probe.remove();
        return width;
    }

    #endOf(start) {
        return this.#jsonPlaces.ends.get(start) ?? this.#lines.end(this.#lines.lineAt(start));
    }

    #textChanged() {
        this.#lines = new TextLines(this.text);
        this.#places = null;
        this.#decision = null;
        this.#drawSoon();
    }

    get #jsonPlaces() {
        this.#places ??= jsonPlaces(this.text);
        return this.#places;
    }

    get #lineHeight() {
        return parseFloat(getComputedStyle(this.#area).lineHeight);
    }

    #drawSoon() {
        if (this.#isDrawing) return;
        this.#isDrawing = true;
        requestAnimationFrame(() => this.#draw());
    }

    #draw() {
        this.#isDrawing = false;
        const { scrollTop, scrollLeft, clientHeight } = this.#area;
        const height = this.#lineHeight;
        const first = Math.max(0, Math.floor(scrollTop / height) - 1);
        const last = Math.min(this.#lines.count - 1, Math.ceil((scrollTop + clientHeight) / height));
        const inView = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
        this.#gutter.parentElement.style.setProperty("--digits", Math.max(2, String(this.#lines.count).length));
        this.#gutter.replaceChildren(...inView.map((line) => at(line, this.#number(line))));
        this.#marks.replaceChildren(
            ...inView.flatMap((line) => [
                ...this.#bands(line).map((band) => at(line, band)),
                ...this.#underlines(line).map((underline) => at(line, underline, scrollLeft)),
            ]),
        );

        function at(line, element, left = 0) {
            element.style.transform = `translate(${-left}px, ${line * height - scrollTop}px)`;
            return element;
        }
    }

    #number(line) {
        const row = element("editor-number", String(line + 1));
        const worst = this.#worst(line);
        if (!worst) return row;
        row.dataset.severity = worst.severity;
        row.dataset.finding = worst.index;
        row.title = this.#findings.get(line).slice(0, maximumUnderlines).map(({ message }) => message).join("\n");
        row.prepend(element("editor-sign", severityOf(worst.severity).sign));
        return row;
    }

    #worst(line) {
        const there = this.#findings.get(line) ?? [];
        return worstFirst(there)[0];
    }

    #bands(line) {
        const worst = this.#worst(line);
        const { first, last, outcome } = this.#decision ?? {};
        const isDeciding = line >= first && line <= last;
        const bands = isDeciding ? [band({ decides: outcome })] : [];
        return worst ? [...bands, band({ severity: worst.severity })] : bands;
    }

    #underlines(line) {
        const there = (this.#findings.get(line) ?? []).slice(0, maximumUnderlines);
        return there.flatMap((finding) => this.#underline(finding, line) ?? []);
    }

    #underline(finding, line) {
        const from = this.#lines.offset(finding);
        const to = Math.min(this.#endOf(from), this.#lines.end(line));
        const start = this.#lines.start(line);
        if (from - start > widestMark || from === to) return null;
        const row = element("editor-underline", this.text.slice(start, from));
        row.dataset.severity = finding.severity;
        const marked = document.createElement("mark");
        marked.textContent = this.text.slice(from, Math.min(to, from + widestMark));
        row.append(marked);
        return row;
    }

    #pressed(target) {
        const number = target.closest("[data-finding]")?.dataset.finding;
        if (number !== undefined) this.dispatchEvent(new CustomEvent("mark", { detail: Number(number) }));
    }
}

function band(data) {
    const row = element("editor-band");
    Object.assign(row.dataset, data);
    return row;
}

function element(className, text = "") {
    const made = document.createElement("div");
    made.className = className;
    made.textContent = text;
    return made;
}
