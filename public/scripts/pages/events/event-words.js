import { count, duration, list } from "../../shared/words/numbers.js";
import { ownZone, timeIn } from "../../shared/times/zones.js";

/**
 * What happened, in words that stand behind the name of what it happened to, and how it is to be taken. Events are kept
 * for ever, and an older Waymark noted less: what is not there is left out.
 */
const kinds = {
    "organization.created": () => "was made as an organization",
    "member.role_set": ({ role }) => `has the role ${role}`,
    "member.removed": ({ role }) => `was removed from the organization; the role was ${role}`,
    "token.created": ({ role }) => `was made, an API token with the role ${role}`,
    "token.revoked": ({ role }) => `was revoked, an API token with the role ${role}`,
    "team.created": () => "was registered as a team",
    "team.changed": ({ name }) => `was named ${name}`,
    "team.deleted": () => "was removed from the teams",
    "app.created": () => "was registered as an app",
    "app.changed": () => "was changed",
    "app.deleted": () => "was removed from the apps",
    "domain.created": ({ aliasOf }) => (aliasOf ? `was added as an alias of ${aliasOf}` : "was added"),
    "domain.changed": () => "was changed",
    "domain.verified": () => "was verified",
    "domain.deleted": () => "was removed",
    "alias.live": ({ aliasOf, version }) => `serves version ${version} of ${aliasOf}`,
    "alias.ended": ({ aliasOf }) => `no longer serves the file of ${aliasOf}`,
    "draft.changed": () => "has a new draft",
    "draft.imported": () => "has an imported draft",
    "draft.reset": ({ version }) => `has version ${version} in its draft`,
    "rule.created": () => "has a new rule in its draft",
    "rule.changed": () => "has a changed rule in its draft",
    "rule.deleted": () => "has a rule less in its draft",
    "test.created": () => "has a new test",
    "test.changed": () => "has a changed test",
    "test.deleted": () => "has a test less",
    "tests.imported": imported,
    "version.created": ({ version }) => `has a version ${version}`,
    "publication.created": ({ version, dueAt, effectiveBy }) =>
        `is to serve version ${version}${from(dueAt)}${inTimeFor(effectiveBy)}`,
    "publication.running": ({ version, attempt }) => `is being given version ${version}${again(attempt)}`,
    "publication.postponed": ({ version, nextAt }) => `could not be given version ${version}; ${triedAgain(nextAt)}`,
    "publication.live": ({ version, late }) => `serves version ${version}${tooLate(late)}`,
    "publication.failed": ({ version }) => `could not be given version ${version}`,
    "publication.cancelled": ({ version }) => `is not to serve version ${version} any more`,
    "publication.superseded": ({ version }) => `is to serve another version than ${version}`,
    "publication.suspended": ({ version }) => `was not given version ${version}: its publication was stopped`,
    "withdrawal.created": ({ dueAt }) => `is to be withdrawn${at(dueAt)}`,
    "withdrawal.postponed": ({ nextAt }) => `could not be withdrawn; ${triedAgain(nextAt)}`,
    "withdrawal.withdrawn": () => "was withdrawn",
    "withdrawal.cancelled": () => "is not to be withdrawn any more",
    "withdrawal.failed": () => "could not be withdrawn",
    "schedule.created": ({ expression, zone }) => `was made, a schedule for ${expression} in ${zone}`,
    "schedule.changed": ({ expression, zone }) => `was changed, a schedule for ${expression} in ${zone}`,
    "schedule.paused": () => "was paused",
    "schedule.resumed": () => "was set going again",
    "schedule.suspended": () => "was stopped",
    "schedule.deleted": () => "was removed from the schedules",
    "run.started": () => "began to run",
    "run.ended": () => "has run",
    "freeze.created": () => "was frozen",
    "freeze.lifted": () => "is frozen no longer",
    "freeze.ended": () => "is frozen no longer: the freeze is over",
    "release.created": ({ message, domains, takesBack, dueAt, effectiveBy }) => {
        const what = takesBack ? ", a rollback" : aRelease(message);
        return `was made${what} of ${count(domains, "domain")}${from(dueAt)}${inTimeFor(effectiveBy)}`;
    },
    "release.scheduled": ({ message, dueAt }) =>
        `is ready${aRelease(message)}${dueAt ? `, and goes live${at(dueAt)}` : ""}`,
    "release.running": ({ message }) => `is being made live${aRelease(message)}`,
    "release.postponed": ({ message, nextAt }) => `could not go on${aRelease(message)}; ${triedAgain(nextAt)}`,
    "release.judged": ({ message }) => `has been judged${message ? ", a release on trial" : " on trial"}`,
    "release.refused": ({ message }) => `was refused${aRelease(message)}`,
    "release.unchanged": ({ message }) => `had nothing new${aRelease(message)}`,
    "release.live": ({ message, late }) => `is live${aRelease(message)}${tooLate(late)}`,
    "release.failed": ({ message }) => `could not be made live${aRelease(message)}`,
    "release.cancelled": ({ message }) => `was called off${aRelease(message)}`,
    "release.suspended": ({ message }) => `was stopped before it went live${aRelease(message)}`,
    "replacement.created": ({ with: other }) => `is to be replaced by ${other} in drafts`,
    "replacement.postponed": ({ nextAt }) => `could not go on being replaced in drafts; ${triedAgain(nextAt)}`,
    "replacement.done": ({ changed }) => `was replaced in ${count(changed, "draft")}`,
    "replacement.failed": () => "could not be replaced in all drafts",
    "sink.repaired": ({ sink }) => `was repaired in the bucket ${sink}`,
};

const tones = {
    live: "good",
    verified: "good",
    postponed: "warning",
    withdrawn: "warning",
    repaired: "warning",
    cancelled: "warning",
    superseded: "warning",
    suspended: "bad",
    failed: "bad",
};

/** What the list can be narrowed to: the things that events are about. */
export const things = {
    publication: "Publications",
    withdrawal: "Withdrawals",
    release: "Releases",
    replacement: "Replacements",
    schedule: "Schedules",
    run: "Runs of schedules",
    freeze: "Freezes",
    sink: "Buckets",
    version: "Versions",
    draft: "Drafts",
    rule: "Rules",
    test: "Tests, one by one",
    tests: "Imported tests",
    domain: "Domains",
    alias: "Aliases",
    app: "Apps",
    team: "Teams",
    token: "API tokens",
    member: "Members",
    organization: "Organization",
};

export function eventWords({ kind, detail }) {
    return kinds[kind]?.(detail) ?? `changed in a way that this page does not know yet: ${kind.replace(/[._]/g, " ")}`;
}

export function eventTone({ kind }) {
    return tones[kind.split(".").at(-1)] ?? "";
}

/** What somebody said about it, or why it ended so. A release goes by what was said about it. */
export function eventNote({ kind, detail: { message, reason, cause, url } }) {
    return [url, !kind.startsWith("release.") && message, reason, cause].filter(Boolean).join(" · ");
}

function imported({ added, changed, removed }) {
    const parts = [
        [added, "new"],
        [changed, "changed"],
        [removed, "removed"],
    ];
    const said = parts.filter(([number]) => number).map(([number, word]) => `${count(number, "test")} ${word}`);
    return said.length ? `has ${list(said)} by an import` : "has the same tests after an import";
}

/** What a release is called that nothing was said about is a release already. */
function aRelease(message) {
    return message ? ", a release" : "";
}

function triedAgain(nextAt) {
    return nextAt ? `tried again${at(nextAt)}` : "it is tried again";
}

function at(time) {
    return time ? ` at ${moment(time)}` : "";
}

function again(attempt) {
    return attempt > 1 ? `, attempt ${attempt}` : "";
}

function from(dueAt) {
    return dueAt ? ` from ${moment(dueAt)}` : "";
}

function inTimeFor(effectiveBy) {
    return effectiveBy ? `, to have reached devices by ${moment(effectiveBy)}` : "";
}

function tooLate(late) {
    return late ? `, ${duration(late)} too late for devices to know in time` : "";
}

function moment(time) {
    return timeIn(ownZone, time, { isExact: true });
}
