import { createLog } from "./core/log.ts";
import { createSystem } from "./core/system.ts";
import { credentialFilesIn, makeUndumpable, takeCredentials } from "./credentials.ts";
import { greeting } from "./greeting.ts";
import { engineMemoryMb, warehouseMemoryMb } from "./runtime/platforms/embedded/engine-limits.ts";
import { programsOff } from "./runtime/processes/confinement/confinement.ts";
import { startServer } from "./server.ts";
import { readSettings, type Settings } from "./settings.ts";
import { startProblem } from "./start-problem.ts";

/** After SIGTERM, requests get this time to finish; then the process ends. */
const drainMs = 9_000;
/** The time for writing the log at the end, even if its reader is blocked. */
const flushMs = 500;

makeUndumpable();
const system = createSystem();

function settingsOrExit(): Settings {
  try {
    const variables = takeCredentials();
    return readSettings(variables, credentialFilesIn(variables));
  } catch (error) {
    return exit((error as Error).message);
  }
}

function exit(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

const settings = settingsOrExit();
const { log, output } = createLog(settings);
const server = await startServer(settings, { system, log, droppedLogLines: output.dropped }).catch(
  async (error: Error) => {
    await output.flush(flushMs);
    return exit(`Lakehelm did not start. ${startProblem(error)}`);
  },
);

if (settings.PLATFORM_ENV === "production")
  log.info(
    {
      url: server.url,
      apps: server.appsUrl,
      ...(server.consoleLink !== undefined && { console: server.consoleLink }),
      folders: server.connectorFolders,
      warehouseMemoryMb: warehouseMemoryMb(settings),
      engineMemoryMb: engineMemoryMb(settings),
    },
    "listening",
  );
else output.write(`${greeting(server, settings)}\n`);

// Determined here, not when the first program starts, because operators read the log of a start.
void server.programs.mode().then(async (mode) => {
  if (mode === "none") log.warn(programsOff);
  else if (mode === "unconfined")
    log.warn("programs of callers are not confined: they can do what the server can");
  else {
    const problem = await server.programs.limitsProblem();
    log.info(
      { programs: mode, limits: problem === undefined ? "cgroup" : `measured: ${problem}` },
      "programs of callers are confined",
    );
  }
});

let stops = false;

async function stop(why: string): Promise<void> {
  if (stops) return;
  stops = true;
  log.info({ why }, "stopping");
  setTimeout(async () => {
    log.warn("requests did not finish in time");
    await output.flush(flushMs);
    process.exit(0);
  }, drainMs).unref();
  await server.stop();
  await output.flush(flushMs);
  process.exit(0);
}

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, stop);

// npm starts the server through a shell, and a SIGTERM to npm ends only that shell. The server notices by its changed
// parent.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || stop("npm has ended"), 500).unref();
}

// A bug in one request must not end the others: it is logged, and the process continues.
process.on("unhandledRejection", (error) => log.error({ err: error }, "unhandled rejection"));
