import { later } from "../../../components/later.js";

/** The buttons that import a file into the draft. The dialog is loaded at the first press. */
export function offerImport(page, failed) {
    page.main.addEventListener("click", async ({ target }) => {
        if (!target.closest("[data-imports]")) return;
        try {
            const load = () => import("./import-dialog.js");
            const [{ openImport }] = await Promise.all([later(load, "domain/import"), page.begin()]);
            openImport(page);
        } catch (error) {
            failed(error);
        }
    });
}
