import { Problem } from "../../core/errors.ts";
import type { InstallationCount } from "../../core/missing-installations.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type { Processes } from "../../runtime/processes/processes.ts";
import type { Environments } from "../environments/environments.ts";
import type { PlatformTask } from "./component-deployment.ts";

/** An endpoint or app that is recorded as running. */
interface RecordedProcess {
  readonly processId: string;
  readonly environmentId: string;
  start(env: EnvironmentContext): Promise<PlatformTask>;
}

/** Starts endpoints and apps that earlier versions of Lakehelm recorded as running without starting a process. */
export async function startMissing(
  recorded: readonly RecordedProcess[],
  environments: Pick<Environments, "actIn">,
  processes: Pick<Processes, "requested">,
): Promise<InstallationCount> {
  const count = { installed: 0, left: 0 };
  const requested = await processes.requested();
  for (const { processId, environmentId, start } of recorded) {
    if (requested.has(processId)) continue;
    const env = await environments.actIn(environmentId).catch((error) => {
      if (!(error instanceof Problem)) throw error;
    });
    if (!env) count.left += 1;
    // Platforms other than the embedded one have processes of their own.
    if (env?.platform.needsData !== true) continue;
    const task = await start(env);
    // Not awaited: the task waits for the data folder lease, which this server acquires later during startup. A failure
    // is recorded, or retried by the outbox.
    void task.finish().catch(() => {});
    count.installed += 1;
  }
  return count;
}
