import { grouped } from "../../../components/checking/finding-groups.js";
import { clone, part } from "../../../shared/page/template.js";
import { count } from "../../../shared/words/numbers.js";
import { severityOf } from "../../../shared/words/finding-words.js";
import { inPageWords, ruleAt } from "../../../shared/words/places.js";

/** The links shown if there are more than `mostShown`. Fewer than three are never hidden. */
const firstShown = 3;
const mostShown = 5;

/**
 * The findings of the file in short, worst first, one for each code. Each is a link to its rule, or to its place
 * below the file. A narrow screen has them above the rules, because it has the file below the rules.
 */
export function showFindingLinks(root, findings, draft) {
    const groups = grouped(findings);
    const shown = groups.slice(0, groups.length > mostShown ? firstShown : mostShown);
    const more = groups.slice(shown.length);
    const links = shown.map(({ finding }) => linkTo(finding, draft));
    if (more.length) {
        const message = count(more.length, "more kind of finding", "more kinds of findings");
        links.push(link("#findings", more[0].finding.severity, { severity: null, message }));
    }
    part(root, "finding-list").replaceChildren(...links);
    part(root, "finding-links").hidden = !findings.length;
}

function linkTo({ code, severity, pointer, message }, draft) {
    const rule = ruleAt(pointer, draft);
    const words = inPageWords(message, draft, pointer).map((each) => each.textContent ?? each);
    const texts = { severity: severityOf(severity).name, message: words.join("") };
    return link(rule ? `#rule-${rule.id}` : `#finding-${code}`, severity, texts);
}

function link(address, severity, texts) {
    const item = clone("finding-link", texts);
    item.dataset.severity = severity;
    part(item, "link").href = address;
    return item;
}
