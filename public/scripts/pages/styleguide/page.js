import { startPublicPage } from "../../components/public-page.js";
import { clone, label, part, uniqueIDs } from "../../shared/page/template.js";
import { countWords } from "../../shared/words/finding-words.js";
import { hostWords } from "../../shared/words/host-words.js";
import * as states from "../../shared/words/states.js";

const colors = ["ground", "surface", "sunken", "line", "control", "text", "text-quiet", "accent", "accent-deep", "accent-wash",
    "good", "good-wash", "warning", "warning-wash", "bad", "bad-wash", "excluded", "excluded-wash"];
const spaces = [1, 2, 3, 4, 5, 6];
const wordsOf = {
    "Domain": states.domainStates,
    "Publication": states.publicationStates,
    "Release": states.releaseStates,
    "Domain of a release": states.releaseDomainStates,
    "Schedule": states.scheduleStates,
    "API token": states.tokenStates,
    "Result of a run": states.runOutcomes,
};

startPublicPage();
part(document.getElementById("main"), "schemes").append(scheme("light", "Light"), scheme("dark", "Dark"));

/** All components once, in a scheme of their own. */
function scheme(theme, name) {
    const section = uniqueIDs(clone("scheme", { scheme: name }));
    section.dataset.theme = theme;
    part(section, "swatches").append(...colors.map(swatch));
    part(section, "spaces").append(...spaces.map(space));
    part(section, "word-rows").append(...Object.entries(wordsOf).map(([of, each]) => wordRow(of, Object.values(each))));
    part(section, "word-rows").append(
        wordRow("Findings", [countWords({ errors: 2, warnings: 1, notices: 1 }).text]),
        wordRow("Host", [hostWords("xn--mnchen-3ya.example")]),
    );
    for (const radio of section.querySelectorAll("[data-name]")) radio.name = `${radio.dataset.name}-${theme}`;
    label(section, "tabs", `Parts, ${theme}`);
    label(section, "table", `Domains, ${theme}`);
    label(section, "words", `Words, ${theme}`);
    return section;
}

function swatch(name) {
    const item = clone("swatch", { name });
    part(item, "color").style.background = `var(--color-${name})`;
    return item;
}

/** A row of badges, or of plain texts. */
function wordRow(of, words) {
    const row = clone("word-row", { of });
    part(row, "words").append(...words.map((word) => (word.words ? badge(word) : word)));
    return row;
}

function badge(state) {
    const element = clone("word");
    states.showState(element, state);
    return element;
}

function space(step) {
    const bar = document.createElement("span");
    bar.style.inlineSize = `var(--space-${step})`;
    return bar;
}
