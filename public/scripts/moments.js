const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const absolute = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });
const units = [
    ["year", 31_536_000],
    ["month", 2_592_000],
    ["week", 604_800],
    ["day", 86_400],
    ["hour", 3_600],
    ["minute", 60],
];

/** Fills a `<time>`: how long ago in words, the exact moment in its title and its `datetime`. */
export function showMoment(element, time) {
    element.hidden = !time;
    if (!time) return;
    element.dateTime = time;
    element.textContent = ago(new Date(time));
    element.title = absolute.format(new Date(time));
}

/** Fills a `<time>` with the exact moment: for what stays on a page for long. */
export function showTime(element, time) {
    element.dateTime = time;
    element.textContent = absolute.format(new Date(time));
}

function ago(date) {
    const seconds = Math.round((date - Date.now()) / 1000);
    const unit = units.find(([, length]) => Math.abs(seconds) >= length);
    return unit ? relative.format(Math.trunc(seconds / unit[1]), unit[0]) : "just now";
}
