import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";
import type { LoadResult } from "./transfers.ts";

export interface SizeLine extends LoadResult {
  readonly rows: number;
  readonly memoryMb: number;
  readonly system: string;
  readonly direction: "in" | "out";
  readonly hasWatermark: boolean;
  readonly load: "first load" | "1 % changed";
  /** Whether counts and sums were compared afterwards. If they differed, there would be no line. */
  readonly isCompared: boolean;
  /** A handwritten note for readers of the line. */
  readonly note?: string;
}

const results = new URL("../sizes.json", import.meta.url);
const page = new URL("../sizes.md", import.meta.url);

/** Replaces lines of the same system, size, direction, watermark and load. The page is printed from all lines. */
export async function keepLines(lines: readonly SizeLine[]): Promise<void> {
  const before: readonly SizeLine[] = JSON.parse(await readFile(results, "utf8").catch(() => "[]"));
  const byName = new Map([...before, ...lines].map((line) => [nameOf(line), line]));
  const kept = [...byName.values()].toSorted(
    (left, right) => right.rows - left.rows || placeOf(left).localeCompare(placeOf(right)),
  );
  await writeFile(results, `${JSON.stringify(kept, inTenths, 2)}\n`);
  await writeFile(page, sizesReport(kept));
}

const inTenths = (_: string, value: unknown): unknown =>
  typeof value === "number" ? Math.round(value * 10) / 10 : value;

/** The order of the lines of a system: with a watermark first, the first load out and in, then the second load. */
const placeOf = ({ system, hasWatermark, load, direction }: SizeLine): string =>
  [system, hasWatermark ? 0 : 1, load === "first load" ? 0 : 1, direction === "out" ? 0 : 1].join(" ");

const nameOf = ({ rows, system, direction, hasWatermark, load }: SizeLine): string =>
  [rows, system, direction, hasWatermark, load].join(" ");

const count = (n: number) => Math.round(n).toLocaleString("en");

const named = (systems: ReadonlySet<string>) => [...systems].sort().join(", ");

const notCompared = `
Lines without a tick are of an earlier version of the measurement, which did not compare after that load.`;

function sizesReport(lines: readonly SizeLine[]): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const tables = [...Map.groupBy(lines, ({ rows }) => rows)].toSorted(([left], [right]) => right - left);
  const [[largest, tried] = [0, []]] = tables;
  const untried = new Set(lines.map(({ system }) => system)).difference(
    new Set(tried.map(({ system }) => system)),
  );
  const loadedOnce = new Set(tried.map(({ system }) => system)).difference(
    new Set(tried.filter(({ load }) => load === "1 % changed").map(({ system }) => system)),
  );
  const missing = [
    ...(untried.size === 0 ? [] : [`Not tried with ${count(largest)} rows: ${named(untried)}.`]),
    ...(loadedOnce.size === 0
      ? []
      : [`Without a second load of ${count(largest)} rows: ${named(loadedOnce)}.`]),
  ];
  const isAllCompared = lines.every(({ isCompared }) => isCompared);
  return `# Sizes

Written by \`npm run bench:sizes -- --write\` on a virtual machine with ${availableParallelism()} cores and ${gigabytes} GB, Linux ${process.arch}, Node ${process.version}.
Other work ran on the machine meanwhile: where the seconds are far more than the processor time of server and engine, the run
waited for that, or for the other system. The table has 13 columns; 10 million rows are 2 GB. Every line is one run of a connector
with the write strategy \`upsert\`. The second load follows a change of one row in a hundred. A file is read whole if it has
changed, so all of its rows are read and written again with the watermark \`_file_modified\`. After each load, counts and sums of
all rows are compared with those of the source: a system is listed only if they were equal.${isAllCompared ? "" : notCompared} The memory is the peak
of the engine process during the run; the limit is \`PLATFORM_ENGINE_MEMORY_MB\`, and the server ends an engine that uses a quarter
more. The engine keeps running between the runs.
${missing.map((line) => `\n${line}\n`).join("")}
${tables.map(([rows, of]) => table(rows, of)).join("\n\n")}
`;
}

const heads = [
  "system",
  "direction",
  "watermark",
  "load",
  "rows read",
  "rows written",
  "seconds",
  "processor",
];

function table(rows: number, lines: readonly SizeLine[]): string {
  const notes = new Set(
    lines.flatMap(({ system, note }) => (note === undefined ? [] : `- ${system}: ${note}`)),
  );
  const cells = [[...heads, "engine's memory", "limit", "compared"], ...lines.map(lineOf)];
  return [`## ${count(rows)} rows`, formatted(cells), [...notes].join("\n")].filter(Boolean).join("\n\n");
}

const lineOf = (line: SizeLine): string[] => [
  ...[line.system, line.direction, line.hasWatermark ? "yes" : "no", line.load],
  ...[count(line.rowsRead), count(line.rowsWritten), (line.ms / 1000).toFixed(1)],
  line.cpuSeconds === undefined ? "" : `${line.cpuSeconds.toFixed(1)} s`,
  ...[`${count(line.engineMb)} MB`, `${count(line.memoryMb)} MB`],
  line.isCompared ? "✓" : "",
];

/** A table in the form that the formatter produces. */
function formatted([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, at) => (row[at] ?? "").padEnd(width)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
