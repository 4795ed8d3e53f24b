import { startPage } from "../../components/start-page.js";
import { EventList } from "./event-list.js";

startPage(async (session) => {
    await new EventList(document.getElementById("main"), session).show();
});
