"""Records what a screen reader reads out: the texts of the live regions of a page when they change."""

LISTEN = """(() => {
    const live = ":is([role=status], [role=alert], [aria-live]):not([aria-live=off])";
    const spoken = (region) => (region.checkVisibility() ? region.innerText.replaceAll(/\\s+/g, " ").trim() : "");
    const last = new WeakMap();
    window.heard = [];
    new MutationObserver((records) => {
        const written = new Set();
        const shown = new Set();
        for (const { type, target } of records) {
            const element = target.nodeType === Node.TEXT_NODE ? target.parentElement : target;
            const region = element?.closest?.(live);
            if (region) (type === "attributes" ? shown : written).add(region);
            else for (const each of element?.querySelectorAll?.(live) ?? []) shown.add(each);
        }
        for (const region of new Set([...written, ...shown])) {
            const text = spoken(region);
            if (text && (written.has(region) || text !== last.get(region))) window.heard.push(text);
            last.set(region, text);
        }
    }).observe(document, {
        subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["hidden", "open"],
    });
})()"""


def listen(dashboard):
    dashboard.page.add_init_script(LISTEN)


def hear(dashboard, act):
    """Runs an act, which waits for its results. Returns the texts that were read out meanwhile, in order."""
    dashboard.page.evaluate("heard.length = 0")
    act()
    return dashboard.page.evaluate("heard")
