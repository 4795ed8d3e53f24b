import { announce, forgetNews } from "../../components/announce.js";
import { all, at } from "../../shared/api/api.js";
import { newestPlace } from "../../shared/following/event-follower.js";
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
import { History } from "./draft/history.js";
import { offerImport } from "./draft/import-dialog.js";
import { LabelEditor } from "./settings/label-editor.js";
import { DomainNews } from "./news.js";
import { OldestSystem } from "./settings/oldest-system.js";
import { OtherParts } from "./settings/other-parts.js";
import { PendingList } from "./publishing/pending-list.js";
import { PublicationList } from "./publishing/publication-list.js";
import { offerPublishing } from "./publishing/publish-dialog.js";
import { offerRemoval } from "./settings/removal.js";
import { RulesEditor } from "./rules/rules-editor.js";
import { SavedTests } from "./tests/saved-tests.js";
import { Serving } from "./serving/serving.js";
import { Standing } from "./head/standing.js";
import { Tester } from "./tester/tester.js";
import { VersionList } from "./versions/version-list.js";

const main = document.getElementById("main");
const host = new URLSearchParams(location.search).get("host") ?? "";
part(main, "host").textContent = host;

startPage(async (session) => {
    // Read first, so that no later change is missed.
    const place = await newestPlace(session.api);
    const { body: domain } = await session.api.get(at`/domains/${host}`);
    const page = { main, session, host: domain.host, api: session.api };

    page.head = new DomainHead(page, domain);
    new AliasList(page, domain);
    new LabelEditor(page, domain);
    offerRemoval(page, domain);
    page.serving = new Serving(page);
    page.serving.follow();
    page.handover = new Handover(page);
    const shared = {
        head: () => page.head.reload(),
        serving: () => void page.serving.follow(),
        handover: () => page.handover.show(),
    };
    if (domain.aliasOf) {
        page.news = new DomainNews(page, domain, shared);
        showParts(main, "for-alias");
    } else {
        await openWorkbench(page, domain, shared);
        showParts(main, "for-draft");
    }
    page.news.follow(place);
});

/** The draft and its parts: each part listens to the document and does not know the others. */
async function openWorkbench(page, domain, shared) {
    page.document = new DraftDocument(page.api, page.host);
    page.apps = new AppNames(await all(page.api, "/apps"));
    page.history = new History(page.document, part(main, "rules"));
    const rules = new RulesEditor(page);
    const file = new FileView(page);
    linkRules(page, rules, file);
    const tester = new Tester(page);
    const tests = new SavedTests(page);
    const versions = new VersionList(page);
    const otherParts = new OtherParts(page);
    const oldestSystem = new OldestSystem(page);
    offerImport(page);
    offerDiscarding(page, (error) => announce(words(error)));
    page.standing = new Standing(page);
    const publications = new PublicationList(page);
    const pending = new PendingList(page);
    const schedules = new DomainSchedules(page);
    const draft = new DraftNews(page, {
        isBusy: () =>
            [rules.isTypedIn, rules.isDragging, file.isTypedIn, otherParts.isEdited, oldestSystem.isEdited].some(Boolean) ||
            document.querySelector("dialog[open]") !== null,
        failed: (error) => announce(words(error)),
    });
    page.news = new DomainNews(page, domain, {
        ...shared,
        draft: () => draft.show(),
        tests: () => tests.reload(),
        versions: () => versions.show(),
        publications: () => publications.show(),
        pending: () => pending.show(),
        schedules: () => schedules.show(),
    });
    page.showLive = () => page.news.show();
    offerPublishing(page);

    tester.addEventListener("verdict", ({ detail }) => {
        rules.showVerdict(detail);
        file.showVerdict(detail);
    });
    tester.addEventListener("rule-wanted", ({ detail }) => rules.open.addFor(detail));
    tester.addEventListener("test-wanted", ({ detail }) => tests.edit(detail));
    tests.addEventListener("url-wanted", ({ detail }) => tester.tryURL(detail));
    tester.addEventListener("pointer-wanted", ({ detail }) => file.showPlace(detail));
    file.addEventListener("findings", ({ detail }) => {
        rules.showFindings(detail);
        oldestSystem.showFindings(detail);
    });
    page.document.addEventListener("change", () => {
        page.head.reloadQuietly();
        forgetNews();
    });

    const lists = [versions, publications, pending, schedules];
    await Promise.all([page.document.load(), ...lists.map((list) => list.show())]);
    tester.keepsTests = await tests.open();
}

function showParts(main, name) {
    part(main, "loading").hidden = true;
    for (const element of main.querySelectorAll(`[data-shown~="${name}"]`)) element.hidden = false;
}

