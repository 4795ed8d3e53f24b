/**
 * The Markdown of Waymark's own documents, as elements: headings, paragraphs, lists, tables, fenced code, and in a line
 * `code`, bold, italics and links. Anything else stays plain text.
 *
 * `address(target)` returns the address of a link, or null to make it plain text.
 */
export function markdown(text, { address }) {
    const lines = text.replaceAll("\r\n", "\n").split("\n");
    const elements = [];
    let at = 0;
    while (at < lines.length) {
        const block = blocks.find(({ starts }) => starts(lines[at]));
        const end = block.end(lines, at);
        elements.push(...block.elements(lines.slice(at, end), (each) => inline(each, address)));
        at = end;
    }
    return elements;
}

const isBlank = (line) => line.trim() === "";
const isFence = (line) => line.startsWith("```");
const isHeading = (line) => /^#{1,4} /.test(line);
const isItem = (line) => line.startsWith("- ");
const isRow = (line) => line.startsWith("|");
const isSpecial = (line) => [isBlank, isFence, isHeading, isItem, isRow].some((is) => is(line));
const endsList = (line) => isSpecial(line) && !isItem(line);

/** The kinds of blocks: how each starts, where it ends, and its elements. The last kind takes any line. */
const blocks = [
    { starts: isBlank, end: (_, at) => at + 1, elements: () => [] },
    { starts: isHeading, end: (_, at) => at + 1, elements: heading },
    { starts: isFence, end: (lines, at) => after(lines, at, isFence) + 1, elements: code },
    { starts: isItem, end: (lines, at) => after(lines, at, endsList), elements: items },
    { starts: isRow, end: (lines, at) => after(lines, at, (line) => !isRow(line)), elements: table },
    { starts: () => true, end: (lines, at) => after(lines, at, isSpecial), elements: paragraph },
];

/** The first line after `at` that ends a block, or the end. */
function after(lines, at, ends) {
    const found = lines.findIndex((line, index) => index > at && ends(line));
    return found < 0 ? lines.length : found;
}

function heading([line], inline) {
    const [, signs, text] = /^(#+) (.*)$/.exec(line);
    return [element(`h${signs.length}`, inline(text))];
}

function code(lines) {
    const pre = element("pre", [element("code", [lines.slice(1, -1).join("\n")])]);
    pre.className = "code-block";
    pre.tabIndex = 0;
    return [pre];
}

function items(lines, inline) {
    const texts = lines.map((line) => (isItem(line) ? line.slice(2) : line.trim()));
    const starts = lines.flatMap((line, index) => (isItem(line) ? [index] : []));
    const each = starts.map((start, index) => texts.slice(start, starts[index + 1]).join(" "));
    return [element("ul", each.map((text) => element("li", inline(text))))];
}

function table([head, , ...rows], inline) {
    const cells = (line) => line.split("|").slice(1, -1).map((cell) => cell.trim());
    const row = (line, name) => element("tr", cells(line).map((cell) => element(name, inline(cell))));
    const body = element("tbody", rows.map((line) => row(line, "td")));
    const table = element("table", [element("thead", [row(head, "th")]), body]);
    table.className = "table is-compact";
    return [table];
}

function paragraph(lines, inline) {
    return [element("p", inline(lines.join(" ")))];
}

const spans = /(`[^`]+`)|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

function inline(text, address) {
    const nodes = [];
    let end = 0;
    for (const match of text.matchAll(spans)) {
        nodes.push(text.slice(end, match.index), span(match, address));
        end = match.index + match[0].length;
    }
    return [...nodes, text.slice(end)];
}

function span([, code, bold, italic, text, target], address) {
    if (code) return element("code", [code.slice(1, -1)]);
    if (bold) return element("strong", [bold]);
    if (italic) return element("em", [italic]);
    const href = address(target);
    const link = element(href ? "a" : "span", [text]);
    if (href) link.href = href;
    return link;
}

function element(name, children) {
    const made = document.createElement(name);
    made.append(...children);
    return made;
}
