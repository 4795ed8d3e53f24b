import { Api } from "../../shared/api/api.js";
import { announce } from "../../components/announce.js";
import { startPublicPage } from "../../components/public-page.js";
import { part } from "../../shared/page/template.js";
import { AssociationFile } from "../../shared/files/association-file.js";
import { example } from "./example.js";
import { FilePanel } from "../../components/file-editor/file-panel.js";
import { Sharing } from "../../components/checking/sharing.js";
import { texts } from "../../components/checking/share-link.js";
import { URLPanel } from "./urls/url-panel.js";

/** The public page: a file and URLs, without an account. */
class ValidatePage {
    #filePanel;
    #urlPanel;

    constructor(main) {
        const api = new Api();
        part(main, "needs-script").hidden = true;
        part(main, "workbench").hidden = false;
        for (const name of ["example", "share"]) part(main, name).hidden = false;
        this.#filePanel = new FilePanel(part(main, "file-place"), api);
        this.#urlPanel = new URLPanel(part(main, "urls"), api, this.#filePanel);
        part(main, "example").addEventListener("click", () => this.#showExample());
    }

    /** The input as JSON, for a link. */
    get state() {
        return { ...this.#filePanel.file.json, ...this.#urlPanel.question };
    }

    /** Checks the JSON of a link. Throws if it is invalid. */
    read(json) {
        return { file: AssociationFile.fromJSON(json), ...texts(json, "urls", "host", "system") };
    }

    restore({ file, ...question }) {
        this.#filePanel.file = file;
        this.#urlPanel.question = question;
    }

    onChange(changed) {
        for (const panel of [this.#filePanel, this.#urlPanel]) panel.addEventListener("change", changed);
    }

    #showExample() {
        const before = { file: this.#filePanel.file, ...this.#urlPanel.question };
        this.restore({ ...example, file: AssociationFile.of(example.file) });
        const isEmpty = before.file.bytes.length === 0 && before.urls.trim() === "";
        if (!isEmpty) announce("Example loaded.", { undo: () => this.restore(before) });
    }
}

startPublicPage();
const main = document.getElementById("main");
const page = new ValidatePage(main);
const sharing = new Sharing(main, page);
part(main, "share").addEventListener("click", () => sharing.share());
page.onChange(() => sharing.changed());
await sharing.restore();
