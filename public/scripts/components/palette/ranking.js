/**
 * How well an item fits what was typed: 0 for not at all. Every typed word must be found: best at the beginning of the
 * item, then at the beginning of a word, then anywhere. An item can have a `bonus`.
 */
function fit({ words, detail = "", also = "", bonus = 0 }, typed) {
    const text = words.toLowerCase();
    const rest = `${detail} ${also}`.toLowerCase();
    const found = typed.toLowerCase().split(/\s+/).filter(Boolean).map((word) => wordFit(word, text, rest));
    return found.every(Boolean) ? found.reduce((sum, each) => sum + each, 1 + bonus) : 0;
}

function wordFit(word, text, rest) {
    if (text.startsWith(word)) return 4;
    if (startsWord(word, text)) return 3;
    if (text.includes(word)) return 2;
    return rest.includes(word) ? 1 : 0;
}

function startsWord(word, text) {
    const at = text.indexOf(word);
    return at > 0 && !/[a-z0-9]/.test(text[at - 1]);
}

/** The groups of the items that fit, the best group first, each with its best `limit` items. */
export function ranked(items, typed, limit) {
    const fits = items.map((item) => ({ item, score: fit(item, typed) })).filter(({ score }) => score > 0);
    fits.sort((one, other) => other.score - one.score);
    const groups = Map.groupBy(fits, ({ item }) => item.group);
    return [...groups].map(([name, found]) => ({ name, items: found.slice(0, limit).map(({ item }) => item) }));
}
