import { count } from "../shared/words/numbers.js";
import { clone, fill, part } from "../shared/page/template.js";
import { uncertainty } from "./checking/verdict.js";

/**
 * An element that explains one evaluation; null if it carries no trace. The page includes `includes/explanation.html` and
 * `explanation.css`, and listens for `pointer-wanted` (`detail` is the JSON Pointer of a rule to show in the file).
 */
export function explanation({ app, outcome, certainty, uncertainties = [], trace }) {
    if (!trace?.length) return null;
    const root = clone("explanation");
    showUncertainty(root, uncertainty({ certainty }), uncertainties);
    const first = trace.find((each) => each.app === app) ?? trace.find((each) => outcomeOf(each) === outcome);
    if (first) part(root, "first").append(explainedApp(first, { isOnly: trace.length === 1 }));
    const others = trace.filter((each) => each !== first);
    const title = `Results for ${count(others.length, first ? "other app" : "app")}`;
    showLater(part(root, "others"), "others-title", others.length ? title : null, (details) => {
        part(details, "list").append(...others.map((each) => explainedApp(each)));
    });
    root.addEventListener("click", wantPointer);
    return root;
}

function showUncertainty(root, means, uncertainties) {
    part(root, "uncertainty").hidden = !means;
    fill(root, { certainty: means && "Not certain.", "certainty-means": means });
    part(root, "uncertainties").replaceChildren(...uncertainties.map((sentence) => element("li", ...said(sentence))));
}

const outcomes = { opens: "opens it", excluded: "excluded by a rule", none: "no rule matches" };

function outcomeOf({ rules }) {
    const decided = rules.find(isMatch);
    return decided ? (decided.excludes ? "excluded" : "opens") : "none";
}

function explainedApp({ app, note, rules, notTried = 0, leftOut = 0, nearestMiss }, { isOnly = false } = {}) {
    const decided = rules.find(isMatch);
    const nearest = decided ? null : rules.find(({ pointer }) => pointer === nearestMiss);
    const featured = decided ?? nearest;
    const saysAll = rules.length === 0 && note;
    const section = clone("explained-app", {
        app,
        outcome: saysAll ? null : outcomes[outcomeOf({ rules })],
        lead: rules.length ? lead(rules, decided, nearest) : null,
        "not-tried": notTried ? `${count(notTried, "later rule")} not tried.` : null,
    });
    say(section, "note", note);
    // With one app, the headline names it already.
    part(section, "head").hidden = isOnly;
    section.dataset.outcome = saysAll ? "" : outcomeOf({ rules });
    if (featured) part(section, "featured").append(explainedRule(featured, rules, { isOpen: true }));
    showLater(part(section, "all"), "all-title", rules.length > 1 ? allTitle(rules, leftOut) : null, (details) => {
        part(details, "rules").append(...rules.map((rule) => explainedRule(rule, rules)));
    });
    return section;
}

function lead(rules, decided, nearest) {
    if (decided) return `The first ${rules.length === 1 ? "rule matches and" : "rule that matches"} decides:`;
    if (!nearest) return "No rule matches or comes close.";
    return rules.length === 1 ? "The only rule does not match:" : "No rule matches. The closest one:";
}

function allTitle(rules, leftOut) {
    if (!leftOut) return `All ${count(rules.length, "rule")} tried, in order`;
    return `${rules.length} of ${count(rules.length + leftOut, "rule")} tried, in order`;
}

function explainedRule(rule, rules, { isOpen = false } = {}) {
    const item = clone("explained-rule", { name: ruleName(rule, rules), mark: ruleMark(rule) });
    say(item, "summary", rule.summary);
    item.dataset.outcome = isMatch(rule) ? (rule.excludes ? "excluded" : "opens") : "fails";
    const details = part(item, "details");
    const fillBody = () => part(item, "body").append(ruleBody(rule));
    details.open = isOpen;
    if (isOpen) fillBody();
    else details.addEventListener("toggle", fillBody, { once: true });
    return item;
}

/** "Rule 3": the last number of the pointer, counted from 1. */
function ruleName({ pointer }, rules) {
    const number = Number(pointer.split("/").at(-1));
    return `Rule ${Number.isInteger(number) ? number + 1 : rules.findIndex((each) => each.pointer === pointer) + 1}`;
}

function ruleMark(rule) {
    if (!isMatch(rule)) return "✗ does not match";
    return rule.excludes ? "✓ matches and excludes" : "✓ matches";
}

function ruleBody({ comment, summary, parts, pointer }) {
    const body = clone("explained-rule-body", { comment: comment && `“${comment}”` });
    part(body, "parts").append(...parts.map((each) => explainedPart(each, summary)));
    part(body, "parts").hidden = parts.length === 0;
    part(body, "place").dataset.pointer = pointer;
    return body;
}

const partNames = { path: "Path", query: "Query", fragment: "Fragment" };

/** Leaves out a reason that the rule's summary gives already. */
function explainedPart({ part: kind, name, pattern, compared, text, matches, reason }, summary) {
    const title = name === null || name === undefined ? (partNames[kind] ?? kind) : `Query item ${name}`;
    const item = clone("explained-part", {
        name: title,
        mark: matches ? "✓ matches" : "✗ does not match",
    });
    say(item, "reason", reason === summary ? null : reason);
    item.dataset.matches = String(matches);
    item.querySelector("[role=group]").ariaLabel = `${title}: pattern and text`;
    part(item, "pattern").textContent = pattern;
    part(item, "compared").textContent = compared ?? "";
    part(item, "compared-line").hidden = (compared ?? pattern) === pattern;
    part(item, "text").replaceChildren(text === "" ? empty() : text);
    return item;
}

/** Fills in a part only when it is opened: files may have a thousand rules. */
function showLater(details, titleName, title, fillIn) {
    details.hidden = !title;
    if (!title) return;
    part(details, titleName).textContent = title;
    details.addEventListener("toggle", () => fillIn(details), { once: true });
}

function wantPointer({ target, currentTarget }) {
    const pointer = target.closest("[data-pointer]")?.dataset.pointer;
    if (pointer === undefined) return;
    currentTarget.dispatchEvent(new CustomEvent("pointer-wanted", { bubbles: true, detail: pointer }));
}

function isMatch({ outcome }) {
    return outcome === "matches";
}

/** Fills a part with a sentence of the API, or hides the part. */
function say(root, name, sentence) {
    part(root, name).hidden = !sentence;
    part(root, name).replaceChildren(...said(sentence ?? ""));
}

/** Text between backquotes in the API's sentences comes from the file or the URL. */
function said(sentence) {
    const pieces = sentence.split(/`([^`]+)`/);
    return pieces.map((piece, index) => (index % 2 ? element("code", piece) : piece));
}

function empty() {
    const sign = element("span", "(empty)");
    sign.className = "muted";
    return sign;
}

function element(name, ...children) {
    const made = document.createElement(name);
    made.append(...children);
    return made;
}
