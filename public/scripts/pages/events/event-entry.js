import { openDialog } from "../../components/dialogs.js";
import { words } from "../../shared/api/problem.js";
import { authorWords } from "../../shared/words/author-words.js";
import { number } from "../../shared/words/numbers.js";
import { fill } from "../../shared/page/template.js";
import { ownZone, timeIn } from "../../shared/times/zones.js";
import { eventWords } from "./event-words.js";

/** For administrators: the event's entry in the audit trail, with its request, and all values before and after. */
export async function openEntry(event, api) {
    const { dialog, part } = openDialog("event-entry", { what: eventWords(event) });
    const failed = (text) => fill(dialog, { problem: text });
    try {
        const entry = await entryOf(event, api);
        if (!entry) return failed("This entry is not in the audit trail any more.");
        fill(dialog, entryTexts(entry));
        part("facts").hidden = false;
    } catch (error) {
        failed(words(error));
    } finally {
        part("loading").hidden = true;
    }
}

async function entryOf({ position }, api) {
    return (await api.get("/audit", { query: { position } })).body.items[0];
}

function entryTexts({ position, at, kind, subject, actor, reason, request, address, detail }) {
    return {
        position: number(position),
        time: `${timeIn(ownZone, at, { isExact: true })} (${timeIn("UTC", at, { isExact: true })} UTC)`,
        kind,
        subject,
        actor: `${actor.kind === "token" ? actor.name : authorWords(actor)} (${actor.kind})`,
        reason: reason ?? "None given",
        request: request ?? "None: Waymark did it by itself, or the operator on the command line",
        address: address || "Not known",
        detail: JSON.stringify(detail, null, 2),
    };
}
