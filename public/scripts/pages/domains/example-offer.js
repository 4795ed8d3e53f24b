import { domainAddress } from "../../shared/page/addresses.js";
import { onPress } from "../../shared/forms/form.js";
import { words } from "../../shared/api/problem.js";
import { part } from "../../shared/page/template.js";
import { exampleHost, makeExample } from "./example.js";

/** Makes the example with one click, and shows each step. */
export function offerExample(welcome, session) {
    const progress = part(welcome, "progress");
    part(welcome, "example-host").textContent = exampleHost(session.organization);
    onPress(
        part(welcome, "example"),
        async () => {
            const host = await makeExample(session, (step) => (progress.textContent = step));
            location.assign(domainAddress(session.organization.slug, host));
        },
        (error) => (progress.textContent = words(error)),
    );
}
