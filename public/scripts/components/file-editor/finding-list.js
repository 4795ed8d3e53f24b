import { findingWords, severityOf } from "../../shared/words/finding-words.js";
import { clone, part } from "../../shared/page/template.js";

const maximumShown = 200;

/** Findings as list items. `show(finding)` shows its place, `mend(fix)` applies its fix. */
export function findingItems(findings, { show, mend }) {
    return findings.slice(0, maximumShown).map((finding) => findingItem(finding, show, mend));
}

function findingItem(finding, show, mend) {
    const { code, severity, pointer, line, column, message, remedy, fix } = finding;
    const item = clone("file-finding", {
        severity: severityOf(severity).name,
        message,
        remedy,
        fix: fix?.title ? `Fix: ${fix.title}` : null,
        place: line ? `Line ${line}, column ${column}` : null,
        page: `About ${code}`,
    });
    item.dataset.severity = severity;
    part(item, "page").href = findingPage(code);
    part(item, "place").title = pointer;
    part(item, "place").addEventListener("click", () => show(finding));
    part(item, "fix").addEventListener("click", () => mend(fix));
    return item;
}

/** The address of the page about a finding. */
function findingPage(code) {
    return `/finding?${new URLSearchParams({ code })}`;
}

/** "2 errors, 1 warning", or a sentence that says that the file has no findings. */
export function findingSummary(findings) {
    if (findings.length === 0) return "No problems found.";
    const beyond = findings.length > maximumShown ? `; the first ${maximumShown} are shown` : "";
    return `${findingWords(findings).text}${beyond}.`;
}
