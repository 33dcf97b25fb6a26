import { createLog } from "./core/log.ts";
import { createSystem } from "./core/system.ts";
import { takeCredentials } from "./credentials.ts";
import { greeting } from "./greeting.ts";
import { engineMemoryMb, warehouseMemoryMb } from "./runtime/platforms/embedded/engine-limits.ts";
import { startServer } from "./server.ts";
import { readSettings, type Settings } from "./settings.ts";
import { startProblem } from "./start-problem.ts";

/** After SIGTERM, requests get this long to finish; then the process ends anyway. */
const drainMs = 9_000;
/** The log gets this long to be written, even if its reader is blocked. */
const flushMs = 500;

const system = createSystem();

function settingsOrExit(): Settings {
  try {
    return readSettings(takeCredentials());
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

process.on("SIGTERM", stop);
process.on("SIGINT", stop);

// npm starts us through a shell, and a SIGTERM to npm ends only that shell: then our parent changes.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || stop("npm has ended"), 500).unref();
}

// A bug in one request must not end the others: it is logged, and the process continues.
process.on("unhandledRejection", (error) => log.error({ err: error }, "unhandled rejection"));
