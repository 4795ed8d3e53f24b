import { clone } from "../shared/page/template.js";

/** One line of formatted JSON, indented by spaces so that copied text is indented too. */
export function lineElement({ depth, pointer, parts }) {
    const line = clone("file-line");
    line.dataset.pointer = pointer;
    line.append("  ".repeat(depth), ...parts.map(({ kind, text }) => piece(kind, text)), "\n");
    return line;
}

function piece(kind, text) {
    const element = document.createElement("span");
    element.className = `json-${kind}`;
    element.textContent = text;
    return element;
}
