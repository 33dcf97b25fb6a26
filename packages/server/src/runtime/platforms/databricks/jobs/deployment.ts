import { type DeployedFile, deploymentOf, type GenerationContext, type JobSettings } from "@lakehelm/codegen";
import type { GeneratorName } from "@lakehelm/codegen/generators";
import type { CodegenResponse, Connector, Flow } from "@lakehelm/contract";
import { conflict } from "../../../../core/errors.ts";
import { sentenceOf } from "../../../jobs/job-steps.ts";
import { generationContextOf } from "../../generation-context.ts";
import type { PlatformJobRequest } from "../../platform-request.ts";
import type { Workspace } from "../workspaces.ts";
import { connectorCode } from "./connector-code.ts";
import { type Mark, markTags } from "./mark.ts";
import type { SecretSource } from "./own-secrets.ts";
import { triggerIn } from "./workspace-jobs.ts";
import { connectorWorkspaceTrigger, withPause } from "./workspace-trigger.ts";

/** Generates code; throws if the generator itself fails. */
export type Generate = (
  generator: GeneratorName,
  request: object,
  context: GenerationContext,
  environmentId: string,
) => Promise<CodegenResponse>;

/** What a job needs in the workspace. */
export interface JobDeployment {
  readonly files: readonly DeployedFile[];
  readonly settings: JobSettings;
  /** The secrets by their keys in our scope. */
  readonly secrets: ReadonlyMap<string, SecretSource>;
}

export interface DeploymentTarget {
  readonly workspace: Workspace;
  readonly mark: Mark;
  readonly folder: string;
  readonly scope: string;
  readonly name: string;
}

/**
 * A connector as a job: its generated notebook, and what starts it. Throws 409 with what a job in the workspace cannot
 * express.
 */
export async function connectorDeployment(
  connector: Connector,
  data: Extract<PlatformJobRequest["data"], { readonly execution_mode: string }>,
  target: DeploymentTarget,
  generate: Generate,
): Promise<JobDeployment> {
  const started = connectorWorkspaceTrigger({ ...data, target_config: connector.target_config });
  if ("problem" in started) throw conflict(started.problem);
  const code = connectorCode(connector, target.scope);
  if ("problems" in code) throw conflict(code.problems.join(" "));
  const { catalog, schema } = connector.target_config;
  const names =
    connector.target_type === "warehouse"
      ? {
          ...(typeof catalog === "string" && { catalog }),
          ...(typeof schema === "string" && { schema }),
        }
      : {};
  const generated = await generatedJob("generateConnector", code.request, target, generate, names);
  const { attempts, timeout_seconds } = connector.policy ?? {};
  const isLive = started.trigger.kind === "live";
  const what = String(generated.settings.description ?? "").replace(/ It [^.]*\.$/, "");
  const tasks = (generated.settings.tasks ?? []) as readonly object[];
  return {
    files: generated.files,
    secrets: code.secrets,
    settings: {
      ...installed(generated.settings, target),
      ...withPause(started.fields, connector.status === "paused"),
      description: `${what} ${sentenceOf(started.trigger)}`,
      ...(timeout_seconds !== undefined && !isLive && { timeout_seconds }),
      tasks: tasks.map((task) => ({
        ...task,
        ...(attempts !== undefined && !isLive && { max_retries: attempts - 1 }),
      })),
    },
  };
}

/** A flow as a job: its notebook, the task that checks its quality, and what starts it. */
export async function flowDeployment(
  flow: Flow,
  target: DeploymentTarget,
  generate: Generate,
): Promise<JobDeployment> {
  const { files, settings } = await generatedJob("generateConsumption", flow.definition, target, generate);
  return {
    files,
    secrets: new Map(),
    settings: {
      ...installed(settings, target),
      ...withPause(triggerIn(settings), flow.status === "paused"),
    },
  };
}

async function generatedJob(
  generator: GeneratorName,
  request: object,
  { workspace, folder, scope }: DeploymentTarget,
  generate: Generate,
  names: Partial<Pick<GenerationContext, "catalog" | "schema">> = {},
) {
  const { environment } = workspace;
  const read = generationContextOf(environment);
  if ("errors" in read) throw conflict(read.errors.join(" "));
  const context = { ...read.context, ...names, secretScope: scope, host: null };
  const body = { ...request, encode_artifacts: false };
  const { artifacts, errors } = await generate(generator, body, context, environment.id);
  if (errors.length > 0) throw conflict(errors.join(" "));
  return deploymentOf(artifacts, { folder, target: context.mode === "development" ? "dev" : "prod" });
}

/** The settings with our name, tags and identity; what starts the job is added separately. */
export function installed(generated: JobSettings, { workspace, mark, name }: DeploymentTarget): JobSettings {
  const { schedule: _, trigger: __, continuous: ___, ...settings } = generated;
  const { tags, runAs } = workspace.configuration;
  return {
    ...settings,
    name,
    tags: { ...tags, ...settings.tags, ...markTags(mark) },
    ...(runAs !== null && { run_as: identityOf(runAs) }),
  };
}

export const identityOf = (runAs: string) =>
  runAs.includes("@") ? { user_name: runAs } : { service_principal_name: runAs };
