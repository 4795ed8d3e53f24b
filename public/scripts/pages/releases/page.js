import { newestPlace } from "../../shared/following/event-follower.js";
import { publishAddress } from "../../shared/page/addresses.js";
import { startPage } from "../../components/start-page.js";
import { part } from "../../shared/page/template.js";
import { ReleaseList } from "./release-list.js";
import { ReleaseView } from "./release-view.js";

const asked = new URLSearchParams(location.search);

startPage(async (session) => {
    const main = document.getElementById("main");
    // Read first, so that no later change is missed.
    const place = await newestPlace(session.api);
    const id = asked.get("release");
    if (id) return openRelease(main, session, id, place);
    new ReleaseList(main, session).follow(place);
    part(main, "new").href = publishAddress(session.organization.slug);
});

async function openRelease(main, session, id, place) {
    const view = new ReleaseView(main, session, id);
    await view.show();
    view.follow(place);
}
