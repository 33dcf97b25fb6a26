import type { Job } from "@lakehelm/contract";
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

const most = 5;
const verbs = ["run", "pause", "resume"] as const;
type Verb = (typeof verbs)[number];
const icons: Readonly<Record<Verb, string>> = { run: "play", pause: "pause", resume: "play" };

/** `run orders`, `pause orders`, `resume orders`: the jobs whose names contain the rest. */
export async function findActions(
  text: string,
  environment: string | undefined,
  signal: AbortSignal,
): Promise<readonly ActionEntry[]> {
  const [first = "", ...rest] = text.trim().split(/\s+/);
  const verb = verbs.find((one) => one === first.toLowerCase());
  const search = rest.join(" ");
  if (!verb || search === "") return [];
  const query = { search, limit: most, ...(environment !== undefined && { environment }) };
  const { jobs } = await api.listJobs({ query, signal }).catch(() => ({ jobs: [] }));
  return jobs.flatMap((job) => {
    const perform = actionOf(verb, job);
    if (!perform) return [];
    const why = whyNot("operator", job.environment_id);
    return [
      {
        text: `${verb[0]?.toUpperCase()}${verb.slice(1)} ${job.name}`,
        note: why ?? `${job.kind} in ${environmentNameOf(job.environment_id)}`,
        icon: icons[verb],
        choose: () => (why === undefined ? void perform().catch(complain) : notify(why, true)),
      },
    ];
  });
}

const complain = (error: unknown) => notify(error instanceof Error ? error.message : String(error), true);

/** Undefined: it is not for this job now. */
function actionOf(verb: Verb, job: Job): (() => Promise<unknown>) | undefined {
  const actions = actionsOf(job);
  if (verb === "run") return async () => navigate(`/runs/${(await actions.run()).id}`);
  const change = actions[verb];
  if (!change) return undefined;
  return async () => {
    await change();
    void queryClient.invalidateQueries();
    notify(`${job.name} is ${verb === "pause" ? "paused" : "active again"}.`);
  };
}
