import { all } from "../../../shared/api/api.js";
import { afterPause } from "../../../shared/following/later.js";
import { whenWords } from "../../../shared/words/schedule-words.js";

/**
 * Warns in the form of a schedule of other active schedules that publish the chosen domain, or have the chosen label.
 * `own` is the ID of an existing schedule. Shows nothing if they cannot be loaded.
 */
export function warnOfOthers(form, notice, api, own) {
    let turn = 0;
    const show = async () => {
        const asked = ++turn;
        const target = form.elements.target.value;
        const chosen = form.elements[target].value.trim();
        const query = target === "host" ? { host: chosen } : {};
        const found = chosen ? await all(api, "/schedules", { query }).catch(() => []) : [];
        if (asked !== turn) return;
        const active = found.filter(({ id, nextDueAt }) => id !== own && nextDueAt);
        const same = active.filter(({ label }) => target === "host" || label === chosen);
        const others = same.map((each) => `“${each.name}”: ${whenWords(each)}.`);
        notice.hidden = !others.length;
        notice.textContent = `Already published by ${others.join(" ")}`;
    };
    const showSoon = afterPause(250, show);
    form.addEventListener("input", ({ target }) => ["target", "host", "label"].includes(target.name) && showSoon());
    show();
}
