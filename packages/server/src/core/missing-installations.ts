import type { Logger } from "pino";
import { isInKeyring, storedOnce } from "./secrets/keyring.ts";
import type { ChangeContext, Store } from "./store/store.ts";

/**
 * Versions before the schema "release designs, deliveries and processes" recorded some resources as running that nothing
 * ran: connectors had no job, releases no schedule, apps and agents no process. They are installed once, at the start.
 */
const done = "missing installations 1";

export interface InstallationCount {
  readonly installed: number;
  /** Could not be installed now, for example in an inactive environment: the next start tries again. */
  readonly left: number;
}

/** Installs the resources that an earlier version recorded but did not install. */
export type InstallMissing = (context: ChangeContext) => Promise<InstallationCount>;

export async function installMissing(
  store: Store,
  tasks: readonly (InstallMissing | undefined)[],
  context: ChangeContext,
  log: Pick<Logger, "info" | "warn">,
): Promise<void> {
  if (await isInKeyring(store, done)) return;
  let installed = 0;
  let left = 0;
  for (const task of tasks) {
    const count = await task?.(context);
    installed += count?.installed ?? 0;
    left += count?.left ?? 0;
  }
  if (installed > 0) log.info({ resources: installed }, "resources of an earlier version were installed");
  if (left === 0) await storedOnce(store, done, context.time);
  else log.warn({ resources: left }, "resources of an earlier version could not be installed yet");
}
