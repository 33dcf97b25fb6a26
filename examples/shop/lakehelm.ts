import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { type Client, createClient } from "@lakehelm/contract/client";
import { pooledRandom, uuidV7 } from "../../packages/server/src/ids.ts";
import { createLog } from "../../packages/server/src/log.ts";
import { startServer } from "../../packages/server/src/server.ts";
import { readSettings } from "../../packages/server/src/settings.ts";

export interface Lakehelm {
  readonly url: string;
  readonly client: Client;
  /** The file with the token that its callers need. */
  readonly tokenPath: string;
  stop(): Promise<void>;
}

/** A real server in this process, whose settings are these alone: those of the environment are for `npm start`. */
export async function startLakehelm(dataDir: string, port: string | undefined): Promise<Lakehelm> {
  const settings = readSettings({
    PORT: port ?? (await usualPort()),
    PLATFORM_DATA_DIR: dataDir,
    PLATFORM_LOG_LEVEL: "warn",
  });
  const random = pooledRandom(randomBytes);
  const nature = { now: () => new Date(), newId: uuidV7(Date.now, random), randomBytes: random };
  const { url, madeToken, stop } = await startServer(settings, { nature, log: createLog(settings) });
  if (!madeToken) throw new Error("The server has made no token.");
  const client = createClient({ baseUrl: url, token: madeToken.token });
  return { url, client, tokenPath: madeToken.path, stop };
}

/** 8000, as the documents say; any free one where somebody has that. */
async function usualPort(): Promise<string> {
  const probe = createServer();
  try {
    await once(probe.listen(8000, "127.0.0.1"), "listening");
    return "8000";
  } catch {
    return "0";
  } finally {
    probe.close();
  }
}
