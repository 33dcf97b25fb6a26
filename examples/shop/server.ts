import { once } from "node:events";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { type Client, createClient } from "@lakehelm/contract/client";
import { createLog } from "../../packages/server/src/core/log.ts";
import { createSystem } from "../../packages/server/src/core/system.ts";
import { startServer } from "../../packages/server/src/server.ts";
import { readSettings } from "../../packages/server/src/settings.ts";
import { type SparkCluster, sparkEnvironment } from "./spark-environment.ts";

export interface DemoServer {
  readonly url: string;
  readonly client: Client;
  readonly token: string;
  /** The name of the shop's environment. */
  readonly environment: string;
  readonly tokenPath: string;
  /** A link that signs in to the console once, within 15 minutes. */
  readonly consoleLink: string | undefined;
  stop(): Promise<void>;
}

export interface DemoServerOptions {
  readonly port?: string | undefined;
  /** The Spark cluster for the shop; absent: the shop runs on the embedded platform. */
  readonly spark?: SparkCluster | undefined;
}

/** Starts a real server in this process. It ignores settings in environment variables, which are for `npm start`. */
export async function startDemoServer(
  dataDir: string,
  { port, spark }: DemoServerOptions,
): Promise<DemoServer> {
  const settings = readSettings({
    PORT: port ?? (await preferredPort(8000)),
    APPS_PORT: port === undefined ? await preferredPort(8001) : "0",
    PLATFORM_DATA_DIR: dataDir,
    // The files of the shop are beside the data folder.
    PLATFORM_CONNECTOR_FOLDERS: dirname(dataDir),
    PLATFORM_LOG_LEVEL: "warn",
  });
  const { url, madeToken, consoleLink, stop } = await startServer(settings, {
    system: createSystem(),
    log: createLog(settings).log,
  });
  if (!madeToken) throw new Error("The server generated no token.");
  const connection = { baseUrl: url, token: madeToken.token };
  const environment = spark ? await sparkEnvironment(createClient(connection), spark) : "local";
  const client = createClient({ ...connection, environment });
  return { url, client, token: madeToken.token, environment, tokenPath: madeToken.path, consoleLink, stop };
}

/** The port if it is free, otherwise 0 for any free port. */
async function preferredPort(port: number): Promise<string> {
  const probe = createServer();
  try {
    await once(probe.listen(port, "127.0.0.1"), "listening");
    return String(port);
  } catch {
    return "0";
  } finally {
    probe.close();
  }
}
