import { startPublicPage } from "../../components/public-page.js";
import { Problem, words } from "../../shared/api/problem.js";
import { markdown } from "../../shared/page/markdown.js";
import { part } from "../../shared/page/template.js";

const article = part(document.getElementById("main"), "text");

/** Shows the page of the finding in the address (`?code=WM020`), or the list of all findings. */
async function show() {
    const code = new URLSearchParams(location.search).get("code") ?? "README";
    try {
        article.replaceChildren(...markdown(await page(code), { address }));
        document.title = `${article.querySelector("h1")?.textContent ?? code} · Waymark`;
    } catch (error) {
        showProblem(error);
    }
}

async function page(code) {
    if (!/^(WM\d{3}|README)$/.test(code)) throw new Problem({ detail: "No finding has this code." });
    const response = await fetch(`/findings/${code}.md`).catch(() => {
        throw Problem.unreachable();
    });
    if (!response.ok) throw new Problem({ detail: `This server has no page for ${code}.` });
    return response.text();
}

/** The documents link to each other by path. */
function address(target) {
    const [, code] = /^(?:\.\.\/)?(?:WM\d{2}x\/)?(WM\d{3}|README)\.md$/.exec(target) ?? [];
    if (!code) return /^https:/.test(target) ? target : null;
    return code === "README" ? "/finding" : `/finding?${new URLSearchParams({ code })}`;
}

function showProblem(error) {
    const title = document.createElement("h1");
    title.textContent = "This page could not be shown";
    const detail = document.createElement("p");
    detail.textContent = words(error);
    article.replaceChildren(title, detail);
}

startPublicPage();
await show();
