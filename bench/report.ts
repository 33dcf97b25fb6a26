import { availableParallelism, totalmem } from "node:os";
import { type CodegenResults, growthSizes } from "./codegen.ts";
import type { Row } from "./comparison.ts";
import { groupSize } from "./durable.ts";
import type { Growth } from "./growth.ts";
import { type PlanTimes, plansReport } from "./plans.ts";
import { postgresBar } from "./postgres.ts";
import type { WorkspaceRequests } from "./workspace.ts";

interface Results {
  readonly rows: readonly Row[];
  readonly growth: readonly Growth[];
  readonly plans: PlanTimes;
  readonly workspace: WorkspaceRequests;
  readonly codegen: CodegenResults;
  readonly startMs: number;
  readonly idle: {
    readonly memoryMb: number;
    readonly cpuPercent: number;
    /** The processor use of an idle server on PostgreSQL. */
    readonly onPostgres: number;
    readonly firstMemoryMb: number;
    readonly firstStartMs: number;
  };
}

const count = (n: number) => Math.round(n).toLocaleString("en");
const percent = (n: number) => `${Math.round(n * 100)} %`;
const verdict = (ok: boolean) => (ok ? "reached" : "**missed**");

export function report({ rows, growth, plans, workspace, codegen, startMs, idle }: Results): string {
  const [reads, writes] = [rows.filter(isRead), rows.filter((row) => !isRead(row))];
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `# Measurements

Written by \`npm run bench\` on a virtual machine with ${availableParallelism()} cores and ${gigabytes} GB, Linux ${process.arch}, Node ${process.version}. Load
and server share the cores, over 32 keep-alive connections. Each round measures ours and the others seconds apart; the tables
have the medians of all rounds, and each ratio is the median of the ratios within a round. [results.json](results.json) has the ratios that \`npm run bench -- --check\` compares.

## Requests that write nothing

The floor is \`node:http\` alone, sending the same prepared bytes.

| what | ours /s | p50 ms | p99 ms | CPU µs | floor /s | ratio | bar | |
|---|---|---|---|---|---|---|---|---|
${reads.map(readLine).join("\n")}

## Durable writes

The floor is \`node:sqlite\` alone. It writes the same rows (of a create: connector, job, lineage, event, position and tallies) into a copy
of the same database, with the same indexes and the same durability, one fsync for each write. It has no HTTP, no validation
and nothing to read. The grouped floor does the same with one fsync for ${groupSize} writes: our own group commit with 32 connections is
between the two. The peer is [peer/server.py](peer/server.py): FastAPI and SQLAlchemy on SQLite, the same requests with the same rows and the
same durability. The bars: ${percent(0.6)} of the floor, 6 times the peer.

On PostgreSQL the floor is \`pg\` alone: the same inserted and updated rows (of a create: connector, job, lineage and event) from 32
connections, a transaction for each write. It counts neither positions nor tallies, which admit one transaction at a time.
The grouped floor writes ${groupSize} at once from one connection, of a create with one insert for each table. Processor time is that of
server and database. The bar: ${percent(postgresBar)} of the floor.

| what | ours /s | p50 ms | p99 ms | CPU µs | floor /s | ratio | | grouped floor /s | ratio | peer /s | ratio | |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
${writes.map(writeLine).join("\n")}

## Growth

| connectors | list of 100 /s | the same, skip 10,000 /s | creates /s |
|---|---|---|---|
${growth.map(({ size, list, deep, create }) => `| ${count(size)} | ${count(list)} | ${count(deep)} | ${count(create)} |`).join("\n")}

${growthVerdicts(growth)}

${plansReport(plans)}

${workspaceReport(workspace)}
## Start and idle

| | measured | bar | |
|---|---|---|---|
| start to first answer | ${count(startMs)} ms | 1,000 ms | ${verdict(startMs < 1000)} |
| idle memory | ${count(idle.memoryMb)} MB | 120 MB | ${verdict(idle.memoryMb < 120)} |
| the first start after an install | ${count(idle.firstStartMs)} ms, ${count(idle.firstMemoryMb)} MB | | |
| idle processor | ${idle.cpuPercent.toFixed(2)} % | 0.5 % | ${verdict(idle.cpuPercent < 0.5)} |
| the same on PostgreSQL | ${idle.onPostgres.toFixed(2)} % | 0.3 % | ${verdict(idle.onPostgres < 0.3)} |

The first start strips the types of every file and keeps the type stripper in memory. Later starts read Node's compile cache.
${codegenReport(codegen)}`;
}

/** The results are numbers of requests, so they do not depend on the machine. */
export function workspaceReport(measured: WorkspaceRequests): string {
  const { connectors, created, atStart, writesAtStart, atRest, following } = measured;
  return `## Requests to a workspace

${count(connectors)} connectors of the platform \`databricks\`, each with its job, its notebook and its secrets, in a stand-in of a workspace.

| | requests | bar | |
|---|---|---|---|
| create a connector | ${created.toFixed(1)} | | |
| 75 seconds from a start, with one look for drift | ${count(atStart)} | | |
| of these, requests that write | ${count(writesAtStart)} | 0 | ${verdict(writesAtStart === 0)} |
| a minute at rest | ${count(atRest)} | | |
| a second with 100 active runs | ${following.toFixed(2)} | 2 | ${verdict(following < 2)} |
`;
}

/** Every response contains all its evidence. The bars are times, so they apply to the machine named above. */
function codegenReport({ coldMs, warm, growth, waits }: CodegenResults): string {
  const ms = (n: number) => `${n.toFixed(1)} ms`;
  const largest = Math.max(...growth.map((one) => one.ms.at(-1) ?? 0));
  return `
## Code generation

One request after the other over one connection, each with all its evidence. The first request after a start, which
also loads the parsers, took ${count(coldMs)} ms.

| typical request | /s | p50 ms | p99 ms | bar | |
|---|---|---|---|---|---|
${warm.map(({ name, measured }) => `| ${name} | ${count(measured.perSecond)} | ${measured.p50.toFixed(1)} | ${measured.p99.toFixed(1)} | 25 ms | ${verdict(measured.p99 < 25)} |`).join("\n")}

| columns or tables | ${growthSizes.map(count).join(" | ")} |
|---|${growthSizes.map(() => "---|").join("")}
${growth.map((one) => `| ${one.name} | ${one.ms.map(ms).join(" | ")} |`).join("\n")}

The largest took ${ms(largest)} (bar 2,000 ms: ${verdict(largest < 2000)}). While these were generated, the slowest \`GET /health\` of
another caller took ${ms(waits.busy)}, ${ms(waits.idle)} when nothing else ran (bar 50 ms: ${verdict(waits.busy < 50)}).
`;
}

const isRead = ({ grouped }: Row) => grouped === undefined;

const cells = (...texts: string[]) => `| ${texts.join(" | ")} |`;
const oursOf = ({ name, ours }: Row) => [
  name,
  count(ours.perSecond),
  ours.p50.toFixed(2),
  ours.p99.toFixed(2),
  count(ours.cpuMicros),
];
const judged = (ratio: number, bar: number | undefined) => (bar === undefined ? "" : verdict(ratio >= bar));

function readLine(row: Row): string {
  const { floor, ratios, bar } = row;
  const target = bar === undefined ? "" : percent(bar);
  return cells(...oursOf(row), count(floor), percent(ratios.floor), target, judged(ratios.floor, bar));
}

function writeLine(row: Row): string {
  const { floor, grouped = 0, peer, ratios, bar, peerBar } = row;
  const beside =
    peer === undefined || ratios.peer === undefined
      ? ["not measured", "", ""]
      : [count(peer), `${ratios.peer.toFixed(1)} ×`, judged(ratios.peer, peerBar)];
  return cells(
    ...oursOf(row),
    count(floor),
    percent(ratios.floor),
    judged(ratios.floor, bar),
    count(grouped),
    percent(ratios.grouped ?? 0),
    ...beside,
  );
}

function growthVerdicts(growth: Results["growth"]): string {
  const small = growth.find(({ size }) => size === 10_000);
  const large = growth.find(({ size }) => size === 1_000_000);
  if (!small || !large) return "";
  const kept = large.list / small.list;
  const deep = large.deep / large.list;
  return [
    `At a million connectors the list of 100 has ${percent(kept)} of its speed at 10 thousand (bar 90 %: ${verdict(kept >= 0.9)}),`,
    `and with \`skip\` 10,000 ${percent(deep)} of its speed without (bar 50 %: ${verdict(deep >= 0.5)}).`,
  ].join("\n");
}
