import { FakeError, type FakeRequest, type Routes } from "./route.ts";

// biome-ignore lint/suspicious/noExplicitAny: settings as the caller sent them
type Settings = any;

export interface FakeJob {
  readonly job_id: string;
  settings: Settings;
}

export interface FakeRun {
  readonly run_id: string;
  readonly job_id: string;
  readonly trigger: string;
  readonly start_time: number;
  readonly token: string | undefined;
  readonly tasks: readonly { readonly task_key: string; readonly run_id: string }[];
  end_time: number;
  /** QUEUED, PENDING, RUNNING, or TERMINATED with a code. */
  state: string;
  code: string | undefined;
  message: string;
  error: string | undefined;
  /** Ids of repairs, the latest last. */
  repairs: string[];
}

/** Jobs and runs. Ids are odd numbers beyond 2^53, which a double would round. Runs change only when the test says so. */
export function jobRoutes(now: () => number = Date.now) {
  const jobs = new Map<string, FakeJob>();
  const runs = new Map<string, FakeRun>();
  /** What a test does when a run has begun or ended. */
  const hooks: { begun?: (run: FakeRun) => void; ended?: (run: FakeRun) => void } = {};
  let last = 2n ** 53n + 1n;
  function newId(): string {
    last += 2n;
    return String(last);
  }

  function idIn({ text }: FakeRequest, name: "job_id" | "run_id"): string {
    const found = new RegExp(`"${name}":\\s*(\\d+)`).exec(text);
    if (!found?.[1]) throw new FakeError(400, "MALFORMED_REQUEST", `Missing required field: ${name}`);
    return found[1];
  }
  function jobOf(id: string): FakeJob {
    const job = jobs.get(id);
    if (!job) throw new FakeError(400, "INVALID_PARAMETER_VALUE", `Job ${id} does not exist.`);
    return job;
  }
  function runOf(id: string): FakeRun {
    const run = runs.get(id);
    if (!run) throw new FakeError(400, "INVALID_PARAMETER_VALUE", `Run ${id} does not exist.`);
    return run;
  }
  function checked(settings: Settings): Settings {
    const starters = ["schedule", "trigger", "continuous"].filter((key) => settings[key] !== undefined);
    if (starters.length > 1) throw new FakeError(400, "INVALID_PARAMETER_VALUE", `one of ${starters}`);
    if (Object.keys(settings.tags ?? {}).length > 25)
      throw new FakeError(400, "INVALID_PARAMETER_VALUE", "tags");
    return settings;
  }
  const raw = (id: string) => JSON.rawJSON(id);

  /** What the service adds by itself. */
  const withDefaults = ({ tasks = [], ...settings }: Settings) => ({
    format: "MULTI_TASK",
    email_notifications: {},
    webhook_notifications: {},
    timeout_seconds: 0,
    max_concurrent_runs: 1,
    edit_mode: "EDITABLE",
    ...settings,
    tasks: tasks.map((task: Settings) => ({
      run_if: "ALL_SUCCESS",
      timeout_seconds: 0,
      email_notifications: {},
      ...task,
      ...(task.notebook_task && { notebook_task: { source: "WORKSPACE", ...task.notebook_task } }),
    })),
  });

  function shown(run: FakeRun, withTasks: boolean): object {
    const state = {
      status: {
        state: run.state,
        ...(run.code && { termination_details: { code: run.code, message: run.message } }),
      },
    };
    return {
      run_id: raw(run.run_id),
      job_id: raw(run.job_id),
      trigger: run.trigger,
      creator_user_name: "ada@example.test",
      start_time: run.start_time,
      end_time: run.end_time,
      run_page_url: `https://workspace.example.test/#job/${run.job_id}/run/${run.run_id}`,
      ...state,
      ...(withTasks && {
        tasks: run.tasks.map((task) => ({
          ...task,
          run_id: raw(task.run_id),
          start_time: run.start_time,
          end_time: run.end_time,
          ...state,
        })),
      }),
    };
  }

  /** A page of items; the token is the number of items before it. */
  function page(items: readonly object[], { query }: FakeRequest, key: string, most: number): object {
    const from = Number(query.page_token ?? 0);
    const size = Math.min(Number(query.limit ?? 20), most);
    const some = items.slice(from, from + size);
    const isMore = from + size < items.length;
    return {
      ...(some.length > 0 && { [key]: some }),
      ...(isMore && { next_page_token: String(from + size) }),
    };
  }

  function begin(job: FakeJob, trigger: string, token?: string): FakeRun {
    const tasks = (job.settings.tasks ?? []).map((task: { task_key: string }) => ({
      ...task,
      run_id: newId(),
    }));
    const run: FakeRun = {
      run_id: newId(),
      job_id: job.job_id,
      trigger,
      start_time: now(),
      token,
      tasks,
      end_time: 0,
      state: "RUNNING",
      code: undefined,
      message: "",
      error: undefined,
      repairs: [],
    };
    runs.set(run.run_id, run);
    hooks.begun?.(run);
    return run;
  }

  function end(run: FakeRun, code: string, error?: string): void {
    Object.assign(run, { state: "TERMINATED", code, error, end_time: now() });
    hooks.ended?.(run);
  }

  const routes: Routes = {
    "POST /api/2.2/jobs/create": ({ body }) => {
      const job_id = newId();
      jobs.set(job_id, { job_id, settings: checked(body) });
      return { job_id: raw(job_id) };
    },
    "POST /api/2.2/jobs/reset": (request) => {
      jobOf(idIn(request, "job_id")).settings = checked(request.body.new_settings);
      return {};
    },
    "POST /api/2.2/jobs/update": (request) => {
      const job = jobOf(idIn(request, "job_id"));
      job.settings = checked({ ...job.settings, ...request.body.new_settings });
      return {};
    },
    "POST /api/2.2/jobs/delete": (request) => {
      jobs.delete(jobOf(idIn(request, "job_id")).job_id);
      return {};
    },
    "GET /api/2.2/jobs/get": ({ query }) => {
      const { job_id, settings } = jobOf(query.job_id ?? "");
      return { job_id: raw(job_id), settings: withDefaults(settings) };
    },
    "GET /api/2.2/jobs/list": (request) => {
      const wanted = request.query.name?.toLowerCase();
      const found = [...jobs.values()]
        .reverse()
        .filter(({ settings }) => wanted === undefined || settings.name.toLowerCase() === wanted)
        .map(({ job_id, settings }) => {
          const { tasks, ...rest } = withDefaults(settings);
          const isWhole = request.query.expand_tasks === "true";
          return { job_id: raw(job_id), settings: isWhole ? { ...rest, tasks } : rest };
        });
      return page(found, request, "jobs", 100);
    },
    "POST /api/2.2/jobs/run-now": (request) => {
      const job = jobOf(idIn(request, "job_id"));
      const { idempotency_token: token } = request.body;
      const known = [...runs.values()].find((run) => token !== undefined && run.token === token);
      return { run_id: raw((known ?? begin(job, "ONE_TIME", token)).run_id) };
    },
    "GET /api/2.2/jobs/runs/list": (request) => {
      const { active_only, completed_only, start_time_from = "0" } = request.query;
      const found = [...runs.values()]
        .reverse()
        .filter(({ state }) => active_only !== "true" || state !== "TERMINATED")
        .filter(({ state }) => completed_only !== "true" || state === "TERMINATED")
        .filter(({ start_time }) => start_time >= Number(start_time_from));
      return page(
        found.map((run) => shown(run, false)),
        request,
        "runs",
        25,
      );
    },
    "GET /api/2.2/jobs/runs/get": ({ query }) => {
      const run = runOf(query.run_id ?? "");
      const repairs = run.repairs.map((id) => ({ type: "REPAIR", id: raw(id) }));
      const history = { repair_history: [{ type: "ORIGINAL" }, ...repairs] };
      return { ...shown(run, true), ...(query.include_history === "true" && history) };
    },
    "POST /api/2.2/jobs/runs/repair": (request) => {
      const run = runOf(idIn(request, "run_id"));
      const [, latest] = /"latest_repair_id":\s*(\d+)/.exec(request.text) ?? [];
      if (run.state !== "TERMINATED" || run.code === "SUCCESS")
        throw new FakeError(400, "INVALID_STATE", `Run ${run.run_id} cannot be repaired.`);
      if (latest !== run.repairs.at(-1))
        throw new FakeError(400, "INVALID_PARAMETER_VALUE", "latest_repair_id is not the latest one.");
      const repair_id = newId();
      run.repairs.push(repair_id);
      Object.assign(run, { state: "RUNNING", code: undefined, end_time: 0, error: undefined });
      hooks.begun?.(run);
      return { repair_id: raw(repair_id) };
    },
    "GET /api/2.2/jobs/runs/get-output": ({ query }) => {
      const run = [...runs.values()].find(({ tasks }) => tasks.some(({ run_id }) => run_id === query.run_id));
      if (!run)
        throw new FakeError(
          400,
          "INVALID_PARAMETER_VALUE",
          "Retrieving the output of runs with multiple tasks is not supported.",
        );
      return run.error === undefined
        ? { notebook_output: { result: "done" } }
        : { error: run.error, error_trace: `Traceback\n${run.error}` };
    },
    "POST /api/2.2/jobs/runs/cancel": (request) => {
      const run = runOf(idIn(request, "run_id"));
      if (run.state !== "TERMINATED") end(run, "USER_CANCELED");
      return {};
    },
  };
  return { routes, jobs, runs, begin, end, hooks };
}
