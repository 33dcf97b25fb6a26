import type { JobTrigger } from "@lakehelm/contract";
import { idOf } from "../../../../core/store/store.ts";
import { definitionOf, jobIdOf, live } from "../../../jobs/job-steps.ts";
import type { PlatformOutcome } from "../../platform.ts";
import type { PlatformPipelineRequest } from "../../platform-request.ts";
import { pipelineShape } from "../drift/pipeline-shape.ts";
import { fieldName, settingsDifferences, withLiveFields } from "../drift/settings-difference.ts";
import { secretPrefix, secretValues } from "../jobs/own-secrets.ts";
import { createPlaces, type Place } from "../jobs/place.ts";
import type { RequestHandler } from "../jobs/request-handler.ts";
import type { ResourceOptions } from "../jobs/requests.ts";
import { removeFolder, uploadFiles } from "../jobs/workspace-files.ts";
import { putSecrets, removeSecrets } from "../jobs/workspace-secrets.ts";
import { type DeclaredPipeline, type PipelineDeployment, pipelineDeployment } from "./pipeline-deployment.ts";
import { installPipeline, readPipeline, removePipelines, replace } from "./workspace-pipelines.ts";

/** Pipelines and the files that their libraries name. */
export interface PipelineDocuments {
  /** The pipeline with its secret values and its tags; undefined: deleted. */
  pipeline(
    id: string,
  ): Promise<
    { readonly declared: DeclaredPipeline; readonly tags: Readonly<Record<string, string>> } | undefined
  >;
  /** The text of a file of the environment; undefined: there is none. */
  file(environmentId: string, path: string): Promise<string | undefined>;
}

export interface PipelineOptions extends Omit<ResourceOptions, "documents" | "generate"> {
  readonly documents: PipelineDocuments;
}

/** Installs, updates and removes pipelines in a workspace. */
export function createPipelineRequests(options: PipelineOptions) {
  const { documents, secretOf, jobs, installed } = options;
  const placeOf = createPlaces(options);

  /** Undefined: the pipeline was deleted. */
  async function deployment(
    subject: string,
    place: Place,
    isStopped: boolean,
  ): Promise<PipelineDeployment | undefined> {
    const { environment } = place.workspace;
    const found = await documents.pipeline(idOf(subject));
    if (!found) return undefined;
    const target = { ...place, folder: filesIn(place), tags: found.tags, isStopped };
    return pipelineDeployment(found.declared, target, (path) => documents.file(environment.id, path));
  }

  async function install(request: PlatformPipelineRequest): Promise<PlatformOutcome> {
    const place = await placeOf(request, request.data.name);
    const { client, scope, own, workspace, job } = place;
    // A pause of a new pipeline is in the request: its job does not exist yet.
    const isStopped = job ? job.paused !== null : request.data.pause !== undefined;
    const wanted = await deployment(request.subject, place, isStopped);
    if (!wanted) {
      await removeAll(request.subject, place);
      return { done: true, reference: null };
    }
    const secrets = await secretValues(workspace.environment, wanted.secrets, secretOf);
    await uploadFiles(client, filesIn(place), wanted.files);
    await putSecrets(client, scope, secrets, workspace.configuration.runAs);
    if (own.id !== null) await removeSecrets(client, scope, secretPrefix(place.secretId), secrets);
    const spec = await withKept(request, place, wanted.spec);
    const reference = await installPipeline(client, own, spec);
    const { environmentId, subject, kept } = request;
    // `continuous` is left out, because it changes with every stop and start of the pipeline.
    const { continuous: _, ...settings } = wanted.spec;
    await installed.put(
      {
        environmentId,
        subject,
        part: "pipeline",
        name: own.name,
        reference,
        settings,
        installedAt: options.now().toISOString(),
      },
      kept,
    );
    return { done: true, reference };
  }

  /** The specification, in which the fields to keep have the values that somebody has set in the workspace. */
  async function withKept<Spec extends Readonly<Record<string, unknown>>>(
    { kept = [], environmentId, subject }: PlatformPipelineRequest,
    { client, own }: Place,
    spec: Spec,
  ): Promise<Spec> {
    if (kept.length === 0 || own.id === null) return spec;
    const before = await installed.get(environmentId, subject, "pipeline");
    const { spec: live } = (await readPipeline(client, own.id)) ?? {};
    if (!before || !live) return spec;
    const stay = settingsDifferences(before.settings, live, pipelineShape).filter((difference) =>
      kept.includes(fieldName(difference)),
    );
    return withLiveFields(spec, stay, pipelineShape.itemKeys);
  }

  async function removeLate(request: PlatformPipelineRequest): Promise<void> {
    const { client, own } = await placeOf(request, request.data.name);
    // If the pipeline exists without a recorded job, it is being created in the workspace.
    if (own.id === null && (await documents.pipeline(idOf(request.subject)))) return;
    await removePipelines(client, own, own.id ?? undefined);
  }

  async function removeAll(subject: string, place: Place): Promise<void> {
    const { client, own, folder, scope, secretId, mark } = place;
    await removePipelines(client, own);
    await installed.remove(mark.environment, subject);
    await removeSecrets(client, scope, secretPrefix(secretId));
    await removeFolder(client, folder);
  }

  const handler: RequestHandler<PlatformPipelineRequest> = {
    removeLate,
    async perform(request) {
      if (request.kind === "pipeline.install") return install(request);
      await removeAll(request.subject, await placeOf(request, request.data.name));
      return { done: true, reference: null };
    },
    recorded(request, outcome, context) {
      const { environmentId, subject, data, kind } = request;
      const id = jobIdOf(subject, environmentId);
      if (kind === "pipeline.remove") return jobs.steps.remove(id, context);
      if (!outcome.done) return [];
      if (outcome.reference === null) return jobs.steps.remove(id, context);
      const trigger: JobTrigger = data.continuous ? live : { kind: "manual" };
      const definition = definitionOf(trigger, options.settings);
      const { name, pause } = data;
      const job = { id, environmentId, kind: "pipeline", subject, name, definition, pause } as const;
      return jobs.steps.install({ ...job, reference: outcome.reference }, context);
    },
  };

  return {
    ...handler,
    /**
     * Writes the current files before an update that this server starts. A continuous pipeline that was stopped runs
     * without end again, unless the update only validates.
     */
    async refresh(
      {
        environmentId,
        subject,
        name,
      }: { readonly environmentId: string; readonly subject: string; readonly name: string },
      isValidation: boolean,
    ): Promise<void> {
      const place = await placeOf({ environmentId, subject }, name);
      const { client, own, job } = place;
      const isStopped = job?.paused !== null || isValidation;
      const wanted = await deployment(subject, place, isStopped);
      if (!wanted || own.id === null) return;
      await uploadFiles(client, filesIn(place), wanted.files);
      if (job?.definition.trigger.kind !== "live" || isStopped) return;
      const { spec } = (await readPipeline(client, own.id)) ?? {};
      if (spec?.continuous === false) await replace(client, own.id, wanted.spec);
    },
  };
}

const filesIn = ({ folder }: Pick<Place, "folder">): string => `${folder}/files`;
