import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { type Client, createClient } from "@lakehelm/contract/client";
import { startServer } from "../../packages/server/src/compose.ts";
import { pooledRandom, uuidV7 } from "../../packages/server/src/core/ids.ts";
import { createLog } from "../../packages/server/src/core/log.ts";
import { readSettings } from "../../packages/server/src/settings.ts";

export interface Lakehelm {
  readonly url: string;
  readonly client: Client;
  readonly token: string;
  /** The file with the token that its callers need. */
  readonly tokenPath: string;
  stop(): Promise<void>;
}

/** A real server in this process, whose settings are these alone: those of the environment are for `npm start`. */
export async function startLakehelm(dataDir: string, port: string | undefined): Promise<Lakehelm> {
  const settings = readSettings({
    PORT: port ?? (await usualPort(8000)),
    APPS_PORT: port === undefined ? await usualPort(8001) : "0",
    PLATFORM_DATA_DIR: dataDir,
    PLATFORM_LOG_LEVEL: "warn",
  });
  const random = pooledRandom(randomBytes);
  const nature = { now: () => new Date(), newId: uuidV7(Date.now, random), randomBytes: random };
  const { url, madeToken, stop } = await startServer(settings, { nature, log: createLog(settings) });
  if (!madeToken) throw new Error("The server has made no token.");
  const client = createClient({ baseUrl: url, token: madeToken.token });
  return { url, client, token: madeToken.token, tokenPath: madeToken.path, stop };
}

/** The port that the documents name; any free one where somebody has that. */
async function usualPort(port: number): Promise<string> {
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
