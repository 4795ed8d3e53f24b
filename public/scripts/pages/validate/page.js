import { Api } from "../../shared/api/api.js";
import { announce } from "../../components/announce.js";
import { startPublicPage } from "../../components/public-page.js";
import { part } from "../../shared/page/template.js";
import { AssociationFile } from "../../shared/files/association-file.js";
import { example } from "./example.js";
import { FilePanel } from "./file/file-panel.js";
import { Sharing } from "./sharing/sharing.js";
import { URLPanel } from "./urls/url-panel.js";

/** The public page: a file and URLs, without an account. */
class ValidatePage {
    #filePanel;
    #urlPanel;

    constructor(main) {
        const api = new Api();
        part(main, "needs-script").hidden = true;
        part(main, "workbench").hidden = false;
        part(main, "share").hidden = false;
        this.#filePanel = new FilePanel(part(main, "file"), api);
        this.#urlPanel = new URLPanel(part(main, "urls"), api, this.#filePanel);
        part(main, "example").addEventListener("click", () => this.#showExample());
    }

    get state() {
        return { file: this.#filePanel.file, ...this.#urlPanel.question };
    }

    set state({ file, ...question }) {
        this.#filePanel.file = file;
        this.#urlPanel.question = question;
    }

    onChange(changed) {
        for (const panel of [this.#filePanel, this.#urlPanel]) panel.addEventListener("change", changed);
    }

    #showExample() {
        const before = this.state;
        this.state = { ...example, file: AssociationFile.of(example.file) };
        const isEmpty = before.file.bytes.length === 0 && before.urls.trim() === "";
        if (!isEmpty) announce("Example loaded.", { undo: () => (this.state = before) });
    }
}

startPublicPage();
const main = document.getElementById("main");
const page = new ValidatePage(main);
const sharing = new Sharing(main, page);
page.onChange(() => sharing.changed());
await sharing.restore();
