import { startPage } from "../../components/start-page.js";
import { limitRights } from "../../shared/api/limit.js";
import { AppRegistry } from "./app-registry.js";
import { TeamRegistry } from "./team-registry.js";

startPage(async (session) => {
    limitRights(session);
    const main = document.getElementById("main");
    const apps = new AppRegistry(main, session);
    const teams = new TeamRegistry(main, session, { changed: (list) => apps.offerTeams(list) });
    await Promise.all([teams.show(), apps.show()]);
});
