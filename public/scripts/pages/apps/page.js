import { startPage } from "../../components/start-page.js";
import { limitRights } from "../../shared/api/limit.js";
import { AppRegistry } from "./app-registry.js";
import { TeamRegistry } from "./team-registry.js";

startPage(async (session) => {
    limitRights(session);
    const main = document.getElementById("main");
    const apps = new AppRegistry(main, session);
    const teams = new TeamRegistry(main, session, { changed: (list) => apps.offerTeams(list) });
    const [, known] = await Promise.all([teams.show(), apps.show()]);
    const wanted = new URLSearchParams(location.search).get("app");
    if (!wanted || known.some(({ appID }) => appID === wanted)) return;
    const [teamID, ...bundleID] = wanted.split(".");
    apps.offer(teamID, bundleID.join("."));
    teams.offer(teamID);
});
