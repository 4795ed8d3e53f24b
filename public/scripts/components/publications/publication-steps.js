import { clockIn, ownZone } from "../../shared/times/zones.js";
import { clone, part } from "../../shared/page/template.js";

const tones = { postponed: "warning", failed: "bad", suspended: "warning", live: "good" };

/** Fills a list with a publication's steps. Existing items stay, so that screen readers read only new ones. */
export function showSteps(list, { steps }) {
    for (const step of steps.slice(list.children.length)) {
        const item = clone("publication-step", { words: words(step) });
        item.dataset.tone = tones[step.step] ?? "";
        part(item, "time").dateTime = step.at;
        part(item, "time").textContent = clockIn(ownZone, step.at, { isExact: true });
        list.append(item);
    }
}

function words({ step, attempt, cause, nextAt }) {
    const because = cause ? `: ${cause}` : "";
    switch (step) {
        case "made":
            return "Created";
        case "claimed":
            return `Attempt ${attempt} started`;
        case "postponed":
            return `Attempt ${attempt} failed${because}. Next attempt at ${clockIn(ownZone, nextAt, { isExact: true })}`;
        case "live":
            return "Went live";
        default:
            return `${step[0].toUpperCase()}${step.slice(1)}${because}`;
    }
}
