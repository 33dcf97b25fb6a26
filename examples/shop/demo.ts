/**
 * `npm run demo`: the shop on a real Lakehelm, from its sources to the CRM, and an app that answers questions about it. `--fresh` begins anew; `--folder` and `--port` say
 * where. In a terminal it goes on serving until Ctrl-C.
 */
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { takeLease } from "../../packages/server/src/core/concurrency/file-lock.ts";
import { checkCrm } from "./check.ts";
import { definitionsFor } from "./definitions.ts";
import { openDesk } from "./desk.ts";
import { type Lakehelm, startLakehelm } from "./lakehelm.ts";
import { releaseRefreshing } from "./refreshing.ts";
import { makeSources, placesIn } from "./sources.ts";
import { type Step, takeStep } from "./steps.ts";
import { story } from "./story.ts";
import { copyCode } from "./workspace.ts";

const usualFolder = resolve(import.meta.dirname, ".demo");
/** In a terminal somebody may want to look around. */
const isServing = process.stdout.isTTY;
let lakehelm: Lakehelm | undefined;

async function demo(): Promise<void> {
  const { fresh, folder, port } = readOptions();
  if (fresh) await empty(folder);
  await mkdir(folder, { recursive: true });
  await makeSources(folder);
  const began = new Date();
  lakehelm = await startLakehelm(placesIn(folder).lakehelm, port);
  await copyCode(lakehelm.client);
  const steps: Step[] = [];
  for (const definition of await definitionsFor(folder)) {
    steps.push(await takeStep(lakehelm.client, definition, began));
  }
  await releaseRefreshing(lakehelm);
  const checked = checkCrm(folder);
  if (checked.differences > 0) {
    throw new Error(
      `crm.db does not have what the sources say: ${checked.differences} rows differ. "npm run demo -- --fresh" begins anew.`,
    );
  }
  const desk = await openDesk(lakehelm);
  console.log(story({ folder, steps, checked, desk, lakehelm: isServing ? lakehelm : undefined }));
}

function readOptions() {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { fresh: { type: "boolean" }, folder: { type: "string" }, port: { type: "string" } },
  });
  return { ...values, folder: resolve(values.folder ?? usualFolder) };
}

/** Removes what the demo has made there, and nothing else; not while a server works on it. */
async function empty(folder: string): Promise<void> {
  const places = placesIn(folder);
  if (existsSync(places.lakehelm)) takeLease(places.lakehelm).release();
  for (const place of Object.values(places)) await rm(place, { recursive: true, force: true });
}

let isTold = false;
let isEnding = false;

async function end(code: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  await lakehelm?.stop();
  process.exit(code);
}

const interrupt = () => void end(isTold ? 0 : 1);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, interrupt);
// A SIGTERM to npm ends only the shell between it and us: then we have a new parent.
const parent = process.ppid;
setInterval(() => process.ppid === parent || interrupt(), 500).unref();

try {
  await demo();
  isTold = true;
  if (!isServing) await end(0);
} catch (error) {
  if (!isEnding) console.error(`The demo did not work out. ${(error as Error).message}`);
  await end(1);
}
