import { same } from "./same.js";

/**
 * Applies the change from the draft `from` to the draft `to` to `current`, a later draft. Everything that only `current`
 * has changed stays. Returns `{ draft, overlaps }`: `overlaps` says whether the result overwrites a change that is not
 * part of this one, such as another user's edit of the same rule.
 */
export function rebase(current, from, to) {
    const rebasing = new Rebasing();
    return { draft: rebasing.object(current, from, to), overlaps: rebasing.overlaps };
}

/** These are set by the server. */
const unrelated = ["revision", "updatedAt"];

class Rebasing {
    overlaps = false;

    /** A draft, an entry or a rule: one key after another. */
    object(current, from, to) {
        const result = { ...current };
        for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
            if (unrelated.includes(key) || same(from[key], to[key])) continue;
            result[key] = this.#value(current[key], from[key], to[key]);
            if (result[key] === undefined) delete result[key];
        }
        return result;
    }

    #value(current, from, to) {
        if ([current, from, to].every(hasIDs)) return this.#list(current, from, to);
        if (!same(current, from) && !same(current, to)) this.overlaps = true;
        return to;
    }

    /** Entries or rules, which have IDs. */
    #list(current, from, to) {
        const [now, before, after] = [current, from, to].map((list) => new Map(list.map((each) => [each.id, each])));
        const merged = new Map();
        for (const id of new Set([...now.keys(), ...after.keys()])) {
            const item = this.#item(now.get(id), before.get(id), after.get(id));
            if (item) merged.set(id, item);
        }
        const order = this.#order([...now.keys()], [...before.keys()], [...after.keys()]);
        return order.filter((id) => merged.has(id)).map((id) => merged.get(id));
    }

    #item(now, before, after) {
        if (now && before && after) return this.object(now, before, after);
        if (!before) return after ?? now;
        // Deleted by this change, or by another one.
        if (after ? !same(before, after) : !same(before, now)) this.overlaps = true;
        else return null;
        return after ?? null;
    }

    /** The current order, with new items after their neighbours; the order of `to` if this change moved something. */
    #order(current, from, to) {
        const common = from.filter((id) => to.includes(id));
        const isMoved = !same(common, to.filter((id) => common.includes(id)));
        if (!isMoved) return inserted(current, to);
        const inFromOrder = common.filter((id) => current.includes(id));
        if (!same(inFromOrder, current.filter((id) => common.includes(id)))) this.overlaps = true;
        return inserted(to, current);
    }
}

function hasIDs(value) {
    return Array.isArray(value) && value.every((each) => typeof each?.id === "string");
}

/** `order` with the others of `sequence`, each after the one that precedes it there. */
function inserted(order, sequence) {
    const result = [...order];
    sequence.forEach((id, index) => {
        if (!result.includes(id)) result.splice(index ? result.indexOf(sequence[index - 1]) + 1 : 0, 0, id);
    });
    return result;
}
