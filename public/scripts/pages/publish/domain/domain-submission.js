import { publicationAddress } from "../../../shared/page/addresses.js";
import { at } from "../../../shared/api/api.js";
import { offerCurl } from "../../../components/curl.js";
import { chosenTimes } from "../../../components/publications/publish-times.js";
import { onSubmit, values as valuesOf } from "../../../shared/forms/form.js";
import { Problem } from "../../../shared/api/problem.js";
import { part } from "../../../shared/page/template.js";
import { overrideNow, remarks } from "../override.js";
import { showProgress } from "../progress/progress.js";

const needsOverride =
    `The file differs a lot from the live one. Choose “${overrideNow}” and give a reason, or edit the draft.`;

/**
 * Publishes on submit, exactly the revision or the version of the review. Whatever fails, all that is typed stays.
 * Then shows the progress, whose address survives a reload.
 */
export function publishOnSubmit(page, { view, version, kept, news }) {
    const { api, host, session, main } = page;
    const form = part(main, "form");
    const publication = (chosen) => ({
        path: at`/domains/${host}/publications`,
        body: { ...(version && again(version, chosen)), ...remarks(chosen), ...chosenTimes(chosen) },
        ifMatch: view.etag,
    });
    const request = () => ({ ...publication(valuesOf(form)), method: "POST", organization: session.organization.slug });
    offerCurl(version ? `publish version ${version}` : "publish this draft", request, part(form, "as-curl"));
    onSubmit(form, async (values) => {
        if (view.isBlocked) return part(main, "checks-title").focus();
        if (view.needsOverride) throw new Problem({ detail: needsOverride });
        try {
            const { path, body, ifMatch } = publication(values);
            const { body: made } = await api.post(path, body, { ifMatch, query: { wait: 1 } });
            if (made.outcome === "unchanged") return view.showUnchanged();
            news.abort();
            kept.forget();
            history.replaceState(null, "", publicationAddress(session.organization.slug, host, made.id));
            form.hidden = true;
            await showProgress(page, made, { isNew: true });
        } catch (problem) {
            if (problem.code === "gate_refused") return view.showRefusal(problem.rest.report);
            if (problem instanceof Problem && problem.isConflict) {
                view.showStale();
                return part(form, "stale").focus();
            }
            throw problem;
        }
    });
}

/** A version is published again with a reason, also without an override. */
function again(version, { reason }) {
    return { version, ...(reason && { reason }) };
}
