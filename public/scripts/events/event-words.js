import { count, duration, list } from "../numbers.js";

/** What happened, in words that stand behind the name of what it happened to, and how it is to be taken. */
const kinds = {
    "organization.created": () => "was made as an organization",
    "member.role_set": ({ role }) => `has the role ${role}`,
    "token.created": ({ role }) => `was made, an API token with the role ${role}`,
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
    "draft.changed": () => "has a new draft",
    "draft.imported": () => "has an imported draft",
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
    "publication.postponed": ({ version, nextAt }) =>
        `could not be given version ${version}; tried again at ${moment(nextAt)}`,
    "publication.live": ({ version, late }) => `serves version ${version}${tooLate(late)}`,
    "publication.failed": ({ version }) => `could not be given version ${version}`,
    "publication.cancelled": ({ version }) => `is not to serve version ${version} any more`,
    "publication.superseded": ({ version }) => `is to serve another version than ${version}`,
    "publication.suspended": ({ version }) => `was not given version ${version}: its publication was stopped`,
    "withdrawal.created": ({ dueAt }) => `is to be withdrawn at ${moment(dueAt)}`,
    "withdrawal.postponed": ({ nextAt }) => `could not be withdrawn; tried again at ${moment(nextAt)}`,
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
    "release.created": ({ domains, takesBack, dueAt, effectiveBy }) => {
        const what = takesBack ? "a rollback" : "a release";
        return `was made, ${what} of ${count(domains, "domain")}${from(dueAt)}${inTimeFor(effectiveBy)}`;
    },
    "release.scheduled": ({ dueAt }) => `is ready, a release${dueAt ? `, and goes live at ${moment(dueAt)}` : ""}`,
    "release.running": () => "is being made live, a release",
    "release.postponed": ({ nextAt }) => `could not go on, a release; tried again at ${moment(nextAt)}`,
    "release.judged": () => "has been judged, a release on trial",
    "release.refused": () => "was refused, a release",
    "release.unchanged": () => "had nothing new, a release",
    "release.live": ({ late }) => `is live, a release${tooLate(late)}`,
    "release.failed": () => "could not be made live, a release",
    "release.cancelled": () => "was called off, a release",
    "release.suspended": () => "was stopped before it went live, a release",
    "replacement.created": ({ with: other }) => `is to be replaced by ${other} in drafts`,
    "replacement.postponed": ({ nextAt }) =>
        `could not go on being replaced in drafts; tried again at ${moment(nextAt)}`,
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
    app: "Apps",
    team: "Teams",
    token: "API tokens",
    member: "Members",
    organization: "Organization",
};

/** A kind that this page does not know yet goes by its name. */
export function eventWords({ kind, detail }) {
    return kinds[kind]?.(detail) ?? kind;
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
    return new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" }).format(new Date(time));
}
