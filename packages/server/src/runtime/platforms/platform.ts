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

/** The platform has accepted a request and is busy with it: it is looked at again after this time. */
export class RequestInProgress extends RequestPending {
  readonly afterMs: number;
  constructor(message: string, afterMs: number) {
    super(message);
    this.afterMs = afterMs;
  }
}

/** This server cannot complete a request: the next lease holder of the data folder completes it. */
export class DataFolderLost extends Error {}

/** The capabilities of a platform, as data. */
interface Capabilities {
  /** The kinds of resources that it runs; others are refused with a sentence. */
  readonly resources: readonly (keyof ResourceRequests)[];
  /** The connector targets it runs. */
  readonly connectorTargets: readonly string[];
  /**
   * Endpoints of agents start within minutes, and change their version while they answer. So what needs an endpoint does not
   * wait until it runs, and a release changes the version of one that runs.
   */
  readonly managedEndpoints?: true;
  /** Why it does not import from a kind of system; undefined: it does, or only a run can tell. */
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
    /** Starts runs there, and follows those and the ones that triggers there have started. */
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
    /** What an endpoint should be asked for a message of a chat. */
    question(message: webhooks.AgentQuestion): object;
    /** The lines that the platform has of an app or of the endpoint of an agent. */
    log(environmentId: string, subject: string, name: string): Promise<readonly string[]>;
    /** Observes what runs. */
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
  /** It can plan SQL over tables as they will be, and not only as they are. */
  readonly expectsTables?: true;
}

/** What the jobs of its environments ask for, if this server runs them but not its own engine. */
interface OwnEngine {
  readonly engine?: Pick<Engine, "request">;
}

/** A change of a definition: fields of the body that updates the resource, or its pause. */
export type DefinitionChange =
  | { readonly update: Readonly<Record<string, unknown>> }
  | { readonly paused: boolean };

/** Something of a resource that is not as this server has made it. */
export interface PlatformDifference {
  /** `connector/<id>` */
  readonly subject: `${keyof ResourceRequests}/${string}`;
  readonly name: string;
  readonly change: "changed" | "gone";
  /** A path, in the platform's words; null: all of it is gone. */
  readonly field: string | null;
  readonly declared: unknown;
  readonly live: unknown;
  /** The same in the words of the definition, or why that cannot be said there. */
  readonly adoption: { readonly change: DefinitionChange } | { readonly problem: string };
}

export interface PlatformComparison {
  readonly differences: readonly PlatformDifference[];
  /** Subjects that are being changed, or could not be read: nothing is known about them now. */
  readonly undecided: ReadonlySet<string>;
}

/** A platform whose things somebody else can change. */
interface DriftChecks {
  readonly drift?: {
    /** The environments that this server compares from time to time. */
    environments(): Promise<readonly string[]>;
    /** Environments that share a system share its requests. An error stands for one environment. */
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
  /** The tables of a pipeline and what they read. `reference` is the platform's own id of it. */
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
    /** The keys of an environment's configuration that it reads to connect; absent: it connects nowhere. */
    readonly configurationKeys?: ConfigurationKeys;
    /** The host that it sends a credential to: the value of a key, or a secret of the environment; undefined: not known. */
    credentialHost?(
      configuration: Readonly<Record<string, unknown>>,
      key: string | undefined,
    ): string | undefined;
    /** What its jobs cannot do of an automation; absent: everything is possible. */
    automationProblems?(definition: AutomationDefinition): readonly DefinitionProblem[];
    /** Why a job could never wait for files at a path; absent: any path is valid. */
    pathProblem?(path: string): string | undefined;
    /** Its requests, or this one, need the data folder: the lease holder performs them. */
    readonly needsData?: true | ((request: PlatformRequest) => boolean);
  };
