import { startPage } from "../../components/start-page.js";
import { EventList } from "./event-list.js";

startPage(async (session) => {
    const list = new EventList(document.getElementById("main"), session);
    await list.show();
});
