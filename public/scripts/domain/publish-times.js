import { Problem } from "../problem.js";
import { clone, part, uniqueIDs } from "../template.js";
import { inUTC, localZone } from "./due-time.js";

/** Offers when to publish, at once or at a time of the reader's clock, and when to take it back. */
export function offerTimes(form) {
    const times = uniqueIDs(clone("publish-times", { zone: localZone() }));
    part(form, "times").replaceChildren(times);
    const update = () => show(form, times);
    times.addEventListener("input", update);
    update();
}

/** The chosen times as the API takes them. A time that was chosen and not said is no reason to publish at once. */
export function chosenTimes({ when, at, takesBack, revertAt }) {
    const missing = [
        when === "later" && !at && { pointer: "/at", detail: "Say when." },
        takesBack && !revertAt && { pointer: "/revertAt", detail: "Say when." },
    ].filter(Boolean);
    if (missing.length) throw new Problem({ code: "invalid", errors: missing });
    const times = { ...(when === "later" && { at: moment(at) }), ...(takesBack && { revertAt: moment(revertAt) }) };
    return Object.keys(times).length ? { ...times, zone: localZone() } : {};
}

/** A control's local date and time as RFC 3339 in UTC, to the second. */
function moment(local) {
    return `${new Date(local).toISOString().slice(0, 19)}Z`;
}

function show(form, times) {
    const { when, takesBack } = form.elements;
    part(times, "at-field").hidden = when.value !== "later";
    part(times, "revert-field").hidden = !takesBack.checked;
    for (const name of ["at", "revertAt"]) {
        const local = form.elements[name].value;
        part(times, `${name}-utc`).textContent = local ? inUTC(new Date(local)) : "Your own time; UTC is shown here.";
    }
    const submit = part(form, "submit");
    if (["Publish", "Schedule"].includes(submit.textContent)) {
        submit.textContent = when.value === "later" ? "Schedule" : "Publish";
    }
}
