import { domainAddress } from "../../shared/page/addresses.js";
import { failureItems } from "../../components/gate-report.js";
import { follow } from "../../shared/following/follow.js";
import { meter } from "../../components/meters.js";
import { NextLook } from "../../shared/following/next-look.js";
import { count, number } from "../../shared/words/numbers.js";
import { words } from "../../shared/api/problem.js";
import { clone, fill, part } from "../../shared/page/template.js";
import { hostWords } from "../../shared/words/host-words.js";

/** The words and the badge's tone for each state of a replacement. */
export const replacementStates = {
    running: { words: "Running", tone: "accent" },
    done: { words: "Done", tone: "good" },
    failed: { words: "Failed", tone: "bad" },
};

/**
 * Follows a replacement in an open dialog until its end, from its events after `place` on. Closing the dialog does not
 * stop it; opening the dialog shows it again. `release` is the address of a new release of the same domains, or null.
 */
export function followReplacement(dialog, root, session, { replacement, path, place, apps, release }) {
    const news = clone("replacement");
    root.replaceChildren(news);
    root.hidden = false;
    const shown = { apps, release, organization: session.organization.slug };
    show(news, { refusals: [], ...replacement }, shown);
    part(news, "headline").focus();
    const nextLook = new NextLook();
    const ending = new AbortController();
    dialog.addEventListener("close", () => ending.abort());
    follow(session.api, {
        place,
        kind: "replacement",
        concerns: ({ detail }) => detail.replacement === replacement.id,
        show: async () => {
            const { body } = await session.api.get(`${path}/${replacement.id}`);
            show(news, body, shown);
            if (body.state === "running") return nextLook.after(body.domains);
            ending.abort();
            return 0;
        },
        failed: (problem) =>
            fill(news, { problem: problem && `${words(problem)} The replacement continues without this page.` }),
        signal: ending.signal,
    });
}

function show(news, replacement, { apps, release, organization }) {
    const { state, domains, tests, refusals } = replacement;
    const nameOf = (appID) => apps.find((app) => app.appID === appID)?.name ?? appID;
    const [old, other] = [nameOf(replacement.appID), nameOf(replacement.with)];
    fill(news, { headline: headlines[state](old, other), explanation: explanation(replacement), problem: null });
    const done = domains.total - domains.waiting;
    part(news, "meters").replaceChildren(meter({ name: "Drafts", done, total: domains.total, noun: "draft" }));
    const counts = [
        [domains.changed, "changed"],
        [domains.passing, "of these pass the checks"],
        [domains.refused, "of these fail the checks"],
        [done - domains.changed, `not changed: no longer using ${old}`],
        [tests, `saved ${tests === 1 ? "test" : "tests"} changed to expect ${other}`],
    ];
    part(news, "counts").replaceChildren(
        ...counts.map(([value, what]) => clone("replacement-count", { number: number(value), words: what })),
    );
    part(news, "refused").hidden = domains.refused === 0;
    part(news, "refusals").replaceChildren(...refusals.map((refusal) => refusalItem(refusal, organization)));
    const more = domains.refused - refusals.length;
    fill(news, { more: more > 0 ? `And ${count(more, "more draft")}.` : null });
    part(news, "release").hidden = !release || state !== "done" || domains.changed === 0;
    if (release) part(news, "release").href = release;
}

const headlines = {
    running: (old, other) => `Replacing ${old} with ${other}`,
    done: (old, other) => `${old} replaced with ${other}`,
    failed: (old) => `${old} could not be replaced everywhere`,
};

function explanation({ state, domains, cause }) {
    if (domains.total === 0) return "No draft or test of these domains uses this app. Nothing was changed.";
    const because = cause ? ` ${state === "running" ? "The last attempt failed" : "It failed"}: ${cause}` : "";
    if (state === "failed") return `The drafts changed so far stay changed.${because}`;
    if (state === "running") return `You can close this dialog; the replacement continues.${because}`;
    return "Nothing was published. Review the drafts, then publish or release them.";
}

function refusalItem({ host, failures }, organization) {
    const item = clone("replacement-refusal", { host: hostWords(host) });
    part(item, "host").href = domainAddress(organization, host);
    part(item, "failures").replaceChildren(...failureItems(failures));
    return item;
}
