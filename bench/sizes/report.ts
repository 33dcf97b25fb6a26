import { availableParallelism, totalmem } from "node:os";
import type { LoadResult } from "./transfers.ts";

export interface SizeLine extends LoadResult {
  readonly system: string;
  readonly direction: "in" | "out";
  readonly hasWatermark: boolean;
  readonly load: "first load" | "1 % changed";
}

const count = (n: number) => Math.round(n).toLocaleString("en");

export function sizesReport(
  rows: number,
  memoryMb: number,
  lines: readonly SizeLine[],
  failures: readonly string[],
): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `# Sizes

Written by \`npm run bench:sizes -- --write=1\` on a virtual machine with ${availableParallelism()} cores and ${gigabytes} GB, Linux ${process.arch}, Node ${process.version}: ${count(rows)} rows of 13
columns, with \`PLATFORM_WAREHOUSE_MEMORY_MB=${memoryMb}\`. Every line is one run of a connector with the write strategy \`upsert\`. The
second load follows a change of one row in a hundred. After it, counts and sums of all rows are compared with those of the
source. The peak memory is that of the server and its engine, during this run.

| system | direction | watermark | load | rows read | rows written | seconds | peak memory |
|---|---|---|---|---|---|---|---|
${lines.map(lineOf).join("\n")}

${failures.length === 0 ? "Everything arrived." : `Failed:\n\n${failures.map((one) => `- ${one}`).join("\n")}`}
`;
}

const lineOf = (line: SizeLine): string =>
  `| ${line.system} | ${line.direction} | ${line.hasWatermark ? "yes" : "no"} | ${line.load} | ${count(line.rowsRead)} | ${count(line.rowsWritten)} | ${(line.ms / 1000).toFixed(1)} | ${count(line.peakMb)} MB |`;
