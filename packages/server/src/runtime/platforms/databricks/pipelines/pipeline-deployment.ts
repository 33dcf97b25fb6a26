import type { PipelineSpec } from "@lakehelm/contract";
import { programs } from "@lakehelm/contract/connections";
import { conflict } from "../../../../core/errors.ts";
import { identityOf } from "../jobs/deployment.ts";
import { markTags } from "../jobs/mark.ts";
import { ownSecrets, type SecretSource } from "../jobs/own-secrets.ts";
import type { Place } from "../jobs/place.ts";
import type { UploadedFile } from "../jobs/workspace-files.ts";
import { deployedLibraries, type ReadFile } from "./libraries.ts";

/** A pipeline as its author declared it, with its secret values. */
export type DeclaredPipeline = Omit<PipelineSpec, "id" | "paused">;

/** What a pipeline needs in the workspace. */
export interface PipelineDeployment {
  readonly files: readonly UploadedFile[];
  readonly spec: Readonly<Record<string, unknown>>;
  readonly secrets: ReadonlyMap<string, SecretSource>;
}

interface DeploymentTarget extends Pick<Place, "workspace" | "mark" | "folder" | "scope" | "secretId"> {
  /** Our tags in our namespace. */
  readonly tags: Readonly<Record<string, string>>;
  /** A continuous pipeline that is stopped must not start by itself. */
  readonly isStopped: boolean;
}

/** The specification as it is sent to a workspace. Throws 409 with everything that a workspace cannot express. */
export async function pipelineDeployment(
  declared: DeclaredPipeline,
  { workspace, mark, folder, scope, secretId, tags, isStopped }: DeploymentTarget,
  read: ReadFile,
): Promise<PipelineDeployment> {
  const { libraries: _, root_path: __, notifications, clusters, configuration, ...rest } = declared;
  const { storage, target, catalog, schema, ...passed } = rest;
  const code = await deployedLibraries(declared, folder, read);
  const withheld = { configuration, ...(clusters && { clusters }) };
  const own = ownSecrets(withheld, {
    ...{ name: declared.name, id: secretId, scope, where: "pipeline" },
    destinationAt: () => [programs],
  });
  const problems = [...code.problems, ...own.problems];
  if (problems.length > 0) throw conflict(problems.join(" "));
  const { configuration: environment } = workspace;
  const mails = mailsIn(notifications);
  const spec = {
    ...passed,
    // Two environments, or a stranger, may use the same name in one workspace: the mark tells them apart.
    allow_duplicate_names: true,
    ...(storage
      ? { storage, ...(schema ? { schema } : target && { target }) }
      : { catalog: catalog || environment.catalog, schema: schema || target || environment.schema }),
    libraries: code.libraries,
    ...own.config,
    continuous: declared.continuous && !isStopped,
    tags: { ...environment.tags, ...tags, ...markTags(mark) },
    ...(code.dependencies.length > 0 && { environment: { dependencies: code.dependencies } }),
    ...(mails.length > 0 && { notifications: mails }),
    ...(environment.runAs !== null && { run_as: identityOf(environment.runAs) }),
  };
  return { files: code.files, spec, secrets: own.secrets };
}

/** The workspace sends mails itself; chat channels are ours. */
function mailsIn(notifications: DeclaredPipeline["notifications"]) {
  return (notifications ?? []).flatMap(({ email_recipients, alerts }) =>
    Array.isArray(email_recipients) && email_recipients.length > 0
      ? [{ email_recipients, ...(Array.isArray(alerts) && { alerts }) }]
      : [],
  );
}
