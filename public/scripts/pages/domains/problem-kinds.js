import { domainAddress, publishAddress } from "../../shared/page/addresses.js";
import { dueWords } from "../../shared/times/due-time.js";
import { ago } from "../../shared/times/moments.js";
import { countWords } from "../../shared/words/finding-words.js";
import { failedWords } from "../../shared/words/test-words.js";
import { isUntouched } from "../../shared/words/untouched.js";

/**
 * What can be wrong with a domain, worst first, under the names of the API's parameter `problem`. `of` returns the
 * sentence for a domain, or null; `action` is the next step, at the `address` for an organization and the domain.
 */
export const problemKinds = {
    publication: {
        words: "Publication stopped",
        tone: "bad",
        of: ({ stopped }) => stopped && stoppedWords(stopped),
        action: "Review the version",
        address: (slug, { host, stopped }) => publishAddress(slug, { host, version: stopped.version }),
    },
    withdrawal: {
        words: "Withdrawn soon",
        tone: "warning",
        of: ({ withdrawal }) =>
            withdrawal && `Will be withdrawn ${ago(withdrawal.dueAt)} · ${dueWords(withdrawal.dueAt)}`,
        action: "Review the withdrawal",
        address: (slug, { host }) => domainAddress(slug, host),
    },
    errors: {
        words: "Errors",
        tone: "bad",
        of: ({ checks, draft }) => checks?.errors && !isUntouched(draft) && importantFindings(checks).text,
        action: "Fix the rules",
        address: (slug, { host }) => domainAddress(slug, host, "rules"),
    },
    tests: {
        words: "Failing tests",
        tone: "bad",
        of: ({ checks }) => checks?.failed && failedWords(checks.failed, checks.tests),
        action: "Open the tests",
        address: (slug, { host }) => domainAddress(slug, host, "tests"),
    },
    unverified: {
        words: "Not verified",
        tone: "warning",
        of: ({ verified }) => !verified && "You can publish once it is verified",
        action: "Verify the domain",
        address: (slug, { host }) => domainAddress(slug, host),
    },
};

/** The API's list of domains does not have this problem, so no filter finds it. */
const suspension = {
    tone: "bad",
    of: ({ pending, blockedReason }) =>
        blockedReason && `Version ${pending.version} will be suspended ${ago(pending.at)}`,
    action: "Review the version",
    address: (slug, { host, pending }) => publishAddress(slug, { host, version: pending.version }),
};

/** The problems of a domain, worst first: `[{ sentence, tone, action, address }]`. */
export function problemsOf(domain) {
    return [suspension, ...Object.values(problemKinds)]
        .map((kind) => ({ ...kind, sentence: kind.of(domain) }))
        .filter(({ sentence }) => sentence);
}

/** Its errors and warnings, without the notices. */
export function importantFindings({ errors, warnings }) {
    return countWords({ errors, warnings });
}

function stoppedWords({ version, state, endedAt, cause }) {
    return `Version ${version} ${state} ${ago(endedAt)}${cause ? `: ${cause}` : ""}`;
}
