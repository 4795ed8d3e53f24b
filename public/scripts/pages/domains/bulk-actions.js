import { announce } from "../../components/announce.js";
import { openDialog } from "../../components/dialogs.js";
import { at } from "../../shared/api/api.js";
import { Problem } from "../../shared/api/problem.js";
import { onSubmit } from "../../shared/forms/form.js";
import { suggestLabels } from "../../shared/forms/label-suggestions.js";
import { parseLabels } from "../../shared/forms/labels.js";
import { publishAddress } from "../../shared/page/addresses.js";
import { part } from "../../shared/page/template.js";
import { failedWords } from "../../shared/words/test-words.js";
import { count, list } from "../../shared/words/numbers.js";
import { BulkRun } from "./bulk-run.js";

/** More hosts do not fit into an address. */
const maximumReleased = 100;

/** The actions for the selected domains. `label()` is the label that stands for all of them, or null. */
export function offerBulkActions(main, session, selection, label, reload) {
    const actions = {
        "add-label": () => changeLabels(session, selection.hosts, adding, reload),
        "remove-label": () => changeLabels(session, selection.hosts, removing, reload),
        "run-tests": () => runTests(session, selection),
        release: () => release(session, selection, label()),
    };
    for (const [name, action] of Object.entries(actions)) part(main, name).addEventListener("click", action);
}

const adding = {
    title: "Add a label to",
    submit: "Add label",
    run: "Adding the label",
    change: (labels, chosen) => [...labels, ...chosen.filter((each) => !labels.includes(each))],
    done: "Label added",
    same: "Already has it",
};
const removing = {
    title: "Remove a label from",
    submit: "Remove label",
    run: "Removing the label",
    change: (labels, chosen) => labels.filter((each) => !chosen.includes(each)),
    done: "Label removed",
    same: "Does not have it",
};

function changeLabels({ api, organization }, hosts, way, reload) {
    const domains = count(hosts.length, "domain");
    const { dialog, part } = openDialog("bulk-label", { title: `${way.title} ${domains}`, submit: way.submit });
    suggestLabels(part("label"), part("suggestions"), api);
    onSubmit(part("form"), async ({ label }) => {
        const chosen = parseLabels(label);
        const missing = { pointer: "/label", detail: "Enter a label." };
        if (!chosen.length) throw new Problem({ code: "invalid", errors: [missing] });
        dialog.close();
        const run = new BulkRun(organization, hosts, `${way.run} ${list(chosen)}`);
        await run.each(async (host, signal) => {
            // Read first, because other users may have changed the labels since the list was loaded.
            const { labels } = (await api.get(at`/domains/${host}`, { signal })).body;
            const changed = way.change(labels, chosen);
            if (changed.length === labels.length) return { words: way.same };
            await api.patch(at`/domains/${host}`, { labels: changed }, { signal });
            return { words: way.done, tone: "good" };
        });
        await reload();
    });
}

async function runTests({ api, organization }, selection) {
    const hosts = selection.ownFiles;
    if (!hosts.length) return announce("Aliases have no tests. Select the domains that they serve.");
    const run = new BulkRun(organization, hosts, `Testing ${count(hosts.length, "draft")}`, "tests");
    await run.each(async (host, signal) => {
        const { total, failed } = (await api.post(at`/domains/${host}/test-runs`, {}, { signal })).body;
        if (failed) return { words: failedWords(failed, total), tone: "bad" };
        return total ? { words: `${count(total, "test")} passed`, tone: "good" } : { words: "No tests" };
    });
}

/** A release is for a label, or for a few hosts. Aliases follow their domains. */
function release({ organization }, selection, label) {
    const hosts = selection.ownFiles;
    if (!hosts.length) return announce("Aliases serve the file of their domain. Publish that domain.");
    if (!label && hosts.length > maximumReleased) {
        return announce(`To publish more than ${maximumReleased} domains, give them a label, then filter by it.`);
    }
    location.assign(publishAddress(organization.slug, label ? { label } : { hosts }));
}
