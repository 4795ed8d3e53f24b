import { announce } from "../../components/announce.js";
import { Problem, words } from "../../shared/api/problem.js";
import { onPress, onSubmit } from "../../shared/forms/form.js";
import { saveLines } from "../../shared/page/download.js";
import { fill, part } from "../../shared/page/template.js";
import { count } from "../../shared/words/numbers.js";
import { day } from "../../shared/times/moments.js";

/** The most records and characters in a request that restores them. */
const maximumRecords = 100;
const maximumLength = 1_500_000;
/** Kinds that are never restored and can be most of a file. */
const history = ["publication", "withdrawal", "run", "outcome", "release", "releaseDomain", "approvalRequest"];

/** The export of the organization, its restoration and its deletion. Only owners see it. */
export class Leaving {
    #root;
    #api;
    #slug;
    #sendsMail;

    constructor(main, { api, organization, me }) {
        this.#root = part(main, "leaving");
        this.#api = api;
        this.#slug = organization.slug;
        this.#sendsMail = me.installation.sendsMail;
        fill(this.#root, { "slug-label": `Type ${organization.slug} to confirm` });
        const file = part(this.#root, "file");
        const complain = (problem) => fill(this.#root, { failure: words(problem) });
        onPress(part(this.#root, "export"), () => this.#export(), complain);
        part(this.#root, "restore").addEventListener("click", () => file.click());
        file.addEventListener("change", () => this.#restore(file).catch(complain));
        onPress(part(this.#root, "keep"), () => this.#keep(), complain);
        onSubmit(part(this.#root, "form"), (fields) => this.#delete(fields));
    }

    async show() {
        this.#fill((await this.#api.get("/organization")).body);
    }

    #fill({ deletion }) {
        part(this.#root, "pending").hidden = !deletion;
        part(this.#root, "form").hidden = Boolean(deletion);
        if (deletion)
            fill(this.#root, { due: `This organization will be deleted on ${day(deletion.dueAt)}.`, requester: deletion.requestedBy });
    }

    async #export() {
        const parts = [];
        for (let path = "/v1/organization/export"; path; ) {
            const response = await fetch(path, { headers: { "Waymark-Organization": this.#slug } });
            if (!response.ok) throw await Problem.from(response);
            parts.push(await response.text());
            path = response.headers.get("Link")?.match(/<([^>]+)>/)[1];
        }
        saveLines(parts, `export-${this.#slug}.ndjson`);
        announce("The export is downloaded.");
    }

    async #restore(field) {
        const [file] = field.files;
        if (!file) return;
        fill(this.#root, { failure: null, result: "Restoring…" });
        const total = { restored: 0, existing: 0, ignored: 0 };
        try {
            const { requests, ignored } = requestsFor(await file.text());
            total.ignored = ignored;
            for (const records of requests) {
                const { body } = await this.#api.post("/organization/restorations", { records });
                for (const name of Object.keys(total)) total[name] += body[name];
            }
        } finally {
            field.value = "";
            fill(this.#root, { result: resultWords(total) });
        }
    }

    async #delete({ slug }) {
        this.#fill((await this.#api.post("/organization/deletion", { slug: slug ?? "" })).body);
        part(this.#root, "form").reset();
        announce(`The organization will be deleted.${this.#sendsMail ? " Every owner gets a mail." : ""}`);
        part(this.#root, "title").focus();
    }

    async #keep() {
        this.#fill((await this.#api.delete("/organization/deletion")).body);
        announce("The organization stays.");
        part(this.#root, "title").focus();
    }
}

function resultWords({ restored, existing, ignored }) {
    return `${count(restored, "record")} restored, ${existing} existed already, ${ignored} of kinds that are not restored.`;
}

/** The records of an export that can be restored, in parts that a request can have, and the number of the others. */
function requestsFor(text) {
    const lines = text.split("\n").filter((line) => line.trim());
    const requests = [];
    let [length, ignored] = [Infinity, 0];
    lines.forEach((line, place) => {
        const read = record(line, place + 1);
        if (history.includes(read.kind)) return ignored++;
        if (length + line.length > maximumLength || requests.at(-1).length === maximumRecords) {
            requests.push([]);
            length = 0;
        }
        requests.at(-1).push(read);
        length += line.length;
    });
    return { requests, ignored };
}

function record(line, number) {
    try {
        return JSON.parse(line);
    } catch {
        throw new Problem({ code: "not_an_export", detail: `Line ${number} of the file is not JSON. Choose the file of an export.` });
    }
}
