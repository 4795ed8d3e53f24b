import { freezeSentence } from "../../shared/words/freeze-words.js";
import { Problem } from "../../shared/api/problem.js";
import { ownZone } from "../../shared/times/zones.js";
import { clone, part, uniqueIDs } from "../../shared/page/template.js";
import { inUTC } from "../../shared/times/due-time.js";
import { EffectiveBy } from "./effective-by.js";

/**
 * Offers the times of a publication: now, at a local time, or in time to reach devices; and, if it can be rolled back
 * automatically, when.
 */
export function offerTimes(form, api, { rollsBack = true } = {}) {
    const times = uniqueIDs(clone("publish-times", { zone: ownZone, "effective-zone": ownZone }));
    part(times, "rolls-back").hidden = !rollsBack;
    part(form, "times").replaceChildren(times);
    const effectiveBy = new EffectiveBy(part(times, "effective-by"), api);
    const update = () => show(form, times, effectiveBy);
    times.addEventListener("input", update);
    update();
}

/** Shows the freeze that covers the domain, or null. */
export function showFreeze(form, freeze) {
    part(form, "frozen").hidden = !freeze;
    if (freeze) part(form, "frozen").textContent = `${freezeSentence(freeze)} You can still publish now.`;
}

/**
 * The chosen times as the API takes them. Throws a `Problem` if one is missing: nothing is published now by mistake.
 */
export function chosenTimes({ when, at, effectiveBy, rollsBack, revertAt }) {
    const missing = [
        when === "later" && !at && { pointer: "/at", detail: "Enter a time." },
        when === "effective" && !effectiveBy && { pointer: "/effectiveBy", detail: "Enter a time." },
        rollsBack && !revertAt && { pointer: "/revertAt", detail: "Enter a time." },
    ].filter(Boolean);
    if (missing.length) throw new Problem({ code: "invalid", errors: missing });
    const times = {
        ...(when === "later" && { at: moment(at) }),
        ...(when === "effective" && { effectiveBy: moment(effectiveBy) }),
        ...(rollsBack && { revertAt: moment(revertAt) }),
    };
    return Object.keys(times).length ? { ...times, zone: ownZone } : {};
}

/** A control's local date and time as RFC 3339 in UTC, to the second. */
function moment(local) {
    return `${new Date(local).toISOString().slice(0, 19)}Z`;
}

function show(form, times, effectiveBy) {
    const { when, rollsBack } = form.elements;
    part(times, "at-field").hidden = when.value !== "later";
    part(times, "effective-field").hidden = when.value !== "effective";
    part(times, "revert-field").hidden = !rollsBack.checked;
    for (const name of ["at", "effectiveBy", "revertAt"]) {
        const local = form.elements[name].value;
        const hint = "Enter your local time. UTC appears here.";
        part(times, `${name}-utc`).textContent = local ? inUTC(new Date(local)) : hint;
    }
    const wanted = form.elements.effectiveBy.value;
    effectiveBy.show(when.value === "effective" && wanted ? moment(wanted) : null);
}
