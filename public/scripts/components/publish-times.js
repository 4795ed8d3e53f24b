import { freezeSentence } from "../shared/words/freeze-words.js";
import { Problem } from "../shared/api/problem.js";
import { ownZone } from "../shared/times/zones.js";
import { clone, part, uniqueIDs } from "../shared/page/template.js";
import { inUTC } from "../shared/times/due-time.js";
import { EffectiveBy } from "./effective-by.js";

/**
 * Offers when to publish, at once, at a time of the reader's clock, or for devices to know by one, and when to take it
 * back, where it can be taken back by itself. `freeze` is the one that covers the domain, or null.
 */
export function offerTimes(form, api, { takesBack = true, freeze = null } = {}) {
    const times = uniqueIDs(clone("publish-times", { zone: ownZone, "effective-zone": ownZone }));
    part(times, "takes-back").hidden = !takesBack;
    part(form, "times").replaceChildren(times);
    part(times, "frozen").hidden = !freeze;
    if (freeze) part(times, "frozen").textContent = `${freezeSentence(freeze)} Publishing at once is not stopped.`;
    const effectiveBy = new EffectiveBy(part(times, "effective-by"), api);
    const update = () => show(form, times, effectiveBy);
    times.addEventListener("input", update);
    update();
}

/** The chosen times as the API takes them. A time that was chosen and not said is no reason to publish at once. */
export function chosenTimes({ when, at, effectiveBy, takesBack, revertAt }) {
    const missing = [
        when === "later" && !at && { pointer: "/at", detail: "Say when." },
        when === "effective" && !effectiveBy && { pointer: "/effectiveBy", detail: "Say by when." },
        takesBack && !revertAt && { pointer: "/revertAt", detail: "Say when." },
    ].filter(Boolean);
    if (missing.length) throw new Problem({ code: "invalid", errors: missing });
    const times = {
        ...(when === "later" && { at: moment(at) }),
        ...(when === "effective" && { effectiveBy: moment(effectiveBy) }),
        ...(takesBack && { revertAt: moment(revertAt) }),
    };
    return Object.keys(times).length ? { ...times, zone: ownZone } : {};
}

/** A control's local date and time as RFC 3339 in UTC, to the second. */
function moment(local) {
    return `${new Date(local).toISOString().slice(0, 19)}Z`;
}

function show(form, times, effectiveBy) {
    const { when, takesBack } = form.elements;
    part(times, "at-field").hidden = when.value !== "later";
    part(times, "effective-field").hidden = when.value !== "effective";
    part(times, "revert-field").hidden = !takesBack.checked;
    for (const name of ["at", "effectiveBy", "revertAt"]) {
        const local = form.elements[name].value;
        part(times, `${name}-utc`).textContent = local ? inUTC(new Date(local)) : "Your own time; UTC is shown here.";
    }
    const wanted = form.elements.effectiveBy.value;
    effectiveBy.show(when.value === "effective" && wanted ? moment(wanted) : null);
    const submit = part(form, "submit");
    if (["Publish", "Schedule"].includes(submit.textContent)) {
        submit.textContent = when.value === "now" ? "Publish" : "Schedule";
    }
}
