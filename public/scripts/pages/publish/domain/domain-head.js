import { domainAddress } from "../../../shared/page/addresses.js";
import { versionAct } from "../../../components/publications/version-act.js";
import { fill, part, showHost } from "../../../shared/page/template.js";

/** Shows the draft or the `version` under review. Returns the words of the button, for now and for later. */
export function showHead({ main, session, host }, { domain, draft, changes }, version) {
    const live = domain.live?.version ?? 0;
    const act = version ? versionAct(version, live) : "Review and publish";
    const title = session.can("createPublication") ? act : `Review ${version ? `version ${version}` : "the draft"}`;
    document.title = `${title} · ${domain.unicodeHost} · Waymark`;
    part(main, "back").href = domainAddress(session.organization.slug, host);
    showHost(part(main, "back"), domain.unicodeHost);
    fill(main, { title, facts: version ? ofVersion : ofDraft(draft, changes, live) });
    return { now: version ? act : "Publish", later: "Schedule" };
}

const ofVersion = "Its exact file goes live. The draft does not change.";

function ofDraft({ revision }, { before }, live) {
    const against = before === null ? "nothing is live yet" : `compared with version ${live}, which is live`;
    return `Revision ${revision} of the draft, ${against}.`;
}
