import { publishAddress } from "../../shared/page/addresses.js";
import { startPage } from "../../components/start-page.js";
import { part } from "../../shared/page/template.js";
import { ReleaseList } from "./release-list.js";
import { ReleaseView } from "./release-view.js";

const asked = new URLSearchParams(location.search);

startPage(async (session) => {
    const main = document.getElementById("main");
    const place = await session.place;
    const id = asked.get("release");
    if (id) return openRelease(main, session, id, place);
    new ReleaseList(main, session).follow(place);
    part(main, "new").href = publishAddress(session.organization.slug);
}, { followsEvents: true });

async function openRelease(main, session, id, place) {
    const view = new ReleaseView(main, session, id);
    await view.show();
    view.follow(place);
}
