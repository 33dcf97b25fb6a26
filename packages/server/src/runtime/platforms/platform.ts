import type {
  AutomationDefinition,
  Environment,
  EnvironmentCheck,
  PipelineGraph,
  webhooks,
} from "@lakehelm/contract";
import type { Engine, EngineRequests } from "@lakehelm/engine";
import type { ChangeContext, Step } from "../../core/store/store.ts";
import type { Executor } from "../jobs/executor.ts";
import type { ConfigurationKeys } from "./configuration-keys.ts";
import type { PlatformRequest, ResourceRequests } from "./platform-request.ts";

/** The result: `reference` is the platform's own id of what it created. */
export type PlatformOutcome =
  | {
      readonly done: true;
      readonly reference: string | null;
      /** Of an app: where browsers find it, if the platform serves it. */
      readonly url?: string | null;
    }
  | { readonly done: false; readonly reason: string };

/** The observed state of a component or an app that should run. */
export interface Observation {
  readonly observed_state: "running" | "pending" | "failed";
  readonly message: string | null;
}

/** What a platform found out about one part of an environment. */
export type PlatformFinding = EnvironmentCheck["findings"][number];

/**
 * It is not known yet whether a request was done, or it could not be sent: the request stays, and is performed again
 * later with the same id.
 */
export class RequestPending extends Error {}

/** The platform has accepted a request and is busy with it: the request is checked again after this time. */
export class RequestInProgress extends RequestPending {
  readonly afterMs: number;
  constructor(message: string, afterMs: number) {
    super(message);
    this.afterMs = afterMs;
  }
}

/** This server cannot complete a request: the next lease holder of the data folder completes it. */
export class DataFolderLost extends Error {}

interface Capabilities {
  /** The kinds of resources that it runs; others are refused with a sentence. */
  readonly resources: readonly (keyof ResourceRequests)[];
  readonly connectorTargets: readonly string[];
  /**
   * Endpoints of agents take minutes to start, and change their version while they answer. So nothing waits until an
   * endpoint runs, and a release changes the version of a running endpoint.
   */
  readonly managedEndpoints?: true;
  /** Why the platform does not import from a kind of system; undefined: it does, or only a run can tell. */
  readonly sourceProblem?: (type: string) => string | undefined;
}

export interface TransactionalResult {
  readonly steps: Step[];
  readonly outcome: PlatformOutcome;
}

/**
 * Transactional effects: the request becomes steps of the requesting transaction. Undefined for a request that is
 * performed after the transaction.
 */
interface TransactionalEffects {
  within?(request: PlatformRequest): TransactionalResult | undefined;
}

/** Remote effects: called after the transaction, and again after a crash. */
interface RemoteEffects {
  perform(request: PlatformRequest): Promise<PlatformOutcome>;
  /** Steps for the change that records the outcome of a performed request. */
  recorded?(request: PlatformRequest, outcome: PlatformOutcome, context: ChangeContext): readonly Step[];
}

/** Jobs that the platform triggers and runs itself; this server follows their runs. */
interface RemoteJobs {
  readonly remoteJobs?: {
    /** Starts runs on the platform, and follows these runs and those that triggers of the platform have started. */
    readonly executor: Executor;
    start(): void;
    stop(): Promise<void>;
  };
}

/** A request to the endpoint of an agent: bytes of any kind. */
export interface EndpointRequest {
  readonly agentId: string;
  readonly name: string;
  readonly body: Uint8Array | string;
  readonly contentType: string;
  readonly accept?: string | undefined;
  readonly signal: AbortSignal;
}

/** The response of an endpoint: status and headers have arrived, the body is read from it. */
export interface EndpointResponse extends AsyncIterable<Buffer> {
  readonly statusCode?: number | undefined;
  readonly headers: { readonly "content-type"?: string | undefined };
}

/** Endpoints of agents and apps that the platform runs itself. */
interface RemoteComponents {
  readonly remoteComponents?: {
    /** Forwards a request to an endpoint; throws if there is none, or if it cannot be reached. */
    invoke(environmentId: string, request: EndpointRequest): Promise<EndpointResponse>;
    /** The body to send to an endpoint for a message of a chat. */
    question(message: webhooks.AgentQuestion): object;
    /** The lines that the platform has of an app or of the endpoint of an agent. */
    log(environmentId: string, subject: string, name: string): Promise<readonly string[]>;
    /** Starts to observe what runs. */
    start(): void;
    stop(): Promise<void>;
  };
}

/** Requests that a warehouse answers at any time; jobs execute those that change rows. */
export type WarehouseRequest =
  | "query"
  | "catalog"
  | "metadata"
  | "applyMetadata"
  | "alterTable"
  | "check"
  | "discover"
  | "listFiles"
  | "preview"
  | "rejects"
  | "flowPlan"
  | "endCapture"
  | "pipelinePlan"
  | "scriptPlan";

/**
 * The requests that a warehouse answers while the caller waits; it refuses those that it lacks. Errors of the caller or of an
 * external system are DataProblems. Aborting the signal stops the work.
 */
export type Warehouse = {
  readonly [Kind in WarehouseRequest]?: (
    body: EngineRequests[Kind][0],
    options: { readonly signal: AbortSignal },
  ) => Promise<EngineRequests[Kind][1]>;
};

/** The platform's own warehouse; optional. */
interface WarehouseAccess {
  readonly warehouse?: Warehouse;
  /** The warehouse can plan SQL over tables as they will be, and not only as they are. */
  readonly expectsTables?: true;
}

/** Answers the engine requests of the platform's jobs, if this server runs these jobs but not on its own engine. */
interface OwnEngine {
  readonly engine?: Pick<Engine, "request">;
}

/** A change of a definition: fields of the body that updates the resource, or its pause. */
export type DefinitionChange =
  | { readonly update: Readonly<Record<string, unknown>> }
  | { readonly paused: boolean };

/** A difference between what this server has installed for a resource and what is there now. */
export interface PlatformDifference {
  /** `connector/<id>` */
  readonly subject: `${keyof ResourceRequests}/${string}`;
  readonly name: string;
  readonly change: "changed" | "gone";
  /** The path of the field, in the platform's terms; null: the whole thing is gone. */
  readonly field: string | null;
  readonly declared: unknown;
  readonly live: unknown;
  /** The same difference as a change of the definition, or why the definition cannot express it. */
  readonly adoption: { readonly change: DefinitionChange } | { readonly problem: string };
}

export interface PlatformComparison {
  readonly differences: readonly PlatformDifference[];
  /** Subjects that are being changed, or could not be read: nothing is known about them now. */
  readonly undecided: ReadonlySet<string>;
}

/** A platform on which somebody else can change what this server has installed. */
interface DriftChecks {
  readonly drift?: {
    /** The environments that this server compares from time to time. */
    environments(): Promise<readonly string[]>;
    /** Environments that share a system share the requests to it. An error concerns one environment. */
    compare(
      environmentIds: readonly string[],
      signal: AbortSignal,
    ): Promise<ReadonlyMap<string, PlatformComparison | Error>>;
  };
}

/** Called when this server has made something on a platform again what it should be, except the fields to keep. */
export type Settle = (
  environmentId: string,
  subject: string,
  isKept: (field: string | null) => boolean,
) => Promise<void>;

/** Finds out what works in an environment, and changes nothing. */
interface EnvironmentChecks {
  check?(environment: Environment, signal: AbortSignal): Promise<PlatformFinding[]>;
}

/** Copies of the environment's files, on a platform whose code runs elsewhere. */
interface FileCopies {
  readonly fileCopies?: {
    /** Why a file of this size could not be copied. */
    problem(environmentId: string, bytes: number): Promise<string | undefined>;
    /** Throws RequestPending if it must be done again later. */
    write(environmentId: string, path: string, content: Uint8Array): Promise<PlatformOutcome>;
    remove(environmentId: string, path: string): Promise<PlatformOutcome>;
  };
}

/** What a platform cannot do of a definition: a sentence for its author, and where it is in the definition. */
export interface DefinitionProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Pipelines that the platform runs itself. */
interface RemotePipelines {
  /** The tables of a pipeline and what they read. `reference` is the platform's own id of the pipeline. */
  pipelineGraph?(environmentId: string, reference: string): Promise<PipelineGraph>;
}

export type Platform = TransactionalEffects &
  RemoteEffects &
  RemoteJobs &
  RemotePipelines &
  RemoteComponents &
  WarehouseAccess &
  OwnEngine &
  DriftChecks &
  FileCopies &
  EnvironmentChecks & {
    readonly name: string;
    readonly capabilities: Capabilities;
    /** The keys of an environment's configuration that the platform reads to connect; absent: it connects nowhere. */
    readonly configurationKeys?: ConfigurationKeys;
    /**
     * The host that the platform sends a credential to: the value of a key, or a secret of the environment; undefined:
     * not known.
     */
    credentialHost?(
      configuration: Readonly<Record<string, unknown>>,
      key: string | undefined,
    ): string | undefined;
    /** What its jobs cannot do of an automation; absent: everything is possible. */
    automationProblems?(definition: AutomationDefinition): readonly DefinitionProblem[];
    /** Why a job could never wait for files at a path; absent: any path is valid. */
    pathProblem?(path: string): string | undefined;
    /**
     * The lease holder performs the platform's requests, or those for which this returns true, because they need the
     * data folder.
     */
    readonly needsData?: true | ((request: PlatformRequest) => boolean);
  };
