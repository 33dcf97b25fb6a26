import { createHash } from "node:crypto";
import type { Vault } from "../../../../core/secrets/vault.ts";
import { idOf } from "../../../../core/store/store.ts";
import type { JobRows } from "../../../jobs/job-rows.ts";
import { jobIdOf } from "../../../jobs/job-steps.ts";
import type { PlatformRequest } from "../../platform-request.ts";
import { installationId, scopeOf } from "../installation.ts";
import type { Workspaces } from "../workspaces.ts";
import type { OwnThing } from "./mark.ts";

interface PlaceOptions {
  readonly workspaces: Workspaces;
  readonly jobs: { readonly rows: Pick<JobRows, "get"> };
  readonly vault: Pick<Vault, "deriveKey">;
}

/** Where the things of a resource are in its workspace. */
export type Place = Awaited<ReturnType<ReturnType<typeof createPlaces>>>;

export function createPlaces({ workspaces, jobs, vault }: PlaceOptions) {
  const installation = installationId(vault);
  return async (
    { environmentId, subject }: Pick<PlatformRequest, "environmentId" | "subject">,
    name: string,
  ) => {
    const workspace = await workspaces.open(environmentId);
    const resource = plainSubject(subject);
    const mark = { installation, environment: environmentId, resource };
    const folder = `${workspace.configuration.rootPath}/${installation}/${resource}`;
    const job = await jobs.rows.get(jobIdOf(subject, environmentId));
    const own: OwnThing = { name, mark, folder, id: job?.reference ?? null };
    return {
      workspace,
      client: workspace.client,
      name,
      mark,
      folder,
      scope: scopeOf(mark),
      /** The prefix of the keys of the resource's secrets. */
      secretId: idOf(resource),
      job,
      own,
    };
  };
}

/** The author of a pipeline may choose its id. Not every text can be a tag, a folder and part of a key. */
function plainSubject(subject: string): string {
  if (/^[a-z]+\/[\w-]{1,64}$/.test(subject)) return subject;
  const digest = createHash("sha256").update(subject).digest("hex").slice(0, 32);
  return `${subject.slice(0, subject.indexOf("/"))}/${digest}`;
}
