import { startPage } from "../../components/start-page.js";
import { part } from "../../shared/page/template.js";
import { showPolicies } from "./policy-list.js";
import { showRequests } from "./request-list.js";
import { RequestView } from "./request-view.js";

startPage(async (session) => {
    const main = document.getElementById("main");
    const request = new URLSearchParams(location.search).get("request");
    if (request) await new RequestView(part(main, "request-view"), session, request).show();
    else await Promise.all([showRequests(part(main, "requests"), session), showPolicies(part(main, "policies"), session)]);
    part(main, request ? "request-view" : "list-view").hidden = false;
});
