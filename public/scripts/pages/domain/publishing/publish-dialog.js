import { at } from "../../../shared/api/api.js";
import { openDialog } from "../../../components/dialogs.js";
import { onPress, onSubmit } from "../../../shared/forms/form.js";
import { announce } from "../../../components/announce.js";
import { bytes, count } from "../../../shared/words/numbers.js";
import { words } from "../../../shared/api/problem.js";
import { part } from "../../../shared/page/template.js";
import { showChanges } from "../file/changes.js";
import { findingItems } from "../../../components/finding-items.js";
import { canBeOverridden, refusalTitle, showReport } from "../../../components/gate-report.js";
import { followPublication } from "./publication-progress.js";
import { chosenTimes, offerTimes } from "../../../components/publish-times.js";
import { PublishWarnings } from "./publish-warnings.js";
import { isUnchanged, showUnchanged } from "./unchanged.js";
import { readDifference, theLiveFile } from "../versions/version-comparison.js";

/** Publishing: the review, then the result of the checks, then the progress. */
export function offerPublishing(page) {
    const button = part(page.main, "publish");
    onPress(button, () => openPublishDialog(page), (error) => announce(words(error)));
}

async function openPublishDialog(page) {
    const review = await loadReview(page);
    const { dialog, part } = openDialog("publish", {
        facts: `Revision ${review.revision} of the draft · ${bytes(review.findings.size)}`,
    });
    showChanges(part("changes"), review.changes, page.apps);
    part("review-findings").replaceChildren(...findingItems(review.findings.findings, page.document));
    part("no-review-findings").hidden = review.findings.findings.length > 0;
    showErrors(part("errors"), review.findings.findings);
    offerTimes(part("form"), page.api, { freeze: review.freeze });
    part("form").addEventListener("override", () => askForReason(part("form")));
    new PublishWarnings(part("form"), page);
    onSubmit(part("form"), (values, form) => publish(page, { dialog, form, review, values }));
}

/** Warns of errors before publishing: the checks would refuse the file. */
function showErrors(notice, findings) {
    const errors = findings.filter(({ severity }) => severity === "error").length;
    notice.hidden = errors === 0;
    notice.textContent = `This file has ${count(errors, "error")} and cannot be published.`;
}

/** Loads the review of one revision of the draft. Publishing names that revision, so nothing unseen goes live. */
async function loadReview({ api, document, host }) {
    await document.load();
    const path = at`/domains/${host}`;
    const [domain, file, findings] = await Promise.all([
        api.get(path),
        api.get(`${path}/draft/file`),
        api.get(`${path}/draft/findings`),
    ]);
    const { live, freeze } = domain.body;
    const [liveFile, difference] = await Promise.all([
        live && api.get(`${path}/versions/${live.version}/file`),
        live && readDifference(api, `${path}/draft/diff`),
    ]);
    const { etag, revision } = document;
    const changes = { against: theLiveFile, before: liveFile && liveFile.body, after: file.body, difference };
    return { etag, revision, findings: findings.body, changes, freeze };
}

/** Shows the field for the reason of an override, of the live version or of the comparison with it. */
function askForReason(form) {
    part(form, "override").hidden = !form.elements.force.checked && form.dataset.refused !== "suspicion";
}

async function publish({ api, host, apps, document, showLive, serving }, { dialog, form, review, values }) {
    const overrides = !part(form, "override").hidden;
    const { message, reason } = values;
    const body = {
        ...(message && { message }),
        ...(overrides && { override: true, ...(reason && { reason }) }),
        ...chosenTimes(values),
    };
    try {
        const options = { ifMatch: review.etag, query: { wait: 1 } };
        const answer = await api.post(at`/domains/${host}/publications`, body, options);
        if (isUnchanged(answer.body)) return showUnchanged(form);
        form.hidden = true;
        await followPublication(dialog, { api, publication: answer.body, showLive, serving });
    } catch (problem) {
        if (problem.code === "gate_refused") return showRefusal(form, problem.rest.report, { apps, document });
        if (problem.isConflict) return showStale(form, document);
        throw problem;
    }
}

function showRefusal(form, report, judged) {
    const refusal = part(form, "refusal");
    refusal.hidden = false;
    part(form, "review").hidden = true;
    part(refusal, "refusal-title").textContent = refusalTitle(report);
    showReport(refusal, report, judged);
    const isSuspicion = canBeOverridden(report);
    form.dataset.refused = isSuspicion ? "suspicion" : "";
    askForReason(form);
    part(form, "submit").hidden = !isSuspicion;
    part(form, "submit").textContent = "Override";
    (isSuspicion ? form.elements.reason : refusal).focus();
}

async function showStale(form, document) {
    part(form, "stale").hidden = false;
    part(form, "submit").hidden = true;
    part(form, "stale").focus();
    await document.load();
}
