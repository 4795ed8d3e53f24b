import { at } from "../api.js";
import { openDialog } from "../dialogs.js";
import { onSubmit } from "../form.js";
import { showChanges } from "./changes.js";
import { showReport } from "./gate-report.js";
import { followPublication } from "./publication-progress.js";
import { chosenTimes, offerTimes } from "./publish-times.js";
import { compareWithLive } from "./version-comparison.js";
import { waitingOn, warnOfWaiting } from "./waiting.js";

/** Publishing an older version again: the way back, which the gate never blocks for rules made since. */
export async function openRollBack({ api, host, apps, head, showLive, serving }, { version }) {
    const [changes, waiting] = await Promise.all([compareWithLive({ api, host }, { version }), waitingOn(api, host)]);
    const { dialog, part } = openDialog("roll-back", { title: `Publish version ${version} again` });
    showChanges(part("changes"), changes, apps);
    offerTimes(part("form"), api, { freeze: head.freeze });
    warnOfWaiting(part, waiting);
    onSubmit(part("form"), async (values, form) => {
        const { reason } = values;
        const body = { version, ...(reason && { reason, override: true }), ...chosenTimes(values) };
        try {
            const answer = await api.post(at`/domains/${host}/publications`, body, { query: { wait: 1 } });
            form.hidden = true;
            await followPublication(dialog, { api, publication: answer.body, showLive, serving });
        } catch (problem) {
            if (problem.code !== "gate_refused") throw problem;
            part("refusal").hidden = false;
            showReport(part("refusal"), problem.rest.report, { apps, document: null });
        }
    });
}
