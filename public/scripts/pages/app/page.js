import { at } from "../../shared/api/api.js";
import { startPage } from "../../components/start-page.js";
import { limitRights } from "../../shared/api/limit.js";
import { AppDomains } from "./app-domains.js";
import { AppHead } from "./app-head.js";
import { Entitlement } from "./entitlement.js";

startPage(async (session) => {
    limitRights(session);
    const main = document.getElementById("main");
    const appID = new URLSearchParams(location.search).get("app") ?? "";
    const { body: app } = await session.api.get(at`/apps/${appID}`);
    new AppHead(main, session, app).show();
    const domains = new AppDomains(main, session, app, { loaded: (...uses) => entitlement.show(...uses) });
    const entitlement = new Entitlement(main, { showAll: () => domains.showAll() });
    await domains.show();
});
