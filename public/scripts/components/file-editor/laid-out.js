import { jsonLines } from "../../shared/files/json-lines.js";

/** The JSON with one value per line, with every number, key and escape unchanged; null if it is not valid JSON. */
export function laidOut(text) {
    try {
        JSON.parse(text);
    } catch {
        return null;
    }
    const lines = jsonLines(text).map(({ depth, parts }) => ["  ".repeat(depth), ...parts.map((each) => each.text)]);
    return lines.map((line) => `${line.join("")}\n`).join("");
}
