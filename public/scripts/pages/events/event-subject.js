import { appAddress, approvalAddress, domainAddress, releaseAddress, scheduleAddress } from "../../shared/page/addresses.js";
import { hostWords } from "../../shared/words/host-words.js";

/**
 * The subject of an event: its name, and the address of its page or null. A request for approval has no name: the words
 * about the event link to it.
 */
export function eventSubject({ kind, subject, host, detail }, organization) {
    const thing = kind.split(".")[0];
    // A deleted thing has no page.
    if (["schedule.deleted", "domain.deleted", "app.deleted"].includes(kind)) return { name: host === subject ? hostWords(host) : subject, address: null };
    if (thing === "release") {
        return { name: detail.message || "A release", address: releaseAddress(organization, subject) };
    }
    if (kind === "approval.bypassed" && detail.release) {
        return { name: "A release", address: releaseAddress(organization, detail.release) };
    }
    if (thing === "approval" && host !== subject) return { name: null, address: approvalAddress(organization, subject) };
    if (thing === "policy" && subject === "*") return { name: "Every domain", address: null };
    if (thing === "schedule") return { name: subject, address: scheduleAddress(organization, detail.schedule) };
    if (thing === "run") return { name: subject, address: scheduleAddress(organization, detail.schedule, detail.run) };
    if (["app", "replacement"].includes(thing)) return { name: subject, address: appAddress(organization, subject) };
    if (host === subject) return { name: hostWords(host), address: domainAddress(organization, host) };
    return { name: thing === "freeze" && subject === "*" ? "Every domain" : subject, address: null };
}
