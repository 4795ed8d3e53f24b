import { count, number } from "../shared/words/numbers.js";
import { clone, part } from "../shared/page/template.js";

/** How far something is, as a bar and in words: so many of a total, of domains or what `noun` says. */
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
