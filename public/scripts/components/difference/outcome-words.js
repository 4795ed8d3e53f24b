import { count, list, number } from "../../shared/words/numbers.js";
import { urlCounts } from "./outcome-groups.js";
import { systems } from "../../shared/words/test-words.js";

/** "3 of 40 sample URLs change where they open." */
export function outcomeSummary(difference) {
    const { changed } = urlCounts(difference);
    const tried = count(difference.urls.tried, "sample URL");
    const changes = changed === 1 ? "changes where it opens" : "change where they open";
    return changed ? `${number(changed)} of ${tried} ${changes}.` : "No sample URL changes its outcome.";
}

/** "12 sample URLs open where they did, for another reason.", or null. */
export function keptWords(difference) {
    const { kept } = urlCounts(difference);
    const keep = kept === 1 ? "opens where it did" : "open where they did";
    return kept ? `${count(kept, "sample URL")} ${keep}, for another reason.` : null;
}

/** For which systems the URLs were compared, if for several. */
export function comparedWords({ systems: asked = [] }) {
    return asked.length > 1 ? `Compared for ${systemWords(asked)}.` : null;
}

/** "14 sample URLs that opened Example App now open in the browser." `asked` are all compared systems. */
export function effectSentence({ before, after, on, apps: ofApps = [], urls }, asked, apps) {
    const where = on.length < asked.length ? ` on ${systemWords(on)}` : "";
    const many = count(urls.length, "sample URL");
    const opens = urls.length === 1 ? "opens" : "open";
    if (resultWords(before, apps) !== resultWords(after, apps)) {
        const that = before?.outcome === "opens" ? `opened ${apps.name(before.app)}` : "opened in the browser";
        return `${many} that ${that} now ${opens} ${resultWords(after, apps)}${where}.`;
    }
    const still = `${many} still ${opens} ${resultWords(after, apps)}${where}`;
    const excluded = `a rule excludes ${urls.length === 1 ? "it" : "them"}`;
    const reason = after?.outcome === "excluded" ? excluded : "no rule matches";
    if (before?.outcome !== after?.outcome) return `${still}, now because ${reason}.`;
    return `${still}. ${ofApps.map((each) => appSentence(each, apps)).join(" ")}`.trim();
}

/** "Example App" or "in the browser": for users, an excluded URL and one without a rule are the same. */
function resultWords(verdict, apps) {
    return verdict?.outcome === "opens" ? apps.name(verdict.app) : "in the browser";
}

const appOutcomes = { opens: "a rule matches", excluded: "excluded by a rule", none: "no rule matches" };

/** The first app may stay while the verdict of another app changes. */
function appSentence({ app, before, after }, apps) {
    const words = (verdict) => appOutcomes[verdict?.outcome] ?? "not in the file";
    return `${apps.name(app)}: ${words(before)}, now ${words(after)}.`;
}

function systemWords(all) {
    return list(all.map((os) => systems[os] ?? os));
}
