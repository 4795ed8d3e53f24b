import { announce } from "../../../components/announce.js";
import { all, at } from "../../../shared/api/api.js";
import { offerCurl } from "../../../components/curl.js";
import { openDialog } from "../../../components/dialogs.js";
import { onSubmit } from "../../../shared/forms/form.js";
import { countDomainsOf } from "../../../shared/forms/label-count.js";
import { afterPause } from "../../../shared/following/later.js";
import { Problem } from "../../../shared/api/problem.js";
import { part } from "../../../shared/page/template.js";
import { warnOfOthers } from "./other-schedules.js";
import { missingIn, readExpression, repetitions, writeExpression } from "./recurrence.js";
import { catchUpSentence, catchUps, durationWords, whenWords } from "../../../shared/words/schedule-words.js";
import { SchedulePreview } from "./schedule-preview.js";
import { ownZone, zonesByRegion } from "../../../shared/times/zones.js";

const usual = {
    name: "",
    host: null,
    label: null,
    expression: "0 9 * * MON-FRI",
    zone: ownZone,
    message: "",
    catchUpSeconds: 21_600,
};

/** The fields of a recurrence. Each is visible for the listed values of `repeats`. */
const fieldsOf = {
    "minute-field": ["hourly"],
    "time-field": ["daily", "weekdays", "weekly", "monthly"],
    "weekdays-field": ["weekly"],
    "day-field": ["monthly"],
};

/**
 * Opens the form of an existing schedule or of a new one. If `host` is given, the form of a new schedule names it. Calls
 * `saved` with the API's answer.
 */
export function openScheduleForm({ api, organization }, { schedule = null, host = null, saved }) {
    const { dialog, closed, part: own } = openDialog("schedule-form", {
        title: schedule ? `Edit ${schedule.name}` : "New schedule",
        submit: schedule ? "Save" : "Create schedule",
    });
    const form = own("form");
    fillChoices(form, schedule);
    offerTargets(api, form);
    const { expression, zone, name, message, catchUpSeconds, ...target } = { ...usual, host, ...schedule };
    setValues(form, { expression, zone, name, message, catchUpSeconds, ...target });
    countDomainsOf(form.elements.label, own("label-count"), api)();
    warnOfOthers(form, own("others"), api, schedule?.id);
    const preview = new SchedulePreview(own("preview"), api);
    const ask = afterPause(200, () => {
        const missing = missingIn(recurrenceOf(form))?.detail;
        preview.show(form.elements.expression.value.trim(), form.elements.zone.value, missing);
    });
    showRecurrence(form, readExpression(expression));
    form.addEventListener("input", ({ target: control }) => {
        keepInStep(form, control.name);
        if (control.closest("[data-part=when]")) ask();
    });
    keepInStep(form, null);
    preview.show(expression, zone);
    let seen = schedule;
    const creating = () => ({ method: "POST", path: "/schedules", body: bodyOf(form) });
    const saving = () => {
        const body = seen === schedule ? bodyOf(form) : changesOf(schedule, bodyOf(form));
        return { method: "PATCH", path: at`/schedules/${schedule.id}`, body, ifMatch: tag(seen) };
    };
    const request = () => ({ ...(schedule ? saving() : creating()), organization: organization.slug });
    closed.then(offerCurl(schedule ? "save this schedule" : "create this schedule", request, own("as-curl")));
    onSubmit(form, async () => {
        const { method, path, body, ifMatch } = request();
        const answer = await api[method.toLowerCase()](path, body, { ifMatch }).catch(async (problem) => {
            const isGone = schedule && problem.is?.("not_found");
            if (isGone) throw new Problem({ detail: "This schedule has been deleted in the meantime." });
            if (!problem.isConflict) throw problem;
            seen = (await api.get(at`/schedules/${schedule.id}`)).body;
            throw new Problem({ detail: overtakenWords(seen) });
        });
        dialog.close();
        announce(`Schedule ${answer.body.name} ${schedule ? "saved" : "created"}.`);
        await saved(answer.body);
    });
}

/** The fields changed here, and no others, so that another user's change to another field survives. */
function changesOf(schedule, body) {
    return Object.fromEntries(Object.entries(body).filter(([name, value]) => value !== schedule[name]));
}

function overtakenWords(schedule) {
    const present = `“${schedule.name}”, ${whenWords(schedule)}`;
    return `This schedule has been changed in the meantime. It is now ${present}. Save again to apply your changes to it.`;
}

/** The ETag of a schedule, so that a change never overwrites another user's. */
export function tag({ revision }) {
    return `"${revision}"`;
}

function fillChoices(form, schedule) {
    const { repeats, zone, catchUpSeconds } = form.elements;
    repeats.append(...Object.entries(repetitions).map(([value, words]) => new Option(words, value)));
    const own = [...new Set([schedule?.zone, ownZone, "UTC"].filter(Boolean))];
    zone.append(optionGroup("Your zone and UTC", own));
    for (const [region, zones] of zonesByRegion()) {
        zone.append(optionGroup(region, zones.filter((each) => !own.includes(each))));
    }
    const seconds = schedule?.catchUpSeconds ?? usual.catchUpSeconds;
    const isUsual = catchUps.some(([each]) => each === seconds);
    const choices = isUsual ? catchUps : [...catchUps, [seconds, `Within ${durationWords(seconds)}`]];
    catchUpSeconds.append(...choices.map(([value, words]) => new Option(words, value)));
}

function optionGroup(label, zones) {
    const group = document.createElement("optgroup");
    group.label = label;
    group.append(...zones.map((zone) => new Option(zone.replaceAll("_", " "), zone)));
    return group;
}

/** Only suggestions: a failure leaves them empty. */
async function offerTargets(api, form) {
    const domains = await all(api, "/domains", { limit: 1_000 }).catch(() => []);
    const hosts = domains.filter(({ aliasOf }) => !aliasOf).map(({ host }) => host);
    const labels = [...new Set(domains.flatMap((domain) => domain.labels))].sort();
    part(form, "hosts").append(...hosts.map((host) => new Option(host, host)));
    part(form, "labels").append(...labels.map((label) => new Option(label, label)));
}

function setValues(form, { host, label, ...values }) {
    for (const [name, value] of Object.entries(values)) {
        const control = form.elements[name];
        if (control) control.value = value;
    }
    form.elements.target.value = label ? "label" : "host";
    form.elements.host.value = host ?? "";
    form.elements.label.value = label ?? "";
}

/** Changing a choice updates the expression. Typing an expression updates the choices. */
function keepInStep(form, changed) {
    const { expression, target, catchUpSeconds } = form.elements;
    if (changed === "expression") showRecurrence(form, readExpression(expression.value));
    else if (["repeats", "minute", "time", "weekday", "day"].includes(changed)) {
        const recurrence = recurrenceOf(form);
        if (recurrence.repeats !== "other") expression.value = writeExpression(recurrence) ?? "";
    }
    const repeats = form.elements.repeats.value;
    for (const [name, ways] of Object.entries(fieldsOf)) part(form, name).hidden = !ways.includes(repeats);
    part(form, "day-hint").hidden = repeats !== "monthly" || ![29, 30, 31].includes(Number(form.elements.day.value));
    part(form, "host-field").hidden = target.value !== "host";
    part(form, "label-field").hidden = target.value !== "label";
    part(form, "catch-up-sentence").textContent = catchUpSentence(Number(catchUpSeconds.value));
}

function showRecurrence(form, { repeats, minute, time, weekdays, day }) {
    form.elements.repeats.value = repeats;
    if (minute !== undefined) form.elements.minute.value = minute;
    if (time !== undefined) form.elements.time.value = time;
    if (day !== undefined) form.elements.day.value = day;
    for (const box of form.elements.weekday) if (weekdays) box.checked = weekdays.includes(Number(box.value));
}

function recurrenceOf({ elements }) {
    const weekdays = [...elements.weekday].filter((box) => box.checked).map((box) => Number(box.value));
    const [repeats, minute, time, day] = ["repeats", "minute", "time", "day"].map((name) => elements[name].value);
    return { repeats, minute, time, weekdays, day };
}

/** The request body. Throws a `Problem` for a missing field; the API checks the rest. */
function bodyOf(form) {
    const text = (name) => form.elements[name].value.trim();
    const missing = missingIn(recurrenceOf(form));
    if (missing) throw new Problem({ code: "invalid", errors: [missing] });
    const target = text("target");
    return {
        name: text("name"),
        [target]: text(target),
        expression: text("expression"),
        zone: text("zone"),
        message: text("message"),
        catchUpSeconds: Number(text("catchUpSeconds")),
    };
}
