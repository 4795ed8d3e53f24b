import { copies } from "../../../shared/page/clipboard.js";
import { part, showHost } from "../../../shared/page/template.js";

/** The command that fetches the live file from this installation's edge, if there is one. */
export class LiveFile {
    #page;

    constructor(page) {
        this.#page = page;
        copies(part(page.main, "copy-curl"), () => part(page.main, "curl").textContent);
        page.head.addEventListener("change", () => this.#show());
        this.#show();
    }

    #show() {
        const { main, domain, session } = this.#page;
        const { edgeURL } = session.me.installation;
        part(main, "served").hidden = !domain.live || !edgeURL;
        if (edgeURL) showHost(part(main, "curl"), curl(domain.host, edgeURL));
    }
}

function curl(host, edgeURL) {
    return `curl -H 'Host: ${host}' ${new URL("/.well-known/apple-app-site-association", edgeURL)}`;
}
