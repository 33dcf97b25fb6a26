import { ApiError } from "@lakehelm/contract/client";
import { openSession, type Session } from "../connection/session.ts";
import { Failure } from "../failure.ts";
import { type GlobalOptions, outputOf } from "../globals.ts";
import { type Io, note } from "../io.ts";
import { printValue } from "../output/print.ts";

export async function whoami(io: Io, globals: GlobalOptions): Promise<void> {
  const { client, connection } = await openSession(io, globals);
  const [status, session] = await Promise.all([
    client.getAuthStatus({ signal: io.signal }),
    client.getSession({ signal: io.signal }),
  ]);
  const { url, environment = null, source } = connection;
  const { name, role } = session;
  await printValue(io, { name, role, url, environment, credentials: source, ...status }, outputOf(globals));
}

export async function status(io: Io, globals: GlobalOptions): Promise<void> {
  const session = await openSession(io, globals);
  const { client, connection } = session;
  const [health, info] = await Promise.all([healthOf(session), client.getInfo({ signal: io.signal })]);
  const { version, store, platform, paused } = info;
  const { url, environment = null } = connection;
  const ready = health.problem === undefined;
  const about = { url, environment, ready, version, store, platform, paused };
  const counts = connection.credentials && ready ? await countsOf(session) : undefined;
  await printValue(io, { ...about, ...counts }, outputOf(globals));
  if (!counts && ready) note(io, 'Log in to see what runs: "lakehelm login".');
  if (health.degraded !== undefined) note(io, health.degraded);
  if (!ready) throw new Failure(`The server is not ready: ${health.problem}`);
}

interface ServerHealth {
  /** Why the server is not ready. */
  readonly problem?: string;
  /** What does not work although the server is ready. */
  readonly degraded?: string;
}

async function healthOf({ client, io }: Session): Promise<ServerHealth> {
  try {
    const { ready, detail } = await client.getHealth({ signal: io.signal });
    if (ready) return detail === null ? {} : { degraded: detail };
    return { problem: detail ?? "it does not say why." };
  } catch (error) {
    if (error instanceof ApiError && error.status === 503)
      return { problem: "its health check returned 503." };
    throw error;
  }
}

async function countsOf({ client, io: { signal } }: Session) {
  const one = { limit: 1 };
  const connectorsIn = async (status: "failing" | "failed") =>
    (await client.listConnectors({ query: { ...one, status }, signal })).total;
  const flowsIn = async (status: "warning" | "failing" | "failed") =>
    (await client.listFlows({ query: { ...one, status }, signal })).total;
  const failingJobs = async (kind: "pipeline" | "automation") => {
    let count = 0;
    for await (const { failures } of client.all.listJobs({ query: { kind }, signal }))
      if (failures > 0) count += 1;
    return count;
  };
  const [
    environments,
    connectors,
    flows,
    pipelines,
    automations,
    jobs,
    warning,
    failing,
    refused,
    running,
    queued,
  ] = await Promise.all([
    client.listEnvironments({ query: one, signal }),
    client.listConnectors({ query: one, signal }),
    client.listFlows({ query: one, signal }),
    client.listPipelines({ query: one, signal }),
    client.listAutomations({ query: one, signal }),
    Promise.all([failingJobs("pipeline"), failingJobs("automation")]),
    flowsIn("warning"),
    Promise.all([connectorsIn("failing"), flowsIn("failing")]),
    Promise.all([connectorsIn("failed"), flowsIn("failed")]),
    client.listRuns({ query: { limit: 1000, status: "running" }, signal }),
    client.listRuns({ query: { limit: 1000, status: "queued" }, signal }),
  ]);
  return {
    environments: environments.total,
    connectors: connectors.total,
    connectors_failing: failing[0],
    connectors_failed: refused[0],
    flows: flows.total,
    flows_warning: warning,
    flows_failing: failing[1],
    flows_failed: refused[1],
    pipelines: pipelines.total,
    pipelines_failing: jobs[0],
    automations: automations.total,
    automations_failing: jobs[1],
    runs_running: running.runs.length,
    runs_queued: queued.runs.length,
  };
}
