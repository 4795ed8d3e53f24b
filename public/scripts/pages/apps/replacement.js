import { domainAddress } from "../../shared/page/addresses.js";
import { failureItems } from "../../components/gate-report.js";
import { follow } from "../../shared/following/follow.js";
import { meter } from "../../components/meters.js";
import { NextLook } from "../../shared/following/next-look.js";
import { count, number } from "../../shared/words/numbers.js";
import { words } from "../../shared/api/problem.js";
import { clone, fill, part } from "../../shared/page/template.js";

/** The states of a replacement in words for people, and the badge's tone. */
export const replacementStates = {
    running: { words: "Under way", tone: "accent" },
    done: { words: "Done", tone: "good" },
    failed: { words: "Failed", tone: "bad" },
};

/**
 * Shows a replacement in an open dialog as it goes on, until its end: its events after `place`, and between them how many
 * drafts are done. Closing the dialog stops nothing: the dialog shows it again. `release` is where a release of the same
 * domains begins, if one can.
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
            fill(news, { problem: problem && `${words(problem)} The replacement goes on without this page.` }),
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
        [domains.passing, "of them the gate would let pass"],
        [domains.refused, "of them the gate would refuse"],
        [done - domains.changed, `left as they are: they no longer name ${old}`],
        [tests, `saved ${tests === 1 ? "test expects" : "tests expect"} ${other} now`],
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
    done: (old, other) => `${old} is replaced with ${other}`,
    failed: (old) => `${old} could not be replaced everywhere`,
};

function explanation({ state, domains, cause }) {
    if (domains.total === 0) return "No draft and no test of these domains names it: there was nothing to do.";
    const because = cause ? ` ${state === "running" ? "The last attempt failed" : "It failed"}: ${cause}` : "";
    if (state === "failed") return `What has been changed stays.${because}`;
    if (state === "running") return `Closing this stops nothing.${because}`;
    return "Nothing was published. Look at the drafts, then publish or release them.";
}

function refusalItem({ host, failures }, organization) {
    const item = clone("replacement-refusal", { host });
    part(item, "host").href = domainAddress(organization, host);
    part(item, "failures").replaceChildren(...failureItems(failures));
    return item;
}
