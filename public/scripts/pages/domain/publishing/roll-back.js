import { announce } from "../../../components/announce.js";
import { at } from "../../../shared/api/api.js";
import { openDialog } from "../../../components/dialogs.js";
import { onPress, onSubmit } from "../../../shared/forms/form.js";
import { words } from "../../../shared/api/problem.js";
import { part } from "../../../shared/page/template.js";
import { showChanges } from "../file/changes.js";
import { loadIntoDraft } from "../draft/draft-reset.js";
import { refusalTitle, showReport } from "../../../components/gate-report.js";
import { followPublication } from "./publication-progress.js";
import { chosenTimes, offerTimes } from "../../../components/publish-times.js";
import { PublishWarnings } from "./publish-warnings.js";
import { isUnchanged, showUnchanged } from "./unchanged.js";
import { compareWithLive } from "../versions/version-comparison.js";

/** Publishes an older version again. Later tests, lint rules and size limits never block it. */
export async function openRollBack(page, { version }) {
    const { api, host, apps, head, showLive, serving } = page;
    const changes = await compareWithLive({ api, host }, { version });
    const { dialog, part: own } = openDialog("roll-back", { title: `Publish version ${version} again` });
    showChanges(own("changes"), changes, apps);
    offerTimes(own("form"), api, { freeze: head.freeze });
    new PublishWarnings(own("form"), page);
    onSubmit(own("form"), async (values, form) => {
        const { reason, force, when } = values;
        const overrides = force || (reason && when === "now");
        const body = { version, ...(reason && { reason }), ...(overrides && { override: true }), ...chosenTimes(values) };
        try {
            const answer = await api.post(at`/domains/${host}/publications`, body, { query: { wait: 1 } });
            if (isUnchanged(answer.body)) return showUnchanged(form);
            form.hidden = true;
            const last = await followPublication(dialog, { api, publication: answer.body, showLive, serving });
            if (last?.state === "live") offerToLoad(page, dialog, version);
        } catch (problem) {
            if (problem.code !== "gate_refused") throw problem;
            own("refusal").hidden = false;
            own("refusal-title").textContent = refusalTitle(problem.rest.report);
            showReport(own("refusal"), problem.rest.report, { apps, document: null });
        }
    });
}

/** Offers to load the version: the draft still has the newer rules, and its next publication would publish them. */
function offerToLoad(page, dialog, version) {
    if (!page.head.isChanged || !page.session.can("editor")) return;
    part(dialog, "draft-differs").hidden = false;
    const load = part(dialog, "load");
    load.textContent = `Load version ${version} into the draft`;
    // The page offers to undo it.
    onPress(load, () => (dialog.close(), loadIntoDraft(page, version)), (problem) => announce(words(problem)));
}
