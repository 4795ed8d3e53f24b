import { addressWithOrganization, publishAddress } from "../../shared/page/addresses.js";
import { words } from "../../shared/api/problem.js";
import { chooseTheme, chosenTheme } from "../../shared/page/theme.js";
import { signOut } from "../masthead/account-menu.js";
import { announce } from "../announce.js";
import { curlRequests } from "../curl.js";
import { copyCurl } from "../curl-command.js";
import { showKeys } from "../keys/keys.js";
import { requestsOfPage } from "./page-requests.js";
import { hostWords } from "../../shared/words/host-words.js";

const group = "Actions";
const themes = { "": "System", light: "Light", dark: "Dark" };

/** What can be done from any page, by the user's role; and with the domain of this page. */
export function actionItems({ session, slug, host }) {
    return [
        ...(host ? reviewing(session, slug, host) : []),
        ...pressing("[data-imports]", { words: "Import a file", detail: host && hostWords(host), also: "upload paste aasa" }),
        ...(session?.can("createDomain") ? [adding(slug)] : []),
        ...(session?.can("createRelease") ? [scheduling(slug), releasing(slug)] : []),
        ...(session?.can("createInvitation") ? [inviting(slug)] : []),
        ...(session ? requestsOfPage() : []).map(copying),
        ...curlRequests().map(copying),
        ...themeItems(),
        { group, words: "Show keyboard shortcuts", also: "help hotkeys", run: showKeys },
        session ? signingOut : { group, words: "Sign in", also: "log in account", href: "/sign-in" },
    ];
}

/** The review of the draft of this page's domain: publishers publish it there, and editors request approval. */
function reviewing(session, slug, host) {
    const item = { group, detail: hostWords(host), also: "deploy publish approve", href: publishAddress(slug, { host }) };
    if (session.can("createPublication")) return [{ ...item, words: "Review and publish" }];
    return session.can("requestApproval") ? [{ ...item, words: "Review and request approval" }] : [];
}

/** An action of this page: its button is pressed, if the page has it and the user may use it. */
function pressing(selector, item) {
    const button = [...document.querySelectorAll(selector)].find((each) => each.checkVisibility());
    return button ? [{ group, ...item, run: () => button.click() }] : [];
}

function adding(slug) {
    return { group, words: "Add domain", also: "new create host", href: `${addressWithOrganization("/", slug)}&new=1` };
}

function scheduling(slug) {
    const href = `${addressWithOrganization("/schedules", slug)}&new=1`;
    return { group, words: "New schedule", also: "create add recurring cron", href };
}

function releasing(slug) {
    return { group, words: "New release", also: "create publish many domains", href: publishAddress(slug) };
}

function inviting(slug) {
    const href = `${addressWithOrganization("/people", slug)}&invite=1`;
    return { group, words: "Invite people", also: "add member user invitation", href };
}

function copying(request) {
    return { group, words: `Copy as curl: ${request.words}`, also: "api http", run: () => copyCurl(request) };
}

function themeItems() {
    return Object.entries(themes)
        .filter(([theme]) => theme !== chosenTheme())
        .map(([theme, name]) => ({
            group,
            words: `${name} theme`,
            also: "switch color scheme appearance mode night",
            run: () => chooseTheme(theme),
        }));
}

const signingOut = {
    group,
    words: "Sign out",
    also: "log out leave",
    run: () => signOut().catch((problem) => announce(words(problem))),
};
