import { startPage } from "../../components/start-page.js";
import { InvitationList } from "./invitation-list.js";
import { Leaving } from "./leaving.js";
import { MemberList } from "./member-list.js";
import { ProviderForm } from "./provider-form.js";
import { SecondFactorRule } from "./second-factor-rule.js";
import { TokenList } from "./token-list.js";
import { TrustList } from "./trust-list.js";

startPage(async (session) => {
    const main = document.getElementById("main");
    const access = session.can("listTokens") ? [new TokenList(main, session), new TrustList(main, session)] : [];
    const members = new MemberList(main, session, () => Promise.all(access.map((each) => each.show())));
    const lists = [members, new SecondFactorRule(main, session, members)];
    if (session.can("setSignInProvider")) lists.push(new ProviderForm(main, session), new Leaving(main, session));
    if (session.can("listInvitations")) lists.push(new InvitationList(main, session));
    lists.push(...access);
    await Promise.all(lists.map((each) => each.show()));
});
