import { styleText } from "node:util";
import { type Io, tell, write } from "../io.ts";
import { lines } from "./escape.ts";
import { toJson } from "./json.ts";
import { at, createTable, type TableStyle } from "./table.ts";

export const formats = ["table", "json", "yaml", "jsonl"] as const;

export interface OutputOptions {
  readonly output: (typeof formats)[number];
  /** A JMESPath expression, applied to the whole answer. */
  readonly query?: string | undefined;
}

/** How the table of a command is printed. */
export interface View {
  readonly columns?: readonly string[] | undefined;
  /** The key of the list in the answer that is shown. */
  readonly rows?: string | undefined;
}

/** Whether to use colors: only on a terminal, unless NO_COLOR or FORCE_COLOR decides (no-color.org). */
export const isColored = ({ env, stdout }: Io): boolean =>
  env.FORCE_COLOR
    ? env.FORCE_COLOR !== "0"
    : stdout.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb" && !env.CI;

const styleOf = (io: Io): TableStyle => ({
  longestCell: io.stdout.isTTY ? 60 : undefined,
  bold: isColored(io) ? (text) => styleText("bold", text, { validateStream: false }) : (text) => text,
});

const batchSize = 500;

/** Prints the items of a list as they arrive, unless a JMESPath expression needs the whole list. */
export async function printItems(
  io: Io,
  items: AsyncIterable<unknown>,
  { output, query }: OutputOptions,
  view: View = {},
): Promise<void> {
  if (query !== undefined) return printValue(io, await Array.fromAsync(items), { output, query });
  if (output === "json") return printJsonList(io, items);
  if (output === "jsonl") {
    for await (const item of items) await write(io.stdout, `${toJson(item, 0)}\n`);
    return;
  }
  if (output === "yaml") {
    const { toYaml } = await import("./yaml.ts");
    let isEmpty = true;
    for await (const item of items) {
      await write(io.stdout, toYaml([item]));
      isEmpty = false;
    }
    if (isEmpty) await write(io.stdout, "[]\n");
    return;
  }
  await printRows(io, items, view.columns);
}

async function printJsonList(io: Io, items: AsyncIterable<unknown>): Promise<void> {
  let separator = "[\n";
  for await (const item of items) {
    await write(io.stdout, `${separator}${toJson(item).replaceAll(/^/gm, "  ")}`);
    separator = ",\n";
  }
  await write(io.stdout, separator === "[\n" ? "[]\n" : "\n]\n");
}

export async function printRows(
  io: Io,
  items: AsyncIterable<unknown> | Iterable<unknown>,
  columns: readonly string[] | undefined,
): Promise<void> {
  let table: ReturnType<typeof createTable> | undefined;
  let shown = columns;
  let batch: unknown[][] = [];
  for await (const item of items) {
    shown ??= Object.keys(item as object);
    batch.push(
      shown.map((column) => (columns ? at(item, column) : (item as Record<string, unknown>)[column])),
    );
    if (batch.length < batchSize) continue;
    table ??= createTable(shown, { ...styleOf(io), isBrief: true });
    await write(io.stdout, table(batch));
    batch = [];
  }
  if (!shown) return;
  table ??= createTable(shown, { ...styleOf(io), isBrief: true });
  if (batch.length > 0) await write(io.stdout, table(batch));
  else if (columns && io.stdout.isTTY) await write(io.stdout, table([]));
}

export async function printValue(
  io: Io,
  answer: unknown,
  { output, query }: OutputOptions,
  view: View = {},
): Promise<void> {
  const value = query === undefined ? answer : await select(answer, query);
  if (output === "json") return write(io.stdout, `${toJson(value)}\n`);
  if (output === "yaml") return write(io.stdout, (await import("./yaml.ts")).toYaml(value));
  if (output === "jsonl") {
    for (const item of Array.isArray(value) ? value : [value]) await write(io.stdout, `${toJson(item, 0)}\n`);
    return;
  }
  const rows = query === undefined && view.rows !== undefined ? at(value, view.rows) : undefined;
  if (Array.isArray(rows)) {
    const message = at(value, "message");
    if (typeof message === "string") await write(io.stdout, `${lines(message)}\n`);
    return printRows(io, rows, view.columns);
  }
  await printAsTable(io, value);
}

async function printAsTable(io: Io, value: unknown): Promise<void> {
  if (!Array.isArray(value)) return printOne(io, value);
  if (value.every((item) => isPlainObject(item))) return printRows(io, value, undefined);
  const table = createTable(undefined, { ...styleOf(io), longestCell: undefined });
  const rows = value.map((item) => (Array.isArray(item) ? item : [item]));
  if (rows.length > 0) await write(io.stdout, table(rows));
}

async function printOne(io: Io, value: unknown): Promise<void> {
  if (!isPlainObject(value)) return tell(io, `${lines(typeof value === "string" ? value : toJson(value))}\n`);
  // The answer of a delete or another action without a result.
  if (value.success === true && typeof value.message === "string") {
    await tell(io, `${lines(value.message)}\n`);
  }
  const about = value.success === true ? ["success", "message"] : [];
  const shown = Object.entries(value).filter(([key, item]) => !about.includes(key) && item !== null);
  const scalars = shown.filter(([, item]) => !isNested(item));
  const table = createTable(undefined, { ...styleOf(io), longestCell: undefined });
  if (scalars.length > 0) await tell(io, table(scalars));
  const { toYaml } = await import("./yaml.ts");
  for (const [key, item] of shown) if (isNested(item)) await tell(io, toYaml({ [key]: item }));
}

/** Whether a value does not fit into a cell: text of several lines, an object, or a list of objects. */
const isNested = (value: unknown): boolean =>
  typeof value === "string"
    ? value.trim().includes("\n")
    : typeof value === "object" &&
      value !== null &&
      (!Array.isArray(value) || value.some((item) => typeof item === "object" && item !== null));

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

async function select(answer: unknown, expression: string): Promise<unknown> {
  const { search } = await import("@jmespath-community/jmespath");
  const { UsageError } = await import("../usage-error.ts");
  try {
    return search(answer as Parameters<typeof search>[0], expression);
  } catch (error) {
    throw new UsageError(`--query: ${error instanceof Error ? error.message : error}`);
  }
}
