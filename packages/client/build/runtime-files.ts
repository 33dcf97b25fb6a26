import { readFile } from "node:fs/promises";

const contract = new URL("../../contract/src/", import.meta.url);
/** The files of the contract that the client package's own sources import. */
const entries = ["client/error.ts", "client/options.ts", "client/untyped-client.ts"];

/**
 * The source files of the contract's client that need no schemas, by path: the entries and everything that they import.
 */
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
