import { announce } from "../../components/announce.js";
import { offerCurl } from "../../components/curl.js";
import { onPress } from "../../shared/forms/form.js";
import { words } from "../../shared/api/problem.js";
import { queryString } from "../../shared/api/api.js";
import { count, number } from "../../shared/words/numbers.js";
import { saveLines } from "../../shared/page/download.js";
import { part } from "../../shared/page/template.js";

/** The most events in one downloaded file. */
const maximum = 20_000;

/** The ways out of the page: the same events as a request of the API, or as a file with one line of JSON for each. */
export function offerExport(main, { api, organization }, filters) {
    const request = () => ({ path: `/events${queryString({ sort: "newest", ...filters.query, limit: 200 })}` });
    offerCurl("list these events", request, part(main, "as-curl"));
    onPress(
        part(main, "download"),
        async () => {
            const { events, isAll } = await everyEvent(api, filters.query);
            save(events, `events-${organization.slug}.jsonl`);
            announce(
                isAll
                    ? `${count(events.length, "event")} downloaded.`
                    : `The newest ${number(maximum)} events downloaded. Narrow the filters, or use the API for more.`,
            );
        },
        (problem) => announce(words(problem)),
    );
}

/** For administrators: the whole audit trail as a file that `waymark audit verify` checks. */
export function offerTrail(main, session) {
    const { api, organization } = session;
    const button = part(main, "download-trail");
    button.hidden = !session.can("exportAuditTrail");
    onPress(
        button,
        async () => {
            const parts = await everyPart(api);
            saveLines(parts, `audit-${organization.slug}.ndjson`);
            announce("The audit trail is downloaded. Check it with: waymark audit verify");
        },
        (problem) => announce(words(problem)),
    );
}

/** Each part ends with a checkpoint, after which the next one starts. The last part has no entries. */
async function everyPart(api) {
    const parts = [];
    let after = 0;
    for (;;) {
        const { body } = await api.get("/audit/export", { query: { after }, asText: true });
        const checkpoint = JSON.parse(body.trimEnd().split("\n").at(-1)).checkpoint;
        if (checkpoint || !parts.length) parts.push(body);
        if (!checkpoint) return parts;
        after = checkpoint.position;
    }
}

async function everyEvent(api, query) {
    const events = [];
    let cursor = null;
    do {
        const { body } = await api.get("/events", { query: { sort: "newest", ...query, limit: 200, cursor } });
        events.push(...body.items);
        cursor = body.next;
    } while (cursor && events.length < maximum);
    return { events, isAll: !cursor };
}

function save(events, name) {
    saveLines(
        events.map((event) => `${JSON.stringify(event)}\n`),
        name,
    );
}
