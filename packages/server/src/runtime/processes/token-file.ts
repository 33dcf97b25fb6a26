import { rename, writeFile } from "node:fs/promises";

/** The maximum delay of a timer. */
const maxDelayMs = 2 ** 31 - 1;

export interface TokenFile {
  /** Replaces the token after half of its lifetime, until it is stopped. */
  keep(): Promise<void>;
  stop(): void;
}

/** A token in a file that always contains a complete token; only its reader and this server may read it. */
export function tokenFile(
  path: string,
  ttlSeconds: number,
  issue: () => Promise<string>,
  own: (path: string) => Promise<void>,
  onError: (error: unknown) => void,
): TokenFile {
  let timer: NodeJS.Timeout | undefined;
  async function write(): Promise<void> {
    await writeFile(`${path}.new`, await issue(), { mode: 0o600 });
    await own(`${path}.new`);
    await rename(`${path}.new`, path);
  }
  const stop = () => clearInterval(timer);
  return {
    async keep() {
      stop();
      await write();
      timer = setInterval(() => write().catch(onError), Math.min(ttlSeconds * 500, maxDelayMs)).unref();
    },
    stop,
  };
}
