const grouped = new Intl.NumberFormat("en");

export function number(value) {
    return grouped.format(value);
}

export function bytes(count) {
    return count === 1 ? "1 byte" : `${grouped.format(count)} bytes`;
}

/** A limit: "128 KB (131,072 bytes)". */
export function limitWords(count) {
    return `${grouped.format(count / 1_024)} KB (${bytes(count)})`;
}

/** `count(1, "rule")` is "1 rule", `count(2, "rule")` "2 rules". */
export function count(number, noun, plural = `${noun}s`) {
    return `${grouped.format(number)} ${number === 1 ? noun : plural}`;
}

/** A number that the API counts up to a limit: "37", "10,000+". */
export function atMost(value, limit) {
    return value < limit ? number(value) : `${number(limit)}+`;
}

/** "a", "a and b", "a, b and c" */
export function list(words) {
    return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** "59 s", "59 min", "3 h" */
export function duration(seconds) {
    if (seconds < 60) return `${seconds} s`;
    return seconds < 3_600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`;
}
