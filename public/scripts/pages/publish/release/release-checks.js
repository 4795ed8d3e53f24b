import { publishAddress } from "../../../shared/page/addresses.js";
import { checkItem } from "../../../components/gate-report.js";
import { count, list, number } from "../../../shared/words/numbers.js";
import { blocking, isSuspicious } from "../checks.js";
import { part } from "../../../shared/page/template.js";

const names = ["generate", "parse", "lint", "tests", "size", "verified", "similarity"];
const maximumHosts = 3;

/**
 * Shows the checks of all domains of a release together: each passes on all of them, or fails on the named ones.
 * Returns the words for the footer.
 */
export function showReleaseChecks(page, loaded, total) {
    const changing = loaded.filter(({ changes, problem }) => changes || problem);
    const checked = changing.filter(({ checks }) => checks);
    const root = part(page.main, "checks-panel");
    const items = checked.length ? names.map((name) => item(page, name, checked)) : [];
    part(root, "checks").replaceChildren(...items);
    const said = readiness(changing, checked, loaded.length, total);
    part(root, "checks-summary").textContent = said.words;
    return said;
}

function item(page, name, checked) {
    const of = ({ checks }) => checks.report.checks.find((check) => check.name === name);
    const failed = checked.filter((each) => of(each)?.outcome === "failed");
    const domains = checked.length === 1 ? "1 domain" : `all ${number(checked.length)} domains`;
    if (!failed.length) return checkItem({ name, outcome: "passed", detail: `On ${domains}.` });
    const hosts = failed.map(({ host }) => host);
    const more = hosts.length - maximumHosts;
    const named = more > 0 ? [...hosts.slice(0, maximumHosts), count(more, "other")] : hosts;
    const where = `On ${number(failed.length)} of ${count(checked.length, "domain")}: ${list(named)}.`;
    const detail = `${where} ${of(failed[0]).detail}`;
    const made = checkItem({ name, outcome: "failed", detail });
    part(made, "fix").hidden = part(made, "fix-link").hidden = false;
    part(made, "fix-link").textContent = `Review ${hosts[0]}`;
    part(made, "fix-link").href = publishAddress(page.session.organization.slug, { host: hosts[0] });
    return made;
}

function readiness(changing, checked, loaded, total) {
    if (!total) return { words: "", tone: "" };
    const failed = changing.filter(({ checks, problem }) => {
        return problem?.status === 409 || (checks && blocking(checks.report).length);
    });
    const unread = changing.filter(({ problem }) => problem && problem.status !== 409);
    const rest = loaded < total ? ` ${count(total - loaded, "more domain")} checked when you publish.` : "";
    if (failed.length) {
        const words = `${number(failed.length)} of ${count(changing.length, "domain")} cannot be published.`;
        return { words: `${words} Fix them or leave them out.`, tone: "bad", isBlocked: true };
    }
    // Publishing then reports an unknown host at its field.
    if (unread.length) return { words: `${count(unread.length, "domain")} could not be compared.`, tone: "warning" };
    if (checked.length < changing.length) return { words: "The checks run when you publish.", tone: "warning" };
    if (!changing.length) return { words: `No domain has changes.${rest}`, tone: "" };
    const suspicious = checked.filter(({ checks }) => isSuspicious(checks.report));
    if (suspicious.length) {
        return { words: `${count(suspicious.length, "domain")} needs an override with a reason.${rest}`, tone: "warning" };
    }
    return { words: `All checks pass on ${count(checked.length, "domain")}.${rest}`, tone: "good" };
}
