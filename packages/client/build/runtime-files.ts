import { readFile } from "node:fs/promises";

const contract = new URL("../../contract/src/", import.meta.url);
/** What the package's own sources import of it. */
const entries = ["client/error.ts", "client/options.ts", "client/untyped-client.ts"];

/** The files of the contract's client that need no schemas, by path: the entries, and what they import. */
export async function runtimeFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (files.has(path)) continue;
    const text = await readFile(new URL(path, contract), "utf8");
    files.set(path, text);
    for (const [, imported = ""] of text.matchAll(/ from "([^"]+)";/g)) {
      const { href } = new URL(imported, new URL(path, contract));
      if (!imported.startsWith(".") || !href.startsWith(contract.href)) {
        throw new Error(`${path} imports ${imported}, which would be a dependency of the client.`);
      }
      waiting.push(href.slice(contract.href.length));
    }
  }
  return files;
}
