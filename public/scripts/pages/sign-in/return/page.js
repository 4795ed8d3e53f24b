import { Api } from "../../../shared/api/api.js";
import { words } from "../../../shared/api/problem.js";
import { takeReturn } from "../../../components/provider-sign-in.js";
import { fill, part } from "../../../shared/page/template.js";

const main = document.getElementById("main");
const answer = new URLSearchParams(location.search);
// The code works once, but it need not stay in the history.
history.replaceState(null, "", location.pathname);

/** The provider sends people here with a code, or with an error. */
async function finish() {
    if (answer.has("error")) throw new Error(refusal(answer));
    const [state, code, iss] = ["state", "code", "iss"].map((name) => answer.get(name));
    const organization = location.pathname.split("/")[3];
    if (!state || !code || !organization) throw new Error("This page is only for the way back from your provider.");
    await new Api().post("/provider-sign-ins/completions", { organization, state, code, iss });
    location.replace(takeReturn());
}

function refusal(answer) {
    const detail = answer.get("error_description") ?? answer.get("error");
    return answer.get("error") === "access_denied" ? "Your provider did not let you in." : `Your provider reports: ${detail}`;
}

finish().catch((problem) => {
    const isOurs = problem.constructor === Error;
    fill(main, { title: "This did not work", problem: isOurs ? problem.message : words(problem) });
    part(main, "status").hidden = true;
    part(main, "again").hidden = false;
});
