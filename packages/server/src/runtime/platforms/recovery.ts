import type { Environment } from "@lakehelm/contract";
import type { Logger } from "pino";
import { createBackground } from "../../core/concurrency/background-tasks.ts";
import { singleFlight } from "../../core/concurrency/single-flight.ts";
import type { Work } from "./work.ts";

interface EnvironmentReader {
  find(reference: string): Promise<{ readonly doc: Environment } | undefined>;
}

/** Completes platform work that an earlier process, or another server, left. */
export interface PlatformRecovery {
  /** With platforms that any server can reach. */
  resumeRemote(): Promise<unknown>;
  /** With platforms that need the data folder: in the background, on its holder alone. */
  resumeLocal(): void;
  stop(): Promise<void>;
}

const stopMs = 1_000;

export function createPlatformRecovery(
  work: Pick<Work, "resume">,
  environments: EnvironmentReader,
  log: Pick<Logger, "warn">,
): PlatformRecovery {
  const platformOf = async (id: string) => (await environments.find(id))?.doc.platform;
  const resumeHere = singleFlight(() => work.resume(platformOf, "data"));
  const background = createBackground((error) =>
    log.warn({ err: error }, "platform work was not completed; it is retried"),
  );
  return {
    resumeRemote: () => work.resume(platformOf, "no data"),
    resumeLocal: () => background.run(resumeHere),
    stop: () => background.settled(stopMs),
  };
}
