import type { WorkspaceClient } from "../databricks/client/client.ts";
import { numericId } from "../databricks/client/json.ts";
import { segment } from "../databricks/client/path.ts";

interface Marked {
  /** The id of the environment that everything is marked with. */
  readonly environment: string;
  /** The folder of the environment's files. */
  readonly root: string;
}

type Tags = Readonly<Record<string, string>>;

interface Found {
  readonly what: string;
  remove(): Promise<unknown>;
}

type Kinds = readonly (readonly [kind: string, find: () => AsyncGenerator<Found>])[];

/** How each kind of thing with the mark of an environment is found and deleted. */
function kindsIn(client: WorkspaceClient, environment: string): Kinds {
  const isMarked = (tags: Tags | undefined) => tags?.lakehelm_environment === environment;
  return [
    [
      "the job",
      async function* () {
        type Job = { job_id?: string; settings?: { tags?: Tags } };
        for await (const { job_id, settings } of client.list<Job>("/api/2.2/jobs/list", "jobs", {
          limit: 100,
        })) {
          if (job_id === undefined || !isMarked(settings?.tags)) continue;
          const body = { job_id: numericId(job_id) };
          yield { what: job_id, remove: () => client.send("POST", "/api/2.2/jobs/delete", body) };
        }
      },
    ],
    [
      "the pipeline",
      async function* () {
        type Pipeline = { pipeline_id?: string; name?: string; spec?: { tags?: Tags } };
        const query = { filter: "name LIKE 'conformance%'", max_results: 100 };
        for await (const { pipeline_id } of client.list<Pipeline>("/api/2.0/pipelines", "statuses", query)) {
          if (pipeline_id === undefined) continue;
          const path = `/api/2.0/pipelines/${segment(pipeline_id)}`;
          const { spec } = await client.get<Pipeline>(path);
          if (isMarked(spec?.tags)) yield { what: pipeline_id, remove: () => client.send("DELETE", path) };
        }
      },
    ],
    [
      "the app",
      async function* () {
        type App = { name?: string; description?: string };
        for await (const { name = "", description = "" } of client.list<App>("/api/2.0/apps", "apps")) {
          if (!/\[lakehelm [^\]]*\]$/.test(description) || !description.includes(` ${environment} `))
            continue;
          yield { what: name, remove: () => client.send("DELETE", `/api/2.0/apps/${segment(name)}`) };
        }
      },
    ],
    [
      "the endpoint",
      async function* () {
        type Endpoint = { name?: string; tags?: readonly { key?: string; value?: string }[] };
        const path = "/api/2.0/serving-endpoints";
        const { endpoints = [] } = await client.get<{ endpoints?: readonly Endpoint[] }>(path);
        for (const { name = "", tags = [] } of endpoints) {
          const map = Object.fromEntries(tags.map(({ key = "", value = "" }) => [key, value]));
          if (isMarked(map))
            yield { what: name, remove: () => client.send("DELETE", `${path}/${segment(name)}`) };
        }
      },
    ],
    [
      "the scope",
      async function* () {
        type Scopes = { scopes?: readonly { name?: string }[] };
        const { scopes = [] } = await client.get<Scopes>("/api/2.0/secrets/scopes/list");
        for (const { name: scope = "" } of scopes) {
          if (!scope.startsWith("lakehelm-") || !scope.endsWith(environment)) continue;
          yield {
            what: scope,
            remove: () => client.send("POST", "/api/2.0/secrets/scopes/delete", { scope }),
          };
        }
      },
    ],
  ];
}

/** What an environment has in a workspace besides files, by its mark. */
export async function findMarked(client: WorkspaceClient, environment: string): Promise<readonly string[]> {
  const all: string[] = [];
  for (const [kind, find] of kindsIn(client, environment))
    for await (const { what } of find()) all.push(`${kind} ${what}`);
  return all;
}

/**
 * Deletes what an environment has in a workspace, by its mark. If one thing cannot be deleted, the others still are.
 */
export async function removeMarked(client: WorkspaceClient, { environment, root }: Marked): Promise<void> {
  const problems: string[] = [];
  for (const [kind, find] of kindsIn(client, environment)) {
    try {
      for await (const { what, remove } of find()) {
        await remove().then(
          () => console.log(`Deleted ${kind} ${what}, which the suite had left.`),
          (error: Error) => problems.push(error.message),
        );
      }
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  // The folder does not exist if nothing was installed.
  await client
    .send("POST", "/api/2.0/workspace/delete", { path: root, recursive: true })
    .catch(() => undefined);
  if (problems.length > 0) throw new Error(`Something was left in the workspace: ${problems.join(" ")}`);
}
