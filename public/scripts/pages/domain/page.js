import { later } from "../../components/later.js";
import { announce, forgetNews } from "../../components/announce.js";
import { all, at } from "../../shared/api/api.js";
import { publishAddress } from "../../shared/page/addresses.js";
import { startPage } from "../../components/start-page.js";
import { words } from "../../shared/api/problem.js";
import { part, showHost } from "../../shared/page/template.js";
import { AppNames } from "../../shared/words/app-names.js";
import { DomainHead } from "./head/domain-head.js";
import { DraftDocument } from "./draft/draft-document.js";
import { measureHead } from "./head/head-size.js";
import { History } from "./draft/history.js";
import { registerUndoKeys } from "./draft/undo-keys.js";
import { offerImport } from "./draft/import-button.js";
import { DomainNews } from "./news.js";
import { DomainParts } from "./parts.js";
import { showFor, showsDraft } from "./part-scripts.js";
import { Pending } from "./publishing/pending.js";
import { Standing } from "./head/standing.js";
import { KnownVersions } from "./tester/sources.js";
import { Tester } from "./tester/tester.js";
import { TesterDock } from "./tester-dock.js";
import { hostWords } from "../../shared/words/host-words.js";
// Several parts use these. Without them here, each would become a file of its own, and a request.
import "../../components/checking/finding-groups.js";
import "../../components/file-line.js";
import "../../components/finding-items.js";
import "../../shared/files/json-lines.js";
import "../../shared/page/clipboard.js";
import "../../shared/forms/typed-work.js";
import "../../shared/page/focus.js";
import "../../shared/times/due-time.js";
import "./draft/draft-reset.js";
import "./draft/same.js";

const main = document.getElementById("main");
const host = new URLSearchParams(location.search).get("host") ?? "";
showHost(part(main, "host"), hostWords(host));
measureHead(main);

startPage(async (session) => {
    const place = await session.place;
    const page = { main, session, host, api: session.api, edits: [] };
    page.document = new DraftDocument(page);
    page.begin = once(() => begin(page));
    // At the same time, because each answer takes a while on a slow network. An alias has no draft.
    if (showsDraft(location)) page.begin().catch(() => {});
    page.domain = (await page.api.get(at`/domains/${host}`)).body;
    page.host = page.domain.host;
    if (session.organization.labels.length) {
        const { limitRights } = await later(() => import("../../shared/api/limit.js"));
        const limit = limitRights(session, page.domain.labels);
        if (limit) announce(limit);
    }
    const isAlias = Boolean(page.domain.aliasOf);

    page.standing = new Standing(page);
    page.head = new DomainHead(page);
    page.news = new DomainNews(page);
    page.showLive = () => page.news.update();
    const updates = { head: () => page.head.reload(), ...(isAlias ? {} : openWorkbench(page)) };
    showFor(main, isAlias ? "for-alias" : "for-draft");
    page.parts = new DomainParts(page);
    page.news.follow(place);
    page.news.show(updates, { loaded: ["head", "draft"] });
    await page.parts.start();
    showNamed();
}, { followsEvents: true });

/** Moves the focus to the rule or the entry that a link from another page names, for example a review: `#rule-…`. */
function showNamed() {
    const named = location.hash && document.getElementById(location.hash.slice(1));
    if (!named) return;
    named.tabIndex = -1;
    named.focus();
}

/** Loads the draft and the names of the apps. */
async function begin(page) {
    const apps = all(page.api, "/apps");
    apps.catch(() => {});
    page.document.request();
    page.apps = new AppNames(await apps);
    await page.document.load();
    page.document.addEventListener("change", () => {
        page.head.reloadQuietly();
        forgetNews();
    });
    page.document.addEventListener("edit", () => forgetNews({ isOwnAct: true }));
}

/** Runs an action at the first call only, and again after a failure. */
function once(action) {
    let running = null;
    return () => (running ??= action().catch((error) => ((running = null), Promise.reject(error))));
}

/** The draft and the tester, which all parts share. Returns the functions that update them. */
function openWorkbench(page) {
    page.history = new History(page);
    page.versions = new KnownVersions(page);
    page.pending = new Pending(page);
    page.tester = new Tester(page);
    const dock = new TesterDock(main);
    offerImport(page, (error) => announce(words(error)));
    const draftNews = once(async () => {
        const { DraftNews } = await later(() => import("./draft/draft-news.js"));
        return new DraftNews(page, {
            isBusy: () => page.edits.some((isEdited) => isEdited()) || document.querySelector("dialog[open]") !== null,
            failed: (error) => announce(words(error)),
        });
    });
    const showNews = async () => page.document.draft && (await draftNews()).show();
    window.addEventListener("focus", () => showNews().catch(() => {}));
    registerUndoKeys(page.history);
    part(main, "publish").href = publishAddress(page.session.organization.slug, { host: page.host });

    page.tester.addEventListener("rule-wanted", async ({ detail }) => {
        dock.close();
        const { rules } = (await page.parts.open("rules")) ?? {};
        if (detail.above) rules?.open.insert(detail.above, 0, detail.fields);
        else rules?.open.addFor(detail);
    });
    page.tester.addEventListener("restored", () => dock.open());
    page.tester.addEventListener("tests-changed", () => page.parts.opened("tests")?.tests.reload());
    page.tester.addEventListener("pointer-wanted", async ({ detail }) => {
        dock.close();
        (await page.parts.open("rules"))?.file.showPlace(detail);
    });
    page.tryURL = ({ url, os }) => {
        dock.open();
        page.tester.tryURL(url, os);
    };
    return { draft: showNews, pending: () => page.pending.load() };
}
