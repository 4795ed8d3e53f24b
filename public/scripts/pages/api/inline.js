import { markdown } from "../../shared/page/markdown.js";

/** Markdown of the contract as elements. It has no links. */
export function prose(text) {
    return markdown(text ?? "", { address: () => null });
}

/** Markdown of a single paragraph as nodes inside a line. */
export function inline(text) {
    return prose(text).flatMap((paragraph, index) => [...(index ? [" "] : []), ...paragraph.childNodes]);
}
