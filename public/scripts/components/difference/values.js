/** The most characters shown of a value: a variable may have thousands of values. */
const longestValue = 300;

/** A value in words, not too long. */
export function written(value) {
    if (value === null || value === undefined) return "not set";
    if (typeof value === "boolean") return value ? "yes" : "no";
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}
