const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The text of the first element with this name; undefined if there is none. */
export function elementText(xml: string, name: string): string | undefined {
  const start = xml.indexOf(`<${name}>`);
  if (start < 0) return undefined;
  const from = start + name.length + 2;
  const end = xml.indexOf(`</${name}>`, from);
  return end < 0 ? undefined : decoded(xml.slice(from, end));
}

/** The contents of all elements with this name, which are not nested. */
export function elements(xml: string, name: string): string[] {
  const found: string[] = [];
  const [open, close] = [`<${name}>`, `</${name}>`];
  for (let start = xml.indexOf(open); start >= 0; start = xml.indexOf(open, start)) {
    const end = xml.indexOf(close, start);
    if (end < 0) break;
    found.push(xml.slice(start + open.length, end));
    start = end;
  }
  return found;
}

const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

/** A text as the content of an element. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
