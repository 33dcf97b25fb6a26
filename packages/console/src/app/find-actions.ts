import type { App, Job } from "@lakehelm/contract";
import { actionsOf } from "../data/job-actions.ts";
import { notify } from "../ui/toasts.tsx";
import { api } from "./client.ts";
import { environmentNameOf, whyNot } from "./permissions.ts";
import { queryClient } from "./queries.ts";
import { navigate } from "./router.ts";

export interface ActionEntry {
  readonly text: string;
  readonly note: string;
  readonly icon: string;
  readonly choose: () => void;
}

type Perform = () => Promise<unknown>;

const most = 5;
const jobVerbs = ["run", "pause", "resume", "cancel", "retry"] as const;
const appVerbs = ["start", "stop"] as const;
type JobVerb = (typeof jobVerbs)[number];
type AppVerb = (typeof appVerbs)[number];

const icons: Readonly<Record<JobVerb | AppVerb, string>> = {
  run: "play",
  pause: "pause",
  resume: "play",
  cancel: "stop",
  retry: "retry",
  start: "play",
  stop: "stop",
};

/**
 * Finds the jobs or apps for a command such as `run orders`, `retry orders` or `stop desk`, by a part of their names.
 */
export async function findActions(
  text: string,
  environment: string | undefined,
  signal: AbortSignal,
): Promise<readonly ActionEntry[]> {
  const [first = "", ...rest] = text.trim().split(/\s+/);
  const search = rest.join(" ");
  if (search === "") return [];
  const query = { search, limit: most, ...(environment !== undefined && { environment }) };
  const jobVerb = jobVerbs.find((one) => one === first.toLowerCase());
  if (jobVerb) {
    const { jobs } = await api.listJobs({ query, signal }).catch(() => ({ jobs: [] }));
    const found = await Promise.all(
      jobs.map(async (job) => entryOf(jobVerb, job.kind, job, await jobAction(jobVerb, job, signal))),
    );
    return found.flat();
  }
  const appVerb = appVerbs.find((one) => one === first.toLowerCase());
  if (!appVerb) return [];
  const { apps } = await api.listApps({ query, signal }).catch(() => ({ apps: [] }));
  return apps.flatMap((app) => entryOf(appVerb, "app", app, appAction(appVerb, app)));
}

function entryOf(
  verb: JobVerb | AppVerb,
  kind: string,
  { name, environment_id }: Pick<Job | App, "name" | "environment_id">,
  perform: Perform | undefined,
): ActionEntry[] {
  if (!perform) return [];
  const why = whyNot("operator", environment_id);
  return [
    {
      text: `${verb[0]?.toUpperCase()}${verb.slice(1)} ${name}`,
      note: why ?? `${kind} in ${environmentNameOf(environment_id)}`,
      icon: icons[verb],
      choose: () => (why === undefined ? void perform().catch(complain) : notify(why, true)),
    },
  ];
}

const complain = (error: unknown) => notify(error instanceof Error ? error.message : String(error), true);

/** Undefined: the action does not apply to the job now. */
async function jobAction(verb: JobVerb, job: Job, signal: AbortSignal): Promise<Perform | undefined> {
  if (verb === "cancel" || verb === "retry") return runAction(verb, job, signal);
  const actions = actionsOf(job);
  if (verb === "run") return async () => navigate(`/runs/${(await actions.run()).id}`);
  const change = actions[verb];
  return change && (() => changed(change, `${job.name} is ${verb === "pause" ? "paused" : "active again"}.`));
}

/** The action on the newest run of a job. */
async function runAction(
  verb: "cancel" | "retry",
  job: Job,
  signal: AbortSignal,
): Promise<Perform | undefined> {
  const params = { job_id: job.id };
  const found = await api.listRunsOfJob({ params, query: { limit: 1 }, signal }).catch(() => ({ runs: [] }));
  const [run] = found.runs;
  const isOpen = run?.status === "running" || run?.status === "queued";
  if (!run || isOpen !== (verb === "cancel") || run.status === "succeeded") return undefined;
  const request = { params: { run_id: run.id } };
  if (verb === "cancel")
    return () => changed(() => api.cancelRun(request), `The run of ${job.name} is being cancelled.`);
  return async () => {
    const { id } = await api.retryRun({ ...request, idempotencyKey: crypto.randomUUID() });
    navigate(`/runs/${id}`);
  };
}

function appAction(verb: AppVerb, app: App): Perform | undefined {
  if ((app.desired_state === "stopped") !== (verb === "start")) return undefined;
  const request = {
    body: { application_name: app.name },
    environment: app.environment_id,
    timeoutMs: 120_000,
  };
  return () =>
    verb === "start"
      ? changed(() => api.startApp(request), `${app.name} is running.`)
      : changed(() => api.stopApp(request), `${app.name} is stopped.`);
}

async function changed(change: Perform, message: string): Promise<void> {
  await change();
  void queryClient.invalidateQueries();
  notify(message);
}
