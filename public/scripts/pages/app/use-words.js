import { count, list } from "../../shared/words/numbers.js";
import { domainStates } from "../../shared/words/states.js";

/** Describes the domain's rules and services for the app, and its live version: "3 rules open it · version 2 is live". */
export function useWords({ draft, live }) {
    if (!draft) return "Serves the file of another domain";
    const { rules, excludes, everything, services } = draft;
    const others = services.filter((service) => service !== "applinks");
    const links = services.includes("applinks") ? [rulesWords(rules, excludes, everything)] : [];
    return [...links, ...others, live && liveWords(draft, live)].filter(Boolean).join(" · ");
}

/**
 * The badge: whether the live file has as many rules, and the same services, for the app as the draft. An alias has no
 * draft.
 */
export function useState({ draft, live }) {
    if (!draft) return domainStates.alias;
    if (!live) return { words: "Only in the draft", tone: "accent" };
    return differences(draft, live).length ? domainStates.changed : domainStates.live;
}

function rulesWords(rules, excludes, everything) {
    if (everything) return "Opens every URL";
    if (rules) return `${count(rules, "rule")} ${rules === 1 ? "opens" : "open"} it`;
    return excludes ? "Only exclusions" : "No rules";
}

function liveWords(draft, live) {
    const changes = differences(draft, live);
    return `version ${live.version} is live${changes.length ? ` with other ${list(changes)}` : ""}`;
}

/** Compares only numbers and services: two files with as many rules can still differ. */
function differences(draft, live) {
    const isSame = (name) => draft[name] === live[name];
    const services = (use) => [...use.services].sort().join(" ");
    return [
        ...(["rules", "excludes", "everything"].every(isSame) ? [] : ["rules"]),
        ...(services(draft) === services(live) ? [] : ["services"]),
    ];
}
