import type { Client } from "@lakehelm/contract/client";

export interface Workload {
  readonly automations: number;
  readonly pipelines: number;
  readonly apps: number;
}

/** There are few tables for many automations, so that their transactions conflict. */
const tables = 10;
export const tickTable = (n: number): string => `main.soak.ticks_${n % tables}`;
export const tickTables = Array.from({ length: tables }, (_, n) => tickTable(n));
export const automationName = (n: number): string => `tick-${n}`;
export const pipelineName = (n: number): string => `copy-${n}`;
export const copyTable = (n: number): string => `main.soak.copy_${n}`;
const appName = (n: number): string => `app-${n}`;

/** The second of each minute at which an automation fires. The test derives the scheduled times from it. */
export const secondOf = (n: number): number => (n * 7) % 60;

/** After its tick, automation n runs pipeline n if that exists. */
function definitionOf(n: number, { pipelines }: Workload) {
  const tick = {
    name: "tick",
    kind: "sql" as const,
    query: `INSERT INTO ${tickTable(n)} VALUES ('${automationName(n)}', '{{run.id}}')`,
    retries: 3,
    retry_seconds: 1,
  };
  const copy = {
    name: "copy",
    kind: "pipeline" as const,
    reference: pipelineName(n),
    depends_on: ["tick"],
    retries: 3,
    retry_seconds: 1,
  };
  return {
    schedule: { cron: `${secondOf(n)} * * * * *`, timezone: "UTC" },
    tasks: n < pipelines ? [tick, copy] : [tick],
  };
}

const appFiles = {
  "app.yaml": "command: [node, app.mjs]\n",
  "app.mjs": `import { createServer } from "node:http";
createServer((_, response) => response.end("ok")).listen(process.env.DATABRICKS_APP_PORT, "127.0.0.1");
`,
};

/** Creates the tables, pipelines, apps and automations, starts the apps and releases the automations. */
export async function installWorkload(client: Client, workload: Workload): Promise<void> {
  await createTables(client);
  for (let n = 0; n < workload.pipelines; n++) {
    const path = `pipelines/${pipelineName(n)}.sql`;
    const body = `CREATE OR REFRESH STREAMING TABLE ${copyTable(n)} AS SELECT * FROM STREAM ${tickTable(n)};\n`;
    await client.putFile({ params: { path }, body });
    await client.createPipeline({ body: { name: pipelineName(n), libraries: [{ file: { path } }] } });
  }
  for (let n = 0; n < workload.apps; n++) {
    const source_path = `apps/${appName(n)}`;
    for (const [name, body] of Object.entries(appFiles)) {
      await client.putFile({ params: { path: `${source_path}/${name}` }, body });
    }
    await client.createApp({ body: { name: appName(n), source_path } });
    await client.startApp({ body: { application_name: appName(n) } });
  }
  for (let n = 0; n < workload.automations; n++) {
    const alias = automationName(n);
    await client.createAutomation({ body: { alias, definition: definitionOf(n, workload) } });
    await client.syncAutomationRelease({
      body: { automation_alias: alias, environment: "local", action: "activate", metadata: { version: "1" } },
    });
  }
}

async function createTables(client: Client): Promise<void> {
  const alias = "create-tables";
  const query = tickTables.map((table) => `CREATE TABLE ${table} (automation STRING, run STRING)`).join("; ");
  await client.createAutomation({
    body: { alias, definition: { tasks: [{ name: "create", kind: "sql", query }] } },
  });
  await client.syncAutomationRelease({
    body: { automation_alias: alias, environment: "local", action: "activate", metadata: { version: "1" } },
  });
  const { id } = await client.runAutomation({ params: { automation_alias: alias }, body: {} });
  const { status, error } = await endOf(client, id);
  if (status !== "succeeded") throw new Error(`Could not create the tables: ${error}`);
}

/** Polls a run until it has ended. */
async function endOf(client: Client, run_id: string) {
  for (;;) {
    const run = await client.getRun({ params: { run_id } });
    if (run.status !== "queued" && run.status !== "running") return run;
    await new Promise((resume) => setTimeout(resume, 100));
  }
}
