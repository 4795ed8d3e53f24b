import { count } from "./numbers.js";

/** The severities of findings, worst first: their names, signs, and the tones of their counts. */
const severities = {
    error: { name: "Error", sign: "✗", tone: "bad" },
    warning: { name: "Warning", sign: "▲", tone: "warning" },
    notice: { name: "Notice", sign: "●", tone: "quiet" },
};

/** A severity that this page does not know is shown as a notice with its own name. */
export function severityOf(severity) {
    return severities[severity] ?? { ...severities.notice, name: severity };
}

const order = Object.keys(severities);

export function worstFirst(findings) {
    const place = ({ severity }) => (order.includes(severity) ? order.indexOf(severity) : order.length);
    return findings.toSorted((one, other) => place(one) - place(other));
}

/** "2 errors, 1 warning", worst first, and the worst tone: `{ text, tone }`. An empty text without findings. */
export function countWords({ errors, warnings, notices }) {
    const numbers = { error: errors, warning: warnings, notice: notices };
    const found = order.filter((severity) => numbers[severity]);
    const text = found.map((severity) => count(numbers[severity], severity)).join(", ");
    return { text, tone: severities[found[0]]?.tone ?? "quiet" };
}

/** The same for a list of findings. */
export function findingWords(findings) {
    const number = (severity) => findings.filter((finding) => finding.severity === severity).length;
    return countWords({ errors: number("error"), warnings: number("warning"), notices: number("notice") });
}
