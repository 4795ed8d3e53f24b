import { worstFirst } from "../../shared/words/finding-words.js";

/** Findings, worst first, with equal ones together: `[{ finding, count }]`. By default, equal ones have the same code. */
export function grouped(findings, sameness = ({ code }) => code) {
    const groups = new Map();
    for (const finding of worstFirst(findings)) {
        const key = sameness(finding);
        if (groups.has(key)) groups.get(key).count += 1;
        else groups.set(key, { finding, count: 1 });
    }
    return [...groups.values()];
}
