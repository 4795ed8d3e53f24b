import { offerCurl } from "../../components/curl.js";
import { curlCommand } from "../../components/curl-command.js";
import { clone, part } from "../../shared/page/template.js";
import { inline, prose } from "./inline.js";

const names = { token: "API token", session: "Session", consumer: "Consumer" };

/** What all operations have in common. */
export function overview(contract, organization) {
    const view = clone("overview", { origin: location.origin });
    part(view, "description").replaceChildren(...prose(contract.info.description));
    for (const [name, { description }] of Object.entries(contract.securitySchemes)) {
        const row = clone("fact", { name: names[name] ?? name });
        part(row, "words").append(...inline(description));
        part(view, "schemes").append(row);
    }
    const request = () => ({ path: "/domains", organization });
    part(view, "first-request").textContent = curlCommand(request());
    return { view, forget: offerCurl("list domains", request, part(view, "copy")) };
}

/** All problem codes, with the number of operations that return them. */
export function problemList(contract) {
    const view = clone("problems");
    part(view, "rows").append(
        ...contract.problems.map(({ code, statuses, meanings, uses }) => {
            const row = clone("problem-row", { code, status: [...statuses].sort().join(", "), uses: String(uses) });
            part(row, "meaning").append(...inline([...meanings][0]));
            return row;
        }),
    );
    return { view, forget() {} };
}
