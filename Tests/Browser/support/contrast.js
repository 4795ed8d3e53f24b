(() => {
    /* Colours are painted and read back, whatever notation they are written in. */
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });

    /* Painting is slow, and a page has few colours. */
    const known = new Map();

    function channels(color) {
        if (!known.has(color)) known.set(color, painted(color));
        return known.get(color);
    }

    function painted(color) {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
        return { rgb: [red, green, blue], alpha: alpha / 255 };
    }

    /* WCAG 2.2, definition of relative luminance. */
    function luminance([red, green, blue]) {
        const linear = [red, green, blue].map((value) => {
            const part = value / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    }

    function ratio(one, other) {
        const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
        return (lighter + 0.05) / (darker + 0.05);
    }

    function groundOf(element) {
        for (let each = element; each; each = each.parentElement) {
            const { rgb, alpha } = channels(getComputedStyle(each).backgroundColor);
            if (alpha === 1) return rgb;
        }
        return [255, 255, 255];
    }

    function isShown(element) {
        const box = element.getBoundingClientRect();
        if (box.width <= 1 || box.height <= 1 || !element.checkVisibility({ visibilityProperty: true })) return false;
        return !element.closest("[aria-disabled=true], option, .visually-hidden");
    }

    function hasOwnText(element) {
        return [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    }

    function needed(style) {
        const size = parseFloat(style.fontSize);
        return size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    }

    /* What stands out too little: "text: ratio". */
    function measure() {
        const elements = [...document.body.querySelectorAll("*")];
        return elements.filter((element) => hasOwnText(element) && isShown(element)).flatMap((element) => {
            const style = getComputedStyle(element);
            const found = ratio(channels(style.color).rgb, groundOf(element));
            return found < needed(style) ? [`${element.textContent.trim().slice(0, 40)}: ${found.toFixed(2)}`] : [];
        });
    }

    /* A variable's color depends on the scheme of the element that uses it. */
    function named(name) {
        const probe = document.createElement("span");
        probe.style.color = `var(${name})`;
        document.body.append(probe);
        const { rgb } = channels(getComputedStyle(probe).color);
        probe.remove();
        return rgb;
    }

    return {
        measure,
        ratioOf: ([one, other]) => ratio(named(one), named(other)),
        luminanceOf: (name) => luminance(named(name)),
    };
})().measure()
