import { domainAddress, releaseAddress } from "../../shared/page/addresses.js";
import { at } from "../../shared/api/api.js";
import { openDialog } from "../../components/dialogs.js";
import { chosenTimes, offerTimes } from "../../components/publish-times.js";
import { onSubmit } from "../../shared/forms/form.js";
import { count, number } from "../../shared/words/numbers.js";
import { clone, part as partOf } from "../../shared/page/template.js";
import { offerOverride, remarks } from "./new-release.js";

/** Rolls back a whole release. First shows its effect, and the domains with a newer live version. */
export async function openRollBack({ api, organization }, { id }) {
    const path = at`/releases/${id}`;
    const { rollback } = (await api.get(path)).body;
    const { part } = openDialog("roll-back-release", { effect: effect(rollback) });
    const form = part("form");
    showMoved(part("moved"), rollback, organization.slug);
    offerTimes(form, api, { rollsBack: false });
    offerOverride(form);
    onSubmit(form, async (values) => {
        const body = { ...remarks(values), ...chosenTimes(values) };
        const made = await api.post(`${path}/rollbacks`, body);
        location.assign(releaseAddress(organization.slug, made.body.id));
    });
}

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
    partOf(notice, "moved-words").textContent = `${happened} ${consequence}${first}`;
    partOf(notice, "moved-hosts").replaceChildren(
        ...movedHosts.map((host) => {
            const item = clone("moved-host", { host });
            partOf(item, "host").href = domainAddress(organization, host);
            return item;
        }),
    );
}
