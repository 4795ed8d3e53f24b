/** Above this size the table needs too much memory: all lines count as changed. */
const maximumCells = 4_000_000;

/**
 * The changes between two lists of lines: `[{ change: "same" | "added" | "removed", line }]`, by the longest common
 * subsequence without the common beginning and end.
 */
export function lineDiff(before, after, same = (one, other) => one === other) {
    let start = 0;
    while (start < before.length && start < after.length && same(before[start], after[start])) start++;
    let end = 0;
    const shorter = Math.min(before.length, after.length) - start;
    while (end < shorter && same(before.at(-1 - end), after.at(-1 - end))) end++;

    const middle = compare(before.slice(start, before.length - end), after.slice(start, after.length - end), same);
    return [
        ...marked("same", after.slice(0, start)),
        ...middle,
        ...marked("same", after.slice(after.length - end)),
    ];
}

/** Only the changes with a few lines around each; `null` marks omitted lines. */
export function withContext(lines, around = 2) {
    const changed = lines.flatMap(({ change }, index) => (change === "same" ? [] : [index]));
    const isNear = (index) => changed.some((each) => Math.abs(each - index) <= around);
    const shown = lines.map((line, index) => (isNear(index) ? line : null));
    return shown.filter((line, index) => line || shown[index - 1]);
}

function compare(before, after, same) {
    if (before.length * after.length > maximumCells) return [...marked("removed", before), ...marked("added", after)];
    const lengths = commonLengths(before, after, same);
    const result = [];
    let [i, j] = [0, 0];
    while (i < before.length || j < after.length) {
        if (i < before.length && j < after.length && same(before[i], after[j])) {
            result.push({ change: "same", line: after[j++] });
            i++;
        } else if (j >= after.length || (i < before.length && lengths[i + 1][j] >= lengths[i][j + 1])) {
            result.push({ change: "removed", line: before[i++] });
        } else {
            result.push({ change: "added", line: after[j++] });
        }
    }
    return result;
}

/** `lengths[i][j]`: the length of the longest common subsequence of `before` from i on and `after` from j on. */
function commonLengths(before, after, same) {
    const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
    for (let i = before.length - 1; i >= 0; i--) {
        for (let j = after.length - 1; j >= 0; j--) {
            const isSame = same(before[i], after[j]);
            lengths[i][j] = isSame ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
        }
    }
    return lengths;
}

function marked(change, lines) {
    return lines.map((line) => ({ change, line }));
}
