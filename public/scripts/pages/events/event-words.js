import { count, duration, list } from "../../shared/words/numbers.js";
import { ownZone, timeIn } from "../../shared/times/zones.js";
import { hostWords } from "../../shared/words/host-words.js";
import { grantWords } from "../../shared/words/role-words.js";

/**
 * What happened, to show after the name of its subject. Events are kept forever, and older versions of Waymark recorded
 * fewer details, so missing details are left out.
 */
const kinds = {
    "organization.created": () => "Organization created",
    "organization.changed": ({ name, requiresSecondFactor }) =>
        `Organization changed: ${name}, second factor ${requiresSecondFactor ? "required" : "not required"}`,
    "organization.deletion_requested": () => "Deletion of the organization requested",
    "organization.deletion_cancelled": () => "Deletion of the organization cancelled",
    "organization.deleted": () => "Organization deleted",
    "member.role_set": (grant) => `Role set to ${grantWords(grant)}`,
    "member.removed": (grant) => `Removed from the organization (was ${grantWords(grant)})`,
    "invitation.created": (grant) => `Invited (${grantWords(grant)})`,
    "invitation.renewed": (grant) => `New link for the invitation (${grantWords(grant)})`,
    "invitation.withdrawn": (grant) => `Invitation withdrawn (${grantWords(grant)})`,
    "invitation.accepted": (grant) => `Invitation accepted (${grantWords(grant)})`,
    "token.created": (grant) => `API token created (${grantWords(grant)})`,
    "token.rotated": (grant) => `API token rotated (${grantWords(grant)})`,
    "token.revoked": (grant) => `API token revoked (${grantWords(grant)})`,
    "provider.set": () => "Sign-in provider set",
    "provider.removed": () => "Sign-in provider removed",
    "trust.created": (grant) => `Trust in a CI system created (${grantWords(grant)})`,
    "trust.changed": (grant) => `Trust in a CI system changed (${grantWords(grant)})`,
    "trust.deleted": (grant) => `Trust in a CI system deleted (${grantWords(grant)})`,
    "trust.refused": ({ reason }) => `Token of a CI system refused: ${reason}`,
    "policy.created": ({ approvals }) => `Approval required (${count(approvals, "approval")})`,
    "policy.changed": ({ approvals }) => `Approval policy edited (${count(approvals, "approval")})`,
    "policy.deleted": () => "Approval no longer required",
    "approval.requested": (detail, event) => `Approval requested${forFiles(detail, event)}`,
    "approval.commented": (detail, event) => `Comment on the approval request${forFiles(detail, event)}`,
    "approval.given": (detail, event) => `Approval given${forFiles(detail, event)}`,
    "approval.rejected": (detail, event) => `Approval rejected${forFiles(detail, event)}`,
    "approval.cancelled": (detail, event) => `Approval request cancelled${forFiles(detail, event)}`,
    "approval.bypassed": (detail, event) => bypassWords(event),
    "team.created": () => "Team added",
    "team.changed": ({ name }) => `Team renamed to ${name}`,
    "team.deleted": () => "Team deleted",
    "app.created": () => "App added",
    "app.changed": () => "App edited",
    "app.deleted": () => "App deleted",
    "domain.created": ({ aliasOf }) => (aliasOf ? `Added as an alias of ${hostWords(aliasOf)}` : "Domain added"),
    "domain.changed": domainEdit,
    "domain.verified": () => "Verified",
    "domain.deleted": () => "Domain deleted",
    "alias.live": ({ aliasOf, version }) => `Serves version ${version} of ${hostWords(aliasOf)}`,
    "alias.ended": ({ aliasOf }) => `No longer serves the file of ${hostWords(aliasOf)}`,
    "draft.changed": () => "Draft edited",
    "draft.imported": () => "File imported into the draft",
    "draft.reset": ({ version }) => `Version ${version} loaded into the draft`,
    "rule.created": (detail) => `Rule added${rule(detail)}`,
    "rule.changed": (detail) => `Rule edited${rule(detail)}`,
    "rule.deleted": (detail) => `Rule deleted${rule(detail)}`,
    "test.created": ({ url }) => `Test added${named(url)}`,
    "test.changed": ({ url }) => `Test edited${named(url)}`,
    "test.deleted": ({ url }) => `Test deleted${named(url)}`,
    "tests.imported": imported,
    "version.created": ({ version }) => `Version ${version} created`,
    "publication.created": ({ version, dueAt, effectiveBy }) =>
        `Version ${version} ${queued(dueAt)}${inTimeFor(effectiveBy)}`,
    "publication.running": ({ version, attempt }) => `Version ${version} going live${again(attempt)}`,
    "publication.postponed": ({ version, nextAt }) => `Version ${version} not live yet; ${triedAgain(nextAt)}`,
    "publication.live": ({ version, late, back }) =>
        `${back ? `Went back to version ${version}` : `Version ${version} went live`}${tooLate(late)}`,
    "publication.failed": ({ version }) => `Version ${version} failed`,
    "publication.cancelled": ({ version }) => `Version ${version} cancelled`,
    "publication.superseded": ({ version }) => `Version ${version} replaced by a newer publication`,
    "publication.suspended": ({ version }) => `Version ${version} suspended`,
    "withdrawal.created": ({ dueAt }) => `Withdrawal scheduled${at(dueAt)}`,
    "withdrawal.postponed": ({ nextAt }) => `Withdrawal failed; ${triedAgain(nextAt)}`,
    "withdrawal.withdrawn": () => "Withdrawn",
    "withdrawal.cancelled": () => "Withdrawal cancelled",
    "withdrawal.failed": () => "Withdrawal failed",
    "schedule.created": ({ expression, zone }) => `Schedule created: ${expression} in ${zone}`,
    "schedule.changed": ({ expression, zone }) => `Schedule edited: ${expression} in ${zone}`,
    "schedule.paused": () => "Schedule paused",
    "schedule.resumed": () => "Schedule resumed",
    "schedule.suspended": () => "Schedule suspended",
    "schedule.deleted": () => "Schedule deleted",
    "run.started": () => "Run started",
    "run.ended": () => "Run ended",
    "freeze.created": () => "Freeze started",
    "freeze.lifted": () => "Freeze ended early",
    "freeze.ended": () => "Freeze ended",
    "release.created": ({ domains, rollsBack, dueAt, effectiveBy }) =>
        `${rollsBack ? "Rollback" : "Release"} of ${count(domains, "domain")} ${queued(dueAt)}${inTimeFor(effectiveBy)}`,
    "release.scheduled": ({ dueAt }) => `Release ready${dueAt ? `, goes live${at(dueAt)}` : ""}`,
    "release.running": () => "Release going live",
    "release.postponed": ({ nextAt }) => `Release interrupted; ${triedAgain(nextAt)}`,
    "release.judged": () => "Release passed the checks (check only)",
    "release.refused": () => "Release failed the checks",
    "release.unchanged": () => "Release has no changes",
    "release.live": ({ late }) => `Release went live${tooLate(late)}`,
    "release.failed": () => "Release failed",
    "release.cancelled": () => "Release cancelled",
    "release.suspended": () => "Release suspended",
    "replacement.created": ({ with: other }) => `Replacement with ${other} started`,
    "replacement.postponed": ({ nextAt }) => `Replacement interrupted; ${triedAgain(nextAt)}`,
    "replacement.done": ({ changed }) => `Replaced in ${count(changed, "draft")}`,
    "replacement.failed": () => "Replacement failed",
    "sink.repaired": ({ sink }) => `Repaired in bucket ${sink}`,
};

const tones = {
    live: "good",
    verified: "good",
    postponed: "warning",
    refused: "bad",
    rejected: "bad",
    bypassed: "bad",
    withdrawn: "warning",
    repaired: "warning",
    suspended: "bad",
    failed: "bad",
};

export function eventWords(event) {
    const { kind, detail } = event;
    return kinds[kind]?.(detail, event) ?? `Unknown event: ${kind.replace(/[._]/g, " ")}`;
}

export function eventTone({ kind }) {
    return tones[kind.split(".").at(-1)] ?? "";
}

/**
 * The message, reason or cause of an event, the values before it, and what an edit of a whole draft changed. A release has
 * its message as its name. The words about `bypass`, an event, have the reason already.
 */
export function eventNote({ kind, reason: given, detail }, bypass = null) {
    const { message, reason, cause, before, edits } = detail;
    const edited = kind.startsWith("draft.") && edits && editWords(edits);
    const texts = new Set([!kind.startsWith("release.") && message, given, reason, cause, previous(before), edited]);
    return [...texts]
        .filter((text) => text && text !== (bypass && reasonOf(bypass)))
        .join(" · ");
}

/** Whether an event is about a publication that bypasses the required approvals. */
export function bypasses({ kind, detail }) {
    return kind === "approval.bypassed" || Boolean(detail.bypassApproval);
}

/** The event that says that the act bypasses the required approvals, if possible one with the reason, or undefined. */
export function bypassOf(events) {
    const all = events.filter(bypasses);
    return all.find(reasonOf) ?? all[0];
}

/** Such as "Published without approval: the app is down". `act` is shorter for a publication that is not live. */
export function bypassWords(event, act = "Published without approval") {
    return `${act}${named(reasonOf(event))}`;
}

function reasonOf({ reason, detail }) {
    return detail.reason ?? reason;
}

/** " for www.example.com", " for 3 files", or nothing if neither is recorded. */
function forFiles({ files }, { host }) {
    if (host) return ` for ${hostWords(host)}`;
    return files ? ` for ${count(files, "file")}` : "";
}

/** Such as "2 rules added, 1 rule edited and 1 setting edited". */
function editWords({ more, ...edits }) {
    const words = Object.entries(edits).map(([name, number]) => {
        const [part, edit] = name.split(/(?=[A-Z])/);
        return `${count(number, part, part === "entry" ? "entries" : undefined)} ${edit.toLowerCase()}`;
    });
    return list(more ? [...words, count(more, "more change")] : words);
}

/** The previous values of what a change changed, such as "Before: name Shop". */
function previous(before) {
    const values = Object.entries(before ?? {}).map(([name, value]) => {
        const words = name.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
        return `${words} ${short(value)}`;
    });
    return values.length ? `Before: ${values.join(", ")}` : null;
}

function short(value) {
    if (value === null || value === "" || value?.length === 0) return "none";
    if (value.outcome) return value.app ?? value.outcome;
    return typeof value === "object" && !Array.isArray(value) ? JSON.stringify(value) : [value].flat().join(" ");
}

function domainEdit({ labels, aliasOf, before = {} }) {
    const words = [
        "labels" in before && (labels?.length ? `Labels set to ${list(labels)}` : "Labels removed"),
        "aliasOf" in before && (aliasOf ? `Made an alias of ${hostWords(aliasOf)}` : "No longer an alias"),
    ];
    return words.filter(Boolean).join(". ") || "Domain edited";
}

function rule({ pattern, exclude }) {
    return pattern === "" ? ": any URL" : `${named(pattern)}${exclude ? " (excluded)" : ""}`;
}

function named(name) {
    return name ? `: ${name}` : "";
}

function imported({ added, changed, removed }) {
    const parts = [
        [added, "new"],
        [changed, "changed"],
        [removed, "removed"],
    ];
    const said = parts.filter(([number]) => number).map(([number, word]) => `${number} ${word}`);
    return said.length ? `Tests imported: ${list(said)}` : "Tests imported: no changes";
}

function triedAgain(nextAt) {
    return nextAt ? `next attempt${at(nextAt)}` : "it will be retried";
}

function at(time) {
    return time ? ` at ${moment(time)}` : "";
}

function again(attempt) {
    return attempt > 1 ? `, attempt ${attempt}` : "";
}

function queued(dueAt) {
    return dueAt ? `scheduled for ${moment(dueAt)}` : "queued";
}

function inTimeFor(effectiveBy) {
    return effectiveBy ? `, to reach devices by ${moment(effectiveBy)}` : "";
}

function tooLate(late) {
    return late ? `, ${duration(late)} too late to reach devices in time` : "";
}

function moment(time) {
    return timeIn(ownZone, time, { isExact: true });
}
