/** A host as people type it: in Unicode. The API and the file have it in ASCII (RFC 3492, RFC 5890). */
export function hostWords(host) {
    return host.split(".").map((label) => (label.startsWith("xn--") ? decoded(label.slice(4)) ?? label : label)).join(".");
}

/** A label from Punycode (RFC 3492, 6.2), or null if it is not valid. */
function decoded(text) {
    const [, basic = "", extended] = /^(?:(.*)-)?([a-z0-9]+)$/.exec(text) ?? [];
    if (extended === undefined) return null;
    const points = [...basic].map((letter) => letter.codePointAt(0));
    let [number, place, bias, at] = [128, 0, 72, 0];
    while (at < extended.length) {
        const before = place;
        for (let weight = 1, step = 36; ; step += 36) {
            if (at === extended.length) return null;
            const digit = parseInt(extended[at++], 36);
            const value = digit < 10 ? digit + 26 : digit - 10;
            place += value * weight;
            const threshold = Math.min(Math.max(step - bias, 1), 26);
            if (value < threshold) break;
            weight *= 36 - threshold;
        }
        bias = adapted(place - before, points.length + 1, before === 0);
        number += Math.floor(place / (points.length + 1));
        place %= points.length + 1;
        if (number > 0x10ffff) return null;
        points.splice(place++, 0, number);
    }
    return String.fromCodePoint(...points);
}

/** The bias for the next number (RFC 3492, 6.1). */
function adapted(difference, length, isFirst) {
    let rest = Math.floor(difference / (isFirst ? 700 : 2));
    rest += Math.floor(rest / length);
    let bias = 0;
    for (; rest > 455; bias += 36) rest = Math.floor(rest / 35);
    return bias + Math.floor((36 * rest) / (rest + 38));
}
