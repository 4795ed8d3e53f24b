import { ago } from "../../../shared/times/moments.js";
import { authorWords } from "../../../shared/words/author-words.js";

/** Who changed the draft last, and when: "ada@example.com changed this draft 2 min ago". */
export async function whoChanged({ api, host, session }) {
    const query = { host, kind: ["draft", "rule"], sort: "newest", limit: 1 };
    const { body } = await api.get("/events", { query }).catch(() => ({ body: { items: [] } }));
    const [event] = body.items;
    if (!event) return "The draft has changed";
    const { kind, name } = event.actor;
    const isOwn = kind === "user" && name === session.me.user?.email;
    const act = isOwn ? "You changed this draft in another window" : `${authorWords(event.actor)} changed this draft`;
    return `${act} ${ago(event.at)}`;
}
