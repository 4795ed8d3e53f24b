import { startPage } from "../../components/start-page.js";
import { openDomainReview } from "./domain/domain-review.js";
import { openPublication } from "./progress/progress.js";

const asked = new URLSearchParams(location.search);
const hosts = asked.getAll("host");

/** The address says what to publish; see `publishAddress`. */
startPage(async (session) => {
    const page = { main: document.getElementById("main"), session, api: session.api };
    page.place = await session.place;
    if (asked.has("roll-back")) {
        const { openReleaseRollBack } = await import("./release/release-roll-back.js");
        return openReleaseRollBack(page, asked.get("roll-back"));
    }
    if (hosts.length !== 1 || asked.has("label")) {
        const { openReleaseReview } = await import("./release/release-review.js");
        return openReleaseReview(page, { label: asked.get("label"), hosts, again: asked.get("again") });
    }
    page.host = hosts[0];
    if (asked.has("publication")) return openPublication(page, asked.get("publication"));
    return openDomainReview(page, { version: Number(asked.get("version")) || null });
}, { followsEvents: true });
