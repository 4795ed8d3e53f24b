import { announce, forgetNews } from "../../components/announce.js";
import { all, at } from "../../shared/api/api.js";
import { publishAddress } from "../../shared/page/addresses.js";
import { startPage } from "../../components/start-page.js";
import { words } from "../../shared/api/problem.js";
import { part } from "../../shared/page/template.js";
import { AliasList } from "./settings/alias-list.js";
import { AppNames } from "../../shared/words/app-names.js";
import { DomainHead } from "./head/domain-head.js";
import { DomainSchedules } from "./publishing/domain-schedules.js";
import { DraftDocument } from "./draft/draft-document.js";
import { DraftNews } from "./draft/draft-news.js";
import { offerDiscarding } from "./draft/draft-reset.js";
import { FileView } from "./file/file-view.js";
import { linkRules } from "./file/rule-links.js";
import { Handover } from "./serving/handover.js";
import { measureHead } from "./head/head-size.js";
import { History } from "./draft/history.js";
import { offerImport } from "./draft/import-dialog.js";
import { LabelEditor } from "./settings/label-editor.js";
import { DomainNews } from "./news.js";
import { DomainParts } from "./parts.js";
import { OldestSystem } from "./settings/oldest-system.js";
import { OtherParts } from "./settings/other-parts.js";
import { PendingList } from "./publishing/pending-list.js";
import { PublicationList } from "./publishing/publication-list.js";
import { offerRemoval } from "./settings/removal.js";
import { RulesEditor } from "./rules/rules-editor.js";
import { SavedTests } from "./tests/saved-tests.js";
import { Serving } from "./serving/serving.js";
import { Standing } from "./head/standing.js";
import { KnownVersions } from "./tester/sources.js";
import { Tester } from "./tester/tester.js";
import { TesterDock } from "./tester-dock.js";
import { VersionList } from "./versions/version-list.js";
import { hostWords } from "../../shared/words/host-words.js";

const main = document.getElementById("main");
const host = new URLSearchParams(location.search).get("host") ?? "";
part(main, "host").textContent = hostWords(host);
measureHead(main);

/** The data of each part, which is loaded when the part is first shown. */
const needs = {
    rules: [],
    tests: ["tests"],
    versions: ["versions", "publications", "schedules", "serving"],
    serving: ["serving", "handover"],
    settings: [],
};

startPage(async (session) => {
    const place = await session.place;
    // At the same time, because each answer takes a while on a slow network.
    const apps = all(session.api, "/apps");
    apps.catch(() => {});
    const draftDocument = new DraftDocument(session.api, host);
    draftDocument.request();
    const { body: domain } = await session.api.get(at`/domains/${host}`);
    const page = { main, session, host: domain.host, api: session.api };

    page.standing = new Standing(page);
    page.head = new DomainHead(page, domain);
    new AliasList(page, domain);
    new LabelEditor(page, domain);
    offerRemoval(page, domain);
    page.serving = new Serving(page);
    page.handover = new Handover(page);
    const shared = {
        head: () => page.head.reload(),
        serving: () => void page.serving.follow(),
        handover: () => page.handover.show(),
    };
    const isAlias = Boolean(domain.aliasOf);
    page.news = new DomainNews(page, domain, isAlias ? shared : await openWorkbench(page, domain, shared, draftDocument, await apps));
    page.showLive = () => page.news.update();
    showFor(isAlias ? "for-alias" : "for-draft");
    page.parts = new DomainParts(page, domain, (name) => page.news.show(["pending", ...needs[name]]));
    page.news.follow(place);
    showNamed();
}, { followsEvents: true });

/** Moves the focus to the rule or the entry that a link from another page names, for example a review: `#rule-…`. */
function showNamed() {
    const named = location.hash && document.getElementById(location.hash.slice(1));
    if (!named) return;
    named.tabIndex = -1;
    named.focus();
}

/**
 * The draft and its parts: each part listens to the document and does not know the others. Returns the functions that
 * update them.
 */
async function openWorkbench(page, domain, shared, draftDocument, apps) {
    page.document = draftDocument;
    page.apps = new AppNames(apps);
    page.history = new History(page);
    const rules = new RulesEditor(page);
    const file = new FileView(page);
    linkRules(page, rules, file);
    page.versions = new KnownVersions(page);
    const tester = new Tester(page);
    const dock = new TesterDock(main);
    const tests = new SavedTests(page);
    const versions = new VersionList(page);
    const otherParts = new OtherParts(page);
    const oldestSystem = new OldestSystem(page);
    offerImport(page);
    offerDiscarding(page, (error) => announce(words(error)));
    const publications = new PublicationList(page);
    const pending = new PendingList(page, domain);
    const schedules = new DomainSchedules(page);
    const draft = new DraftNews(page, {
        isBusy: () =>
            [rules.isTypedIn, rules.isDragging, file.isTypedIn, otherParts.isEdited, oldestSystem.isEdited].some(Boolean) ||
            document.querySelector("dialog[open]") !== null,
        failed: (error) => announce(words(error)),
    });
    part(main, "publish").href = publishAddress(page.session.organization.slug, { host: page.host });

    tester.addEventListener("verdict", ({ detail }) => {
        rules.showVerdict(detail);
        file.showVerdict(detail);
    });
    tester.addEventListener("rule-wanted", ({ detail }) => {
        dock.close();
        page.parts.open("rules");
        if (detail.above) rules.open.insert(detail.above, 0, detail.fields);
        else rules.open.addFor(detail);
    });
    tester.addEventListener("restored", () => dock.open());
    tester.addEventListener("tests-changed", () => tests.reload());
    tests.addEventListener("url-wanted", ({ detail }) => {
        dock.open();
        tester.tryURL(detail.url, detail.os);
    });
    tester.addEventListener("pointer-wanted", ({ detail }) => {
        dock.close();
        page.parts.open("rules");
        file.showPlace(detail);
    });
    file.addEventListener("findings", ({ detail }) => {
        rules.showFindings(detail);
        oldestSystem.showFindings(detail);
    });
    await page.document.load();
    publications.addEventListener("change", ({ detail }) => versions.showPublications(detail));
    page.serving.addEventListener("change", ({ detail }) => versions.showServing(detail));
    page.document.addEventListener("change", () => {
        page.head.reloadQuietly();
        forgetNews();
    });
    return {
        ...shared,
        draft: () => draft.show(),
        tests: () => tests.show(),
        versions: () => versions.show(),
        publications: () => publications.show(),
        pending: () => pending.show(),
        schedules: () => schedules.show(),
    };
}

/** Shows the elements of a domain with a file, or of an alias. */
function showFor(kind) {
    part(main, "loading").hidden = true;
    for (const element of main.querySelectorAll(`[data-shown~="${kind}"]`)) element.hidden = false;
}
