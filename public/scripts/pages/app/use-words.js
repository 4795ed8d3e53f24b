import { count, list } from "../../shared/words/numbers.js";

/** What a domain does with the app: "3 rules open it · webcredentials". */
export function useWords({ draft, live }) {
    const { rules, excludes, everything, services } = draft ?? live;
    const others = services.filter((service) => service !== "applinks");
    const links = services.includes("applinks") ? [rulesWords(rules, excludes, everything)] : [];
    return [...links, ...others].join(" · ");
}

function rulesWords(rules, excludes, everything) {
    if (everything) return "Opens every URL";
    if (rules) return `${count(rules, "rule")} ${rules === 1 ? "opens" : "open"} it`;
    return excludes ? "Only exclusions" : "No rules";
}

/** Whether that is live, and the tone of the badge. */
export function useState({ draft, live }) {
    if (!live) return { words: "Only in the draft", tone: "accent" };
    if (!draft) return { words: `Live, version ${live.version}; removed from the draft`, tone: "warning" };
    const changes = differences(draft, live);
    if (!changes.length) return { words: `Live, version ${live.version}`, tone: "good" };
    return { words: `Live, version ${live.version}; the draft has other ${list(changes)}`, tone: "warning" };
}

/** Only what the numbers show: two files with as many rules can still differ. */
function differences(draft, live) {
    const isSame = (name) => String(draft[name]) === String(live[name]);
    return [
        ...(["rules", "excludes", "everything"].every(isSame) ? [] : ["rules"]),
        ...(String([...draft.services].sort()) === String([...live.services].sort()) ? [] : ["services"]),
    ];
}
