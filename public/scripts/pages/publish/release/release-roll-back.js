import { domainAddress, releaseAddress } from "../../../shared/page/addresses.js";
import { all, at } from "../../../shared/api/api.js";
import { offerCurl } from "../../../components/curl.js";
import { chosenTimes, offerTimes } from "../../../components/publications/publish-times.js";
import { onSubmit, values as valuesOf } from "../../../shared/forms/form.js";
import { AppNames } from "../../../shared/words/app-names.js";
import { releaseName } from "../../../shared/words/release-words.js";
import { count, number } from "../../../shared/words/numbers.js";
import { clone, fill, part } from "../../../shared/page/template.js";
import { Footer } from "../footer.js";
import { keepInput } from "../kept-input.js";
import { offerOverride, remarks } from "../override.js";
import { versionChange } from "./domain-changes.js";
import { ReleaseChanges } from "./release-changes.js";
import { ReleaseCreation } from "./release-creation.js";
import { hostWords } from "../../../shared/words/host-words.js";

/** The review of the roll-back of a whole release. */
export async function openReleaseRollBack(page, id) {
    const { api, main, session } = page;
    const slug = session.organization.slug;
    const path = at`/releases/${id}`;
    const [{ body: release }, domains, apps] = await Promise.all([
        api.get(path),
        all(api, `${path}/domains`),
        all(api, "/apps"),
    ]);
    page.apps = new AppNames(apps);
    const form = part(main, "form");
    Object.assign(part(main, "back"), { textContent: releaseName(release), href: releaseAddress(slug, id) });
    fill(main, { title: "Roll back the release", effect: effect(release.rollback), facts: facts });
    document.title = "Roll back the release · Waymark";
    showMoved(part(form, "moved"), release.rollback, slug);
    part(form, "checks-summary").textContent = "Not needed: versions that have been live can always go live again.";
    const { back } = release.rollback;
    const footer = new Footer(form, { cancel: releaseAddress(slug, id) });
    footer.label({ now: "Roll back", later: "Schedule" });
    offerTimes(form, api, { rollsBack: false });
    part(form, "override-hint").textContent = overrideHint;
    offerOverride(form, { words: "Roll back even if another version is live" });
    const kept = keepInput(form);
    const words = back ? `${count(back, "domain")} to roll back.` : "Nothing to roll back.";
    footer.show({ words, isBlocked: !back });
    part(main, "loading").hidden = true;
    form.hidden = false;
    const changes = new ReleaseChanges(page);
    const going = domains.filter(({ versionBefore }) => versionBefore);
    changes.show(going.map(({ host, versionBefore }) => ({ host, load: () => versionChange(api, host, versionBefore) })));
    const creation = new ReleaseCreation(session);
    const bodyOf = (values) => ({ ...remarks(values), ...chosenTimes(values) });
    const request = () => ({
        method: "POST", path: `${path}/rollbacks`, body: bodyOf(valuesOf(form)), organization: slug,
    });
    offerCurl("roll back this release", request, part(form, "as-curl"));
    onSubmit(form, async (values) => {
        if (footer.isBlocked) return;
        const made = await creation.create(`${path}/rollbacks`, bodyOf(values));
        kept.forget();
        location.assign(releaseAddress(slug, made.id));
    });
}

const facts = "The exact files that were live before go live again, together, in one step. Drafts do not change.";
const overrideHint = "Otherwise, nothing is rolled back if another version has gone live on any of the domains.";

function effect({ back, staying }) {
    if (!back) return "Nothing was live on any of its domains before, so there is nothing to roll back to.";
    const went = back === 1 ? "returns to the version that was" : "return to the versions that were";
    const goes = `${count(back, "domain")} ${went} live before this release.`;
    const they = staying === 1 ? "it does" : "they do";
    const stays = `${count(staying, "domain")} had nothing live before: ${they} not change.`;
    return staying ? `${goes} ${stays}` : goes;
}

function showMoved(notice, { moved, movedHosts }, organization) {
    notice.hidden = moved === 0;
    const happened = `Another version has gone live since on ${number(moved)} of these domains.`;
    const consequence = "Nothing is rolled back on any domain unless you override this below.";
    const first = moved > movedHosts.length ? ` The first ${number(movedHosts.length)}:` : "";
    part(notice, "moved-words").textContent = `${happened} ${consequence}${first}`;
    part(notice, "moved-hosts").replaceChildren(
        ...movedHosts.map((host) => {
            const item = clone("host", { host: hostWords(host) });
            part(item, "host").href = domainAddress(organization, host, "versions");
            return item;
        }),
    );
}
