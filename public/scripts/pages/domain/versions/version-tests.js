import { at } from "../../../shared/api/api.js";
import { openDialog } from "../../../components/dialogs.js";
import { clone } from "../../../shared/page/template.js";
import { actualText, outcomeText, passedText, systems } from "../../../shared/words/test-words.js";

/** Shows the test results of a version from when it was saved. */
export async function openVersionTests({ api, apps, host }, { version }) {
    const { body } = await api.get(at`/domains/${host}/versions/${version}`);
    const results = body.testResults ?? [];
    const summary = passedText({ total: results.length, passed: results.filter(({ passed }) => passed).length });
    const { part } = openDialog("version-tests", { title: `Tests of version ${version}`, summary: `${summary}.` });
    part("results").replaceChildren(...results.map((result) => item(result, apps)));
}

function item(result, apps) {
    const { url, expected, os, passed } = result;
    const element = clone("test-result", {
        result: passed ? "Passed" : "Failed",
        url,
        expected: outcomeText(expected, apps),
        os: os === "ios14" ? null : `on ${systems[os] ?? os}`,
        actual: actualText(result, apps, null),
    });
    element.dataset.result = passed ? "passed" : "failed";
    return element;
}
