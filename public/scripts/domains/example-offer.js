import { domainAddress } from "../addresses.js";
import { onPress } from "../form.js";
import { words } from "../problem.js";
import { part } from "../template.js";
import { exampleHost, makeExample } from "./example.js";

/** "Try Apple's example": one press, and the page says what it is doing meanwhile. */
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
