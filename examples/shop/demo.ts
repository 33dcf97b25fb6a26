/**
 * `npm run demo` runs the shop on a real Lakehelm: from its sources to the CRM, with an app that answers questions about orders.
 * `--fresh` starts with an empty folder; `--folder` and `--port` choose another folder and port. `--spark sc://…` runs it on a
 * Spark cluster on this machine. In a terminal the server runs until Ctrl-C.
 */
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { lockFolder } from "../../packages/server/src/core/concurrency/file-lock.ts";
import { applyProject } from "./apply-project.ts";
import { checkCrm } from "./crm-check.ts";
import { definitionsOf, readProject } from "./definitions.ts";
import { startOrderDesk } from "./order-desk.ts";
import { report } from "./report.ts";
import { type DemoServer, startDemoServer } from "./server.ts";
import { createSources, shopPaths } from "./sources.ts";
import { nameOf, runStep, type ShopStep } from "./steps.ts";
import { setTriggers } from "./triggers.ts";

const defaultFolder = resolve(import.meta.dirname, ".demo");
/** In a terminal, keep the server running so that you can explore it. */
const keepsRunning = process.stdout.isTTY;
let server: DemoServer | undefined;

async function runDemo(): Promise<void> {
  const { fresh, folder, port, spark, token } = readOptions();
  if (fresh) await clean(folder);
  await mkdir(folder, { recursive: true });
  await createSources(folder);
  const startedAt = new Date();
  const { lakehelm, staging } = shopPaths(folder);
  if (spark !== undefined) await mkdir(staging, { recursive: true });
  const cluster = spark === undefined ? undefined : { remote: spark, token, staging };
  server = await startDemoServer(lakehelm, { port, spark: cluster });
  const project = await readProject(folder);
  const applied = await applyProject(server, project);
  if (applied.isNew) await setTriggers(server.client, "pause");
  const steps: ShopStep[] = [];
  for (const definition of definitionsOf(project)) {
    // On a cluster, each step takes seconds.
    if (spark !== undefined) console.log(`  running ${nameOf(definition)} …`);
    steps.push(await runStep(server.client, definition, startedAt));
  }
  if (applied.isNew) await setTriggers(server.client, "resume");
  const check = checkCrm(folder);
  if (check.differences > 0) {
    throw new Error(
      `crm.db does not match the sources: ${check.differences} rows differ. Start over with "npm run demo -- --fresh".`,
    );
  }
  const desk = await startOrderDesk(server);
  console.log(report({ folder, applied, steps, check, desk, server: keepsRunning ? server : undefined }));
}

function readOptions() {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      fresh: { type: "boolean" },
      folder: { type: "string" },
      port: { type: "string" },
      spark: { type: "string" },
      token: { type: "string", default: "lakehelm" },
    },
  });
  return { ...values, folder: resolve(values.folder ?? defaultFolder) };
}

/** Deletes the demo's own files and nothing else. Fails if a server uses the folder. */
async function clean(folder: string): Promise<void> {
  const paths = shopPaths(folder);
  if (existsSync(paths.lakehelm)) lockFolder(paths.lakehelm).release();
  for (const path of Object.values(paths)) await rm(path, { recursive: true, force: true });
}

let isDone = false;
let isExiting = false;

async function exit(code: number): Promise<void> {
  if (isExiting) return;
  isExiting = true;
  await server?.stop();
  process.exit(code);
}

const interrupt = () => void exit(isDone ? 0 : 1);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, interrupt);
// A SIGTERM to npm ends only the shell between npm and this process. The change of this process's parent shows that.
const parent = process.ppid;
setInterval(() => process.ppid === parent || interrupt(), 500).unref();

try {
  await runDemo();
  isDone = true;
  if (!keepsRunning) await exit(0);
} catch (error) {
  if (!isExiting) console.error(`The demo failed. ${(error as Error).message}`);
  await exit(1);
}
