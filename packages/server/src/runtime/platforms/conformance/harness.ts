import type { EndpointBodyInput, endpoints } from "@lakehelm/contract";
import type { Client } from "@lakehelm/contract/client";
import type { TestServer, TestServerOptions } from "../../../testing/server.ts";

/** A row of a source: `updated_at` shows which rows have changed since the last run. */
export interface SourceRow {
  readonly id: number;
  readonly name: string;
  /** `2026-01-01T00:00:00Z` */
  readonly updated_at: string;
}

/** The body of `POST /connectors`. */
export type ConnectorBody = EndpointBodyInput<typeof endpoints.createConnector>;

/** Differences between platforms that make none of them worse. A test that needs an absent capability is skipped. */
interface HarnessCapabilities {
  /** This server fires schedules, retries attempts and stops those that take too long. Otherwise the platform does. */
  readonly ownScheduler: boolean;
  /** Runs tell how many rows they moved, and connectors the watermark they have reached. */
  readonly countsRows: boolean;
  /** Runs are executed by a process beside this server, which can be killed. */
  readonly ownProcess: boolean;
}

/** What a platform provides to run the suite against it. */
export interface PlatformHarness {
  readonly name: string;
  readonly capabilities: HarnessCapabilities;
  /** How long a run or a firing may take, if longer than usual. */
  readonly waitMs?: number;
  /** Server options beyond the usual ones of a test, so that the default environment is on this platform. */
  readonly options?: Pick<TestServerOptions, "platforms" | "settings">;
  /** Makes an environment on the platform, and returns its name. Absent: the default environment is on it. */
  open?(client: Client): Promise<string>;
  close?(): Promise<void>;
  /** A new source, and a target that nothing else writes to. */
  openFixture(): Promise<TransferFixture>;
  /** Kills the process that executes this server's runs with SIGKILL, if there is one. */
  crash?(server: Pick<TestServer, "dataDir">): Promise<void>;
  /** Makes the schedule of the newest connector due, on a platform that has the schedules. */
  fire?(): void;
  /** An hourly schedule whose next slot comes soon, where no clock can be advanced. */
  hourly?(): string;
}

export interface TransferFixture {
  /** The fields of a connector that transfers rows by their time of change. */
  readonly connector: Pick<ConnectorBody, "target_type" | "target_config" | "datasets">;
  /** Replaces the rows of the source. */
  put(rows: readonly SourceRow[]): void | Promise<void>;
  /** The rows of the target, by key; undefined: it does not exist yet. */
  read(client: Client): Promise<SourceRow[] | undefined>;
  /** The next run stops in the middle and waits. */
  hold(): Hold;
  /**
   * From now on the source fails on reading: with a retryable or a permanent error. Returns a pattern for the message.
   */
  failReads(how: "retryable" | "permanent"): RegExp | Promise<RegExp>;
  /** The source can be read again. */
  restore(): void | Promise<void>;
  close(): Promise<void>;
}

/** A run that is kept waiting. */
export interface Hold {
  /** Resolves when the run waits. */
  readonly reached: Promise<void>;
  /** Resolves when the run no longer waits although it was not released: it has stopped. */
  readonly left: Promise<void>;
  /** Lets this run and later ones continue. */
  release(): void;
}
