import { jsonLines } from "../../../shared/files/json-lines.js";

/** The same JSON with one value a line, every number, key and escape as it was; null where it is no JSON. */
export function laidOut(text) {
    try {
        JSON.parse(text);
    } catch {
        return null;
    }
    const lines = jsonLines(text).map(({ depth, parts }) => ["  ".repeat(depth), ...parts.map((each) => each.text)]);
    return lines.map((line) => `${line.join("")}\n`).join("");
}
