import type {
  AgentComponent,
  AutomationDefinition,
  Connector,
  JobDefinition,
  JobTrigger,
  PipelineSpec,
  ScheduleOverride,
} from "@lakehelm/contract";

export type PlatformRequest = PlatformJobRequest | PlatformPipelineRequest | PlatformComponentRequest;
export type PlatformRequestKind = PlatformRequest["kind"];

export interface ResourceRequests {
  readonly connector: PlatformJobRequest;
  readonly flow: PlatformJobRequest;
  readonly automation: PlatformJobRequest;
  readonly pipeline: PlatformPipelineRequest;
  readonly agent: PlatformComponentRequest;
  readonly app: PlatformComponentRequest;
}

interface RequestBase {
  /** The idempotency key: a repeated request is executed once. */
  readonly id: string;
  readonly environmentId: string;
  /** The resource that the request is about: `connector/<id>`, `pipeline/<id>`, … */
  readonly subject: string;
  /** Fields that somebody has changed on the platform, and that are left so. */
  readonly kept?: readonly string[];
}

/** A change that leaves fields as somebody has changed them on the platform. */
export interface KeepsFields {
  readonly kept?: readonly string[];
}

/** A request about the job of a connector, a flow or an automation. */
export interface PlatformJobRequest extends RequestBase {
  readonly kind: "job.install" | "job.remove" | "job.pause" | "job.resume";
  readonly data: ConnectorJob | FlowJob | AutomationJob;
}

/** The fields of a connector that define its job. */
export type DeclaredConnector = Pick<
  Connector,
  | "execution_mode"
  | "schedule_cron"
  | "table_update_config"
  | "file_arrival_config"
  | "target_type"
  | "target_config"
  | "datasets"
> & { readonly timezone: unknown; readonly catalog: unknown; readonly schema: unknown };

/** The trigger follows from the fields of the connector. */
type ConnectorJob = DeclaredConnector & {
  readonly name: string;
  readonly policy: Partial<JobDefinition>;
  readonly pause?: ScheduleOverride;
};

interface FlowJob {
  readonly name: string;
  /** Why the platform's own warehouse cannot run the flow: then its job is not installed. */
  readonly refusal?: string;
  /** Present when the job is installed. */
  readonly trigger?: JobTrigger;
  readonly pause?: ScheduleOverride;
}

interface AutomationJob {
  readonly release_id: string;
  readonly alias: string;
  readonly version?: string;
  readonly schedule?: AutomationDefinition["schedule"];
  /** Present when the job is installed. */
  readonly trigger?: JobTrigger;
  readonly policy?: Partial<JobDefinition>;
  readonly name?: string;
  readonly paused?: boolean;
  /** The pause to apply. A new job starts with it. */
  readonly pause?: ScheduleOverride;
  /** The pause that begins or ends, and the one that it replaces. */
  readonly override?: ScheduleOverride;
  readonly former?: ScheduleOverride | null;
}

export interface PlatformPipelineRequest extends RequestBase {
  readonly kind: "pipeline.install" | "pipeline.remove";
  /** Without secrets: the platform reads the specification when it executes it. */
  readonly data: Pick<PipelineSpec, "name" | "libraries" | "continuous"> & {
    readonly tags: Readonly<Record<string, string>>;
    readonly platform_reference: string | null;
    /** A new continuous pipeline starts with this pause. */
    readonly pause?: ScheduleOverride;
  };
}

/** A request about a component of an agent, or about an app. */
export interface PlatformComponentRequest extends RequestBase {
  /** `component.remove`: its resource was deleted. */
  readonly kind: "component.start" | "component.stop" | "component.remove";
  readonly data: AgentComponentRun | AppRun;
}

interface ComponentRun {
  readonly name: string;
  readonly source_path: string | null;
  readonly asked_at: string;
}

interface AgentComponentRun extends ComponentRun {
  readonly component: AgentComponent["component"];
  readonly version: AgentComponent["version"];
}

interface AppRun extends ComponentRun {
  readonly component?: undefined;
  readonly agent_id: string | null;
}

export const isComponentRequest = (request: PlatformRequest): request is PlatformComponentRequest =>
  request.kind.startsWith("component.");
