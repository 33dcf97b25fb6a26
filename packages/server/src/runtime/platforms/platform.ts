import type { TableMetadata } from "@lakehelm/codegen";
import type { EngineRequests } from "@lakehelm/engine";
import type { TableName } from "@lakehelm/sql/names";
import type { Step } from "../../core/store/store.ts";

/** What a platform is asked to do. The id is its idempotency key: asked twice, it is done once. */
export interface Intent {
  readonly id: string;
  readonly environmentId: string;
  readonly kind: IntentKind;
  /** Whose it is: `connector/<id>`, `pipeline/<id>`, … */
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export type IntentKind =
  | "job.install"
  | "job.remove"
  | "job.pause"
  | "job.resume"
  | "pipeline.install"
  | "pipeline.remove"
  | "component.start"
  | "component.stop";

/** How it ended: `reference` is the platform's own id of what it made. */
export type Outcome =
  | { readonly done: true; readonly reference: string | null }
  | { readonly done: false; readonly reason: string };

/** What was seen of a component or an app that should run. */
export interface Observation {
  readonly observed_state: "running" | "pending" | "failed";
  readonly message: string | null;
}

/** This server cannot finish an intent: whoever holds the data folder after it does. */
export class DataFolderLost extends Error {}

/** What a platform can do, as data. */
interface Capabilities {
  /** The connector targets it runs. */
  readonly connectorTargets: readonly string[];
}

export interface Within {
  readonly steps: Step[];
  readonly outcome: Outcome;
}

/**
 * What a platform does within our store: being asked is steps of the very change that asks. Undefined for an intent that it
 * performs after the change.
 */
interface Inside {
  within?(intent: Intent): Within | undefined;
}

/** What else it is asked: it is called after the change, and again after a crash. */
interface Outside {
  perform(intent: Intent): Promise<Outcome>;
}

/** What a platform's catalog may tell; one that keeps none tells nothing. */
interface Catalog {
  /** The descriptions and tags that a table has now, or undefined where it is not known. */
  describeTable?(environmentId: string, table: TableName): Promise<TableMetadata | undefined>;
}

/** What a warehouse can be asked at any time; what changes rows is asked of a job. */
export type WarehouseRequest =
  | "query"
  | "catalog"
  | "metadata"
  | "applyMetadata"
  | "check"
  | "discover"
  | "preview"
  | "rejects"
  | "pipelinePlan"
  | "scriptPlan";

/** A warehouse of the platform's own that answers while the caller waits; a platform may have none. */
interface Answering {
  readonly warehouse?: {
    /** What is wrong on the caller's side, or outside, is a DataProblem. Aborting the signal stops the work. */
    request<Kind extends WarehouseRequest>(
      kind: Kind,
      body: EngineRequests[Kind][0],
      asking: { readonly signal: AbortSignal },
    ): Promise<EngineRequests[Kind][1]>;
  };
}

export type Platform = Inside &
  Outside &
  Catalog &
  Answering & {
    readonly name: string;
    readonly capabilities: Capabilities;
    /** Why a job there could never wait for files at a path; absent: it takes any. */
    pathProblem?(path: string): string | undefined;
    /** What it performs needs the data folder: the server that holds it does it. */
    readonly needsData?: true;
  };
