import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below the ports that operating systems assign to outgoing connections: one of those may be taken before a test uses
 * it.
 */
const [lowest, highest] = [20_000, 30_000];

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest);
    if (await isFree(port)) return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
      .once("error", () => resolve(false))
      .listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
