import { startPage } from "../../components/start-page.js";
import { part } from "../../shared/page/template.js";
import { showOrganizations } from "./organizations.js";
import { IdentityList } from "./identity-list.js";
import { PasskeyList } from "./passkey-list.js";
import { showPassword } from "./password.js";
import { showProfile } from "./profile.js";
import { SecondFactor } from "./second-factor.js";
import { SessionList } from "./session-list.js";

startPage(
    async (session) => {
        const main = document.getElementById("main");
        if (session.me.user.byProvider) {
            part(main, "loading").hidden = true;
            part(main, "by-provider").hidden = false;
            return;
        }
        const sessions = new SessionList(main, session.api);
        showProfile(main, session);
        showPassword(main, session, sessions);
        showOrganizations(main, session);
        const secondFactor = new SecondFactor(main, session, sessions);
        const passkeys = new PasskeyList(main, session, () => Promise.all([secondFactor.show(), sessions.show()]));
        await Promise.all([sessions, secondFactor, passkeys, new IdentityList(main, session)].map((each) => each.show()));
        part(main, "loading").hidden = true;
        part(main, "account").hidden = false;
        // A link may lead to a section.
        document.getElementById(location.hash.slice(1))?.scrollIntoView();
    },
    { forEveryone: true },
);
