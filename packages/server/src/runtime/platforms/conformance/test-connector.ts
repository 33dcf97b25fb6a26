import type { TestContext } from "node:test";
import type { Connector, Job, Run } from "@lakehelm/contract";
import type { Client } from "@lakehelm/contract/client";
import { until } from "@lakehelm/testing/until";
import { unique } from "../../../testing/server.ts";
import type { ConnectorBody, PlatformHarness, TransferFixture } from "./harness.ts";

/** A connector under test, with its source and its target. */
export interface TestConnector extends Omit<TransferFixture, "connector"> {
  /** As it was created. */
  readonly connector: Connector;
  readonly id: string;
  readonly jobId: string;
  readonly waitMs: number | undefined;
  /** As it is now. */
  now(): Promise<Connector>;
  job(): Promise<Job>;
  /** Requests a run; resolves immediately. */
  run(): Promise<Run>;
  /** Requests a run and waits for its end. */
  runToEnd(): Promise<Run>;
  /** Newest first. */
  runs(): Promise<Run[]>;
}

/** Creates a connector that is deleted after the test. It only runs on request unless `more` specifies another mode. */
export async function openConnector(
  t: TestContext,
  harness: PlatformHarness,
  /** The client of the current server. */
  client: () => Client,
  more?: Partial<ConnectorBody>,
  environment?: string,
): Promise<TestConnector> {
  const fixture = await harness.openFixture();
  const created = await client().createConnector({
    body: {
      name: unique("orders"),
      execution_mode: "manual",
      created_by: "ada",
      ...fixture.connector,
      ...more,
    },
    ...(environment !== undefined && { environment }),
  });
  const connector = await installed(client(), created, harness.waitMs);
  const params = { connector_id: connector.id };
  t.after(async () => {
    await client()
      .deleteConnector({ params })
      .catch(() => undefined);
    await fixture.close();
  });
  const job = { job_id: connector.workflow_id ?? "" };
  const run = () => client().runJob({ params: job });
  return {
    ...fixture,
    connector,
    id: connector.id,
    jobId: job.job_id,
    waitMs: harness.waitMs,
    now: () => client().getConnector({ params }),
    job: () => client().getJob({ params: job }),
    run,
    runToEnd: async () => ended(client(), await run(), harness.waitMs),
    runs: async () => (await client().listRunsOfJob({ params: job })).runs,
  };
}

/** Waits until the platform has the connector: a request does not wait long for a slow platform. */
export const installed = (client: Client, created: Connector, waitMs?: number): Promise<Connector> =>
  until(
    async () => {
      const now =
        created.workflow_id === null
          ? await client.getConnector({ params: { connector_id: created.id } })
          : created;
      return now.workflow_id === null && now.status !== "failed" ? undefined : now;
    },
    undefined,
    waitMs,
  );

/** The run, when it has ended. */
export const ended = (client: Client, { id }: Pick<Run, "id">, waitMs?: number): Promise<Run> =>
  until(
    async () => {
      const run = await client.getRun({ params: { run_id: id } });
      return run.status === "queued" || run.status === "running" ? undefined : run;
    },
    undefined,
    waitMs,
  );

/** The runs of a job, newest first, when there are any. */
export const startedRuns = ({ runs, waitMs }: Pick<TestConnector, "runs" | "waitMs">): Promise<Run[]> =>
  until(
    async () => {
      const found = await runs();
      return found.length > 0 ? found : undefined;
    },
    undefined,
    waitMs,
  );

/** Rows of a source, numbered; later rows have later change times. */
export const rows = (...names: readonly string[]) =>
  names.map((name, at) => ({
    id: at + 1,
    name,
    updated_at: new Date(Date.UTC(2026, 0, 1, 0, 0, at)).toISOString().replace(".000Z", "Z"),
  }));
