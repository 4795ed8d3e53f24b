import { startPage } from "../../components/start-page.js";
import { InvitationList } from "./invitation-list.js";
import { MemberList } from "./member-list.js";
import { TokenList } from "./token-list.js";

startPage(async (session) => {
    const main = document.getElementById("main");
    const lists = [new MemberList(main, session)];
    if (session.can("admin")) lists.push(new InvitationList(main, session), new TokenList(main, session));
    await Promise.all(lists.map((each) => each.show()));
});
