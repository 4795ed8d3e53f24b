import { startPublicPage } from "../../components/public-page.js";
import { clone, label, part, uniqueIDs } from "../../shared/page/template.js";

const colors = ["ground", "surface", "sunken", "line", "control", "text", "text-quiet", "accent", "accent-deep", "accent-wash",
    "good", "good-wash", "warning", "warning-wash", "bad", "bad-wash", "excluded", "excluded-wash"];
const spaces = [1, 2, 3, 4, 5, 6];

startPublicPage();
part(document.getElementById("main"), "schemes").append(scheme("light", "Light"), scheme("dark", "Dark"));

/** All components once, in a scheme of their own. */
function scheme(theme, name) {
    const section = uniqueIDs(clone("scheme", { scheme: name }));
    section.dataset.theme = theme;
    part(section, "swatches").append(...colors.map(swatch));
    part(section, "spaces").append(...spaces.map(space));
    for (const radio of section.querySelectorAll("[data-name]")) radio.name = `${radio.dataset.name}-${theme}`;
    label(section, "tabs", `Parts, ${theme}`);
    label(section, "table", `Domains, ${theme}`);
    return section;
}

function swatch(name) {
    const item = clone("swatch", { name });
    part(item, "color").style.background = `var(--color-${name})`;
    return item;
}

function space(step) {
    const bar = document.createElement("span");
    bar.style.inlineSize = `var(--space-${step})`;
    return bar;
}
