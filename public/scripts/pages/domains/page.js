import { startPage } from "../../components/start-page.js";
import { limitRights } from "../../shared/api/limit.js";
import { part } from "../../shared/page/template.js";
import { offerAdding } from "./add-domain.js";
import { DomainList } from "./domain-list.js";
import { offerExample } from "./example-offer.js";
import { followRows } from "./row-news.js";
import { fitWelcome } from "./welcome.js";

startPage(async (session) => {
    limitRights(session);
    const main = document.getElementById("main");
    const list = new DomainList(main, session);
    offerAdding(main, session);
    offerExample(part(main, "welcome"), session);
    fitWelcome(part(main, "welcome"), session);
    await list.show();
    await followRows(session, list, part(main, "list"));
}, { followsEvents: true });
