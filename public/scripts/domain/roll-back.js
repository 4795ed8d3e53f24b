import { at } from "../api.js";
import { openDialog } from "../dialogs.js";
import { onSubmit } from "../form.js";
import { showDifference } from "./file-difference.js";
import { showReport } from "./gate-report.js";
import { followPublication } from "./publication-progress.js";

/** Publishing an older version again: the way back, which the gate never blocks for rules made since. */
export async function openRollBack({ api, host, apps, showLive }, { version }) {
    const path = at`/domains/${host}`;
    const [domain, file] = await Promise.all([api.get(path), api.get(at`/domains/${host}/versions/${version}/file`)]);
    const { live } = domain.body;
    const liveFile = live && (await api.get(`${path}/versions/${live.version}/file`)).body;

    const { dialog, part } = openDialog("roll-back", { title: `Publish version ${version} again` });
    showDifference(part("review"), liveFile, file.body);
    onSubmit(part("form"), async ({ reason }, form) => {
        try {
            const body = { version, ...(reason && { reason, override: true }) };
            const answer = await api.post(`${path}/publications`, body, { query: { wait: 1 } });
            form.hidden = true;
            await followPublication(dialog, { api, publication: answer.body });
            await showLive();
        } catch (problem) {
            if (problem.code !== "gate_refused") throw problem;
            part("refusal").hidden = false;
            showReport(part("refusal"), problem.rest.report, { apps, document: null });
        }
    });
}
