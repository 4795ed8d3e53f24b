import { part } from "../../../shared/page/template.js";
import { jsonLines } from "../../../shared/files/json-lines.js";
import { lineElement } from "../../../components/file-line.js";
import { decision } from "../../../components/checking/verdict.js";

/** The lines of the generated file. Only changed lines are drawn again, so that a long file follows every key. */
export class FileLines {
    #box;
    #list;
    #lines = [];
    #linked = [];

    constructor(box) {
        this.#box = box;
        this.#list = part(box, "lines");
    }

    /** Shows another text. Scrolls to what has changed if `follows`. */
    show(text, { follows = false } = {}) {
        const before = this.#lines;
        const after = jsonLines(text).map((line) => ({ ...line, text: textOf(line) }));
        const isSame = (one, other) => one?.text === other?.text;
        let start = 0;
        while (start < Math.min(before.length, after.length) && isSame(before[start], after[start])) start++;
        let end = 0;
        const shorter = Math.min(before.length, after.length) - start;
        while (end < shorter && isSame(before.at(-1 - end), after.at(-1 - end))) end++;

        const elements = [...this.#list.children];
        for (const element of elements.slice(start, before.length - end)) element.remove();
        const changed = after.slice(start, after.length - end).map(lineElement);
        const next = this.#list.children[start] ?? null;
        for (const element of changed) this.#list.insertBefore(element, next);
        this.#lines = after;
        // Behind an added or removed rule, the same lines have other pointers.
        [...this.#list.children].slice(start).forEach(({ dataset }, index) => {
            const { pointer } = after[start + index];
            if (dataset.pointer !== pointer) dataset.pointer = pointer;
        });
        // The user may have pointed at a rule before the file was there.
        if (!before.length) this.#mark("linked", this.#linked, "yes");
        if (follows) this.#scrollTo(changed[0]);
    }

    /** Marks the lines of the rule that decides in the tester. */
    decide(evaluation) {
        this.#mark("decides", [evaluation && decision(evaluation)?.decidedBy], evaluation?.outcome);
        this.#scrollTo(this.#list.querySelector("[data-decides=opens], [data-decides=excluded]"));
    }

    /** Marks the lines of the rules that the user points at. Scrolls to them if `follows`. */
    link(pointers, { follows }) {
        this.#linked = pointers;
        this.#mark("linked", pointers, "yes");
        if (follows) this.#scrollTo(this.#list.querySelector("[data-linked=yes]"));
    }

    /** Scrolls to the value of a pointer and moves the focus there. */
    want(pointer) {
        this.#mark("wanted", [pointer], "yes");
        this.#box.scrollIntoView({ block: "nearest" });
        this.#box.focus({ preventScroll: true });
        this.#scrollTo(this.#list.querySelector("[data-wanted=yes]"));
    }

    #mark(name, pointers, value) {
        const beginnings = pointers.filter(Boolean).map((pointer) => `${pointer}/`);
        for (const { dataset } of this.#list.children) {
            const isMarked = beginnings.some((beginning) => `${dataset.pointer}/`.startsWith(beginning));
            if (isMarked) dataset[name] = value;
            else if (name in dataset) delete dataset[name];
        }
    }

    /** Scrolls the box, not the page, to a line. In the next frame, so that the page is laid out once for all changes. */
    #scrollTo(line) {
        if (!line) return;
        requestAnimationFrame(() => {
            const top = line.offsetTop;
            const { scrollTop, clientHeight } = this.#box;
            const isInView = top >= scrollTop && top < scrollTop + clientHeight - 3 * line.offsetHeight;
            if (!isInView) this.#box.scrollTop = top - clientHeight / 3;
        });
    }
}

function textOf({ depth, parts }) {
    return `${depth} ${parts.map(({ text }) => text).join("")}`;
}
