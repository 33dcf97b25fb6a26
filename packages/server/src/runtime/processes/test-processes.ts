import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { pino } from "pino";
import { appProcess } from "../../core/processes.ts";
import { openVault } from "../../core/secrets/vault.ts";
import { migrate } from "../../core/store/migrate.ts";
import { createSystem } from "../../core/system.ts";
import { copyFiles } from "../../resources/files/copy-files.ts";
import { readSettings } from "../../settings.ts";
import { newId, testDatabase, testStoreOn } from "../../testing/store.ts";
import { tinyProgram } from "../../testing/tiny-program.ts";
import { createOwnPorts } from "../outbound/own-ports.ts";
import type { Observation } from "../platforms/platform.ts";
import { createConfinement } from "./confinement/confinement.ts";
import { variablePrefix } from "./confinement/sandbox-scripts.ts";
import { createOutputArchive } from "./log-archive.ts";
import { withVariable } from "./operating-system.ts";
import type { Processes } from "./processes.ts";
import { createProcesses } from "./supervisor.ts";
import { type ProcessTiming, processTiming } from "./timing.ts";
import { markPrefix, markVariable } from "./variables.ts";

/** The default timings, but fast: what takes minutes takes a second. */
const quick: ProcessTiming = {
  ...processTiming(10),
  startPollMs: 20,
  healthMs: 50,
  healthTimeoutMs: 200,
  checkMs: 100,
  backoffMs: 50,
  drainMs: 2_000,
  termMs: 2_000,
};

/** The programs among some processes. A process that still confines a program has prefixed variables. */
export async function programsAmong<One extends { readonly pid: number }>(
  all: readonly One[],
): Promise<One[]> {
  const found = await Promise.all(
    all.map(async (one) => {
      const text = await readFile(`/proc/${one.pid}/environ`, "utf8").catch(() => "");
      // A process that has ended has no variables.
      const isProgram =
        text !== "" && !text.startsWith(variablePrefix) && !text.includes(`\0${variablePrefix}`);
      return isProgram ? [one] : [];
    }),
  );
  return found.flat();
}

/** Translates the pid that a process has in its own namespace to its pid on the machine, which is one of `pids`. */
async function ownPid(inside: unknown, pids: readonly number[]): Promise<number | undefined> {
  for (const pid of pids) {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    const [, numbers = ""] = /^NSpid:\s+(.*)$/m.exec(status) ?? [];
    if (Number(numbers.split("\t").at(-1)) === inside) return pid;
  }
  return undefined;
}

/** Processes on their own store, without a server; they end with the test. */
export async function testProcesses(
  t: TestContext,
  { timing = {} }: { readonly timing?: Partial<ProcessTiming> } = {},
) {
  // Registered first, because the files of running processes cannot be removed.
  const opened: Pick<Processes, "leave">[] = [];
  t.after(() => Promise.all(opened.map((processes) => processes.leave(0))));
  const database = await testDatabase(t, "sqlite");
  const engine = await database.open();
  await migrate(engine);
  const store = testStoreOn(engine);
  const dataDir = join(database.folder, "data");
  const system = { ...createSystem(), newId };
  const settings = readSettings({ PLATFORM_PROCESS_MEMORY_MB: "200", PLATFORM_TOKEN_TTL_SECONDS: "2" });
  const deps = { settings, store, system, vault: openVault("a key for tests alone", randomBytes) };
  const dataFolderId = randomUUID();
  const observations: Observation[] = [];
  const secrets = new Map([["crm/key", "s3cret"]]);

  function open(isPaused = () => false) {
    const processes = createProcesses(deps, {
      dataDir,
      dataFolderId,
      url: () => "http://127.0.0.1:1",
      issueToken: async (subject) => `token of ${subject} ${newId()}`,
      copyCode: (_, path, to) => copyFiles(join(database.folder, "workspace", path), to),
      secretOf: async (_, scope, key) => secrets.get(`${scope}/${key}`),
      missingSecret: async (_, scope, key) => `There is no secret ${scope}/${key} in this environment.`,
      onObservation: async (_, observation) => void observations.push(observation),
      ownPorts: createOwnPorts(() => {}),
      olderOutput: createOutputArchive(deps, undefined, pino({ level: "silent" })),
      confinement: createConfinement(settings, { dataDir }),
      isPaused,
      log: pino({ level: "silent" }),
      timing: { ...quick, ...timing },
    });
    opened.push(processes);
    return processes;
  }

  async function write(files: Readonly<Record<string, string>>, path = "tiny"): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(database.folder, "workspace", path), { recursive: true });
      await writeFile(join(database.folder, "workspace", path, name), text);
    }
  }
  await write({ "app.yaml": "command: [node, app.mjs]\n", "app.mjs": tinyProgram() });
  const processes = open();
  await processes.takeOver();
  const id = appProcess("one");
  const order = { id, environmentId: "env", name: "tiny", sourcePath: "tiny" };
  let requests = 0;
  const requestedAt = () => String(requests++).padStart(9, "0");

  /**
   * The pids on the machine of all programs of this data folder. If there are none: the pids of the processes that
   * confine programs.
   */
  async function programPids(): Promise<number[]> {
    const marked = await withVariable(markVariable, markPrefix(dataFolderId, dataDir));
    const programs = await programsAmong(marked);
    return (programs.length > 0 ? programs : marked).map(({ pid }) => pid);
  }

  /** Sends a request to the process; undefined if it does not respond. */
  async function ask(path: string, of = processes): Promise<unknown> {
    const acquired = of.acquire(id);
    if (!acquired) return undefined;
    try {
      const answer = await (await fetch(`http://127.0.0.1:${acquired.port}${path}`)).json();
      return path === "/pid" ? await ownPid(answer, await programPids()) : answer;
    } catch {
      return undefined;
    } finally {
      acquired.release();
    }
  }

  return {
    processes,
    /** Another instance on the same folder and store, like the next server. */
    open,
    write,
    id,
    dataDir,
    observations,
    secrets,
    ask,
    deploy: (deploy = newId(), of = processes, at = requestedAt()) =>
      of.deploy({ ...order, deploy, requestedAt: at }),
    stop: (of = processes, at = requestedAt()) => of.stop({ id, environmentId: "env", requestedAt: at }),
    requestedAt,
    pids: programPids,
    lines: async () => (await processes.log(id).read(undefined, 1000)).lines.map(({ line }) => line),
  };
}
