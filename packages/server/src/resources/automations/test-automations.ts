/** Automations that are released and run on a real server, and an HTTP server that their tasks call. */
import { after, before } from "node:test";
import type { Run } from "@lakehelm/contract";
import { until } from "@lakehelm/testing/until";
import { type DatabaseEngine, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { storedTasks, type TaskState } from "./execution/task-state.ts";
import { type RequestReceiver, startRequestReceiver } from "./execution/test-receiver.ts";

export type TestDefinition = Parameters<TestServer["client"]["setDefinition"]>[0]["body"];
export type TestTask = TestDefinition["tasks"][number];

export const tasksOf = (run: Pick<Run, "metrics">): TaskState[] => storedTasks(run)?.tasks ?? [];
export const statuses = (run: Run) =>
  Object.fromEntries(tasksOf(run).map(({ name, status }) => [name, status]));

export const http = (name: string, url: string, more: Partial<TestTask> = {}): TestTask => ({
  name,
  kind: "http",
  url,
  ...more,
});

const pollMs = 20;

export async function ended({ client }: TestServer, id: string): Promise<Run> {
  const read = () => client.getRun({ params: { run_id: id } });
  await until(async () => (await read()).ended_at !== null, pollMs);
  return read();
}

export async function reached(receiver: RequestReceiver, path: string) {
  await until(() => receiver.received(path).length > 0, pollMs);
  return receiver.received(path);
}

/** Releases an automation, by default in an environment of its own. `server`: returns the current server. */
export async function releasedOn(
  server: () => TestServer,
  receiver: RequestReceiver,
  tasks: (path: (name: string) => string) => TestTask[],
  more: Partial<TestDefinition> = {},
  where?: string,
) {
  const alias = unique("orders-daily");
  const environment = where ?? unique("prod");
  const params = { automation_alias: alias };
  if (where === undefined) await server().client.createEnvironment({ body: { name: environment } });
  const path = (name: string) => `/${alias}/${name}`;
  const definition = { ...more, tasks: tasks((name) => `${receiver.url}${path(name)}`) };
  await server().client.createAutomation({ body: { alias, definition } });
  const release = (version: string) =>
    server().client.syncAutomationRelease({ body: { ...params, environment, metadata: { version } } });
  const { release: current } = await release("1");
  const start = (body: { parameters?: Record<string, unknown>; reason?: string } = {}) =>
    server().client.runAutomation({ params, environment, body });
  return {
    alias,
    environment,
    environmentId: current?.environment_id,
    params,
    path,
    release,
    job_id: current?.workflow_id ?? "",
    start,
    run: async (body = {}) => ended(server(), (await start(body)).id),
    lines: async ({ id }: Run) =>
      (await server().client.readRunLog({ params: { run_id: id } })).lines.map(({ line }) => line),
  };
}

/** In a suite: a server for all its tests that runs one automation at a time, and the HTTP server that its tasks call. */
export function automationSuite(engine: DatabaseEngine) {
  let server: TestServer;
  let receiver: RequestReceiver;
  before(async () => {
    receiver = await startRequestReceiver();
    const settings = { PLATFORM_PRIVATE_ADDRESSES: "127.0.0.0/8", PLATFORM_RUNS_AT_ONCE: "1" };
    server = await startTestServer({ engine, settings });
  });
  after(async () => {
    await server.close();
    await receiver.close();
  });
  type Given = Parameters<typeof releasedOn> extends [unknown, unknown, ...infer More] ? More : never;
  return {
    get server() {
      return server;
    },
    /** A test that restarts the server sets the new one. */
    set server(restarted) {
      server = restarted;
    },
    get receiver() {
      return receiver;
    },
    released: (...given: Given) => releasedOn(() => server, receiver, ...given),
  };
}
