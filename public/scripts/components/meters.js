import { count, number } from "../shared/words/numbers.js";
import { clone, part } from "../shared/page/template.js";

/** Progress as a bar and in words: "2 of 12 domains", or another `noun`. */
export function meter({ name, kind, done, total, noun = "domain", note }) {
    const words = `${number(done)} of ${count(total, noun)}`;
    const item = clone("meter", { name, kind, words, note });
    const bar = part(item, "bar");
    bar.max = Math.max(total, 1);
    bar.value = done;
    bar.setAttribute("aria-label", [name, kind].filter(Boolean).join(", "));
    bar.setAttribute("aria-valuetext", words);
    item.classList.toggle("is-full", total > 0 && done >= total);
    return item;
}
