import type { EndpointBodyInput, endpoints } from "@lakehelm/contract";
import type { Client } from "@lakehelm/contract/client";
import type { TestServer, TestServerOptions } from "../../../testing/server.ts";

/** A row of a source: what has changed since the last run is told by `updated_at`. */
export interface Row {
  readonly id: number;
  readonly name: string;
  /** `2026-01-01T00:00:00Z` */
  readonly updated_at: string;
}

/** What `POST /connectors` takes. */
export type Declared = EndpointBodyInput<typeof endpoints.createConnector>;

/** What a platform brings along, so that the suite can be run against it. */
export interface PlatformHarness {
  readonly name: string;
  /** What a server needs beyond a test's usual options, for its default environment to be on this platform. */
  readonly options?: Pick<TestServerOptions, "platforms" | "settings">;
  /** A source of its own, and a target that nothing else is written to. */
  place(): Promise<Place>;
  /** kill -9 of what does this server's work. */
  crash(server: Pick<TestServer, "dataDir">): Promise<void>;
}

export interface Place {
  /** What a connector says that moves the rows by their time of change. */
  readonly connector: Pick<Declared, "target_type" | "target_config" | "datasets">;
  /** The source has these rows from now on. */
  put(rows: readonly Row[]): void;
  /** What the target holds, by key; undefined: it is not there yet. */
  read(client: Client): Promise<Row[] | undefined>;
  /** The next run stops in its midst, and waits. */
  hold(): Hold;
  /**
   * From now on the source refuses to be read: for the moment, or until somebody changes something. Answers what a sentence
   * about that must have in it.
   */
  refuse(how: "for now" | "for good"): RegExp;
  /** It can be read again. */
  mend(): void;
  close(): Promise<void>;
}

/** A run that is kept waiting. */
export interface Hold {
  /** Resolves when the run waits. */
  readonly reached: Promise<void>;
  /** Resolves when nobody waits any more, although the run was not let go: its work has stopped. */
  readonly left: Promise<void>;
  /** Lets the run go on, and later ones pass. */
  release(): void;
}
