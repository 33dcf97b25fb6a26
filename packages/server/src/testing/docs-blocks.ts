import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { TestServer } from "./server.ts";

const docs = resolve(import.meta.dirname, "../../../../docs");
const folder = join(docs, "reference/connectors");

/** The content after a marker: a block of code, or a table. */
const marked = /<!-- (\w+): ([\w-]+) -->\s*(?:```\w+\n([\s\S]*?)\n```|((?:^\|.*\n)+))/gm;

/** The testable blocks of the connector pages. */
export interface Blocks {
  /** The names of all blocks of a kind (`runs` or `types`), in order. */
  names(kind: string): string[];
  /** The text of the block that follows `<!-- runs: sqlite-in -->`. */
  text(kind: string, name: string): string | undefined;
}

export async function readBlocks(): Promise<Blocks> {
  const texts = new Map<string, string>();
  for (const page of (await readdir(folder)).sort()) {
    const written = await readFile(join(folder, page), "utf8");
    const found = [...written.matchAll(marked)];
    const marks = written.match(/<!--/g)?.length ?? 0;
    if (found.length !== marks) throw new Error(`${page}: a marker is not followed by a block or a table.`);
    for (const [, kind, name, code, table] of found) {
      const key = `${kind}: ${name}`;
      if (texts.has(key)) throw new Error(`${page}: ${key} is declared twice.`);
      texts.set(key, code ?? table ?? "");
    }
  }
  return {
    names: (kind) =>
      [...texts.keys()].filter((key) => key.startsWith(`${kind}: `)).map((key) => key.slice(kind.length + 2)),
    text: (kind, name) => texts.get(`${kind}: ${name}`),
  };
}

/**
 * The code spans in the first two columns of a table: each type on the left, paired with the type on the right that it
 * becomes.
 */
export function pairsOf(table: string): [from: string, to: string][] {
  return table.split("\n").flatMap((line) => {
    const [left = [], right = []] = line
      .split(/(?<!\\)\|/)
      .slice(1, 3)
      .map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code.replaceAll("\\|", "|")));
    if (right.length > 1 && right.length !== left.length)
      throw new Error(`${line} does not say what becomes what.`);
    return left.map((from, at): [string, string] => [from, (right.length > 1 ? right[at] : right[0]) ?? ""]);
  });
}

export interface Command {
  readonly method: string;
  /** Relative to the server's address; variables such as `$ID` come from an earlier response. */
  readonly path: string;
  /** JSON, or a file name: `@connector.json`. */
  readonly sent: string | undefined;
}

/** The curl commands of the page about connecting a system. */
export async function readCommands(): Promise<Command[]> {
  return commandsIn(await readFile(join(docs, "how-to/connect-a-system.md"), "utf8"));
}

const commandsIn = (text: string): Command[] =>
  (text.match(/^curl .*$/gm) ?? []).map((line) => ({
    method: /-X (\w+)/.exec(line)?.[1] ?? "GET",
    path: /\$API([^\s"]+)/.exec(line)?.[1] ?? "",
    sent: /(?:-d|--data-binary) (?:'([^']*)'|(\S+))/
      .exec(line)
      ?.slice(1)
      .find((text) => text !== undefined),
  }));

/** Sends a command of a page, with the values of its variables and the files that the page saves. */
export async function sendCommand(
  server: Pick<TestServer, "fetch">,
  { method, path, sent }: Command,
  files: ReadonlyMap<string, string>,
  variables: ReadonlyMap<string, string>,
): Promise<{ readonly status: number; readonly json: Record<string, unknown> }> {
  const filled = path.replace(/\$[A-Z]+/g, (name) => {
    const value = variables.get(name);
    if (value === undefined) throw new Error(`${name} has no value yet`);
    return value;
  });
  const body = sent?.startsWith("@") ? files.get(sent.slice(1)) : sent;
  const type = path.includes("/files/") ? "application/octet-stream" : "application/json";
  const answer = await server.fetch(filled, {
    method,
    ...(body !== undefined && { body, headers: { "Content-Type": type } }),
  });
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
}

/** The testable content of a page, in order: files to save, commands to run, and the result of the last one. */
export type PageStep =
  | { readonly kind: "file"; readonly name: string; readonly text: string }
  | ({ readonly kind: "command" } & Command)
  /** A part of the response. */
  | { readonly kind: "answer"; readonly json: unknown }
  | { readonly kind: "error"; readonly text: string }
  /** A call of the command line. */
  | { readonly kind: "typed"; readonly line: string }
  /** A part of what the last call printed. */
  | { readonly kind: "output"; readonly text: string };

/** Every block of code, with the marker before it: `<!-- file: orders.sql -->`, `<!-- answer -->`, `<!-- error -->`, `<!-- output -->`. */
const block = /(?:<!-- (file|answer|error|output)(?:: (\S+))? -->\s*)?^```(\w+)\n([\s\S]*?)\n```$/gm;

export async function readPage(name: string): Promise<PageStep[]> {
  const page = await readFile(join(docs, name), "utf8");
  return [...page.matchAll(block)].flatMap(([, mark, named = "", language, text = ""]): PageStep[] => {
    if (mark === "file") return [{ kind: "file", name: named, text: `${text}\n` }];
    if (mark === "answer") return [{ kind: "answer", json: JSON.parse(text) }];
    if (mark === "error" || mark === "output") return [{ kind: mark, text }];
    if (language !== "sh") throw new Error(`${name}: a block of ${language} has no marker:\n${text}`);
    const typed = (text.match(/^lakehelm .*$/gm) ?? []).map((line) => ({ kind: "typed" as const, line }));
    return [...typed, ...commandsIn(text).map((command) => ({ kind: "command" as const, ...command }))];
  });
}
