/** Whether two values have the same JSON. */
export function same(one, other) {
    return JSON.stringify(one) === JSON.stringify(other);
}
