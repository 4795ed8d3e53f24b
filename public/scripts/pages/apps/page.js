import { startPage } from "../../components/start-page.js";
import { loadTemplates } from "../../shared/page/template.js";
import { AppRegistry } from "./app-registry.js";
import { TeamRegistry } from "./team-registry.js";

const templates = Promise.all(["/domain-choice", "/domain-publishing", "/gate-report"].map(loadTemplates));

startPage(async (session) => {
    const main = document.getElementById("main");
    const apps = new AppRegistry(main, session);
    const teams = new TeamRegistry(main, session, { changed: (list) => apps.offerTeams(list) });
    await templates;
    await Promise.all([teams.show(), apps.show()]);
});
