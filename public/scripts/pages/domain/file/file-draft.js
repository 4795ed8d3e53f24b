import { DraftView } from "../draft/draft-view.js";
import { keepIdentity } from "../draft/same-rules.js";

/**
 * The entries and rules of a file that the user is editing, to name rules by; null if it is not valid JSON. Rules that
 * are also in the draft have their IDs.
 */
export function viewOfFile(text, former) {
    const details = detailsOf(text);
    if (!details) return null;
    const entries = details.map((element, index) => ({
        id: `file-${index}`,
        apps: [element?.appIDs ?? element?.appID ?? []].flat(),
        rules: Array.isArray(element?.components) ? element.components.map((each, at) => rule(each, index, at)) : null,
    }));
    const draft = { entries, compatibility: "ios13", publishComments: true };
    keepIdentity(draft, former);
    return new DraftView(draft);
}

function detailsOf(text) {
    try {
        const details = JSON.parse(text)?.applinks?.details;
        return Array.isArray(details) ? details : [];
    } catch {
        return null;
    }
}

function rule(component, entry, position) {
    const { "/": path, "?": query, "#": fragment, exclude, caseSensitive, percentEncoded } = component ?? {};
    const fields = { path, query, fragment, exclude, caseSensitive, percentEncoded };
    const set = Object.entries(fields).filter(([, value]) => value !== undefined);
    return { id: `file-${entry}-${position}`, ...Object.fromEntries(set) };
}
