const lenientUtf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * The parameters of a query string, with or without `?`. Only `&` separates them. If a name is repeated, the last value
 * wins.
 */
export function parseQuery(search: string): Map<string, string> {
  const parameters = new Map<string, string>();
  const query = search.startsWith("?") ? search.slice(1) : search;
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = equals < 0 ? pair : pair.slice(0, equals);
    parameters.set(decode(name), equals < 0 ? "" : decode(pair.slice(equals + 1)));
  }
  return parameters;
}

/** Decodes `+` as a space and `%XX` as a byte of UTF-8. Invalid UTF-8 becomes U+FFFD, and a stray `%` is kept. */
function decode(part: string): string {
  return part.replaceAll("+", " ").replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => {
    const bytes = run.slice(1).split("%");
    return lenientUtf8.decode(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)));
  });
}
