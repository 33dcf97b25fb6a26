import type { Client } from "@lakehelm/contract/client";

export interface Load {
  readonly automations: number;
  readonly pipelines: number;
  readonly apps: number;
}

/** Automations write into few tables, so that they meet each other there. */
const tables = 10;
export const tickTable = (n: number): string => `main.soak.ticks_${n % tables}`;
export const tickTables = Array.from({ length: tables }, (_, n) => tickTable(n));
export const automationName = (n: number): string => `tick-${n}`;
export const pipelineName = (n: number): string => `copy-${n}`;
export const copyTable = (n: number): string => `main.soak.copy_${n}`;
const appName = (n: number): string => `app-${n}`;

/** Each automation has a second of its own in every minute, so that slots can be told without asking the server. */
export const secondOf = (n: number): number => (n * 7) % 60;

/** A pipeline is run by the automation of the same number, after its tick. */
function definitionOf(n: number, { pipelines }: Load) {
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
createServer((_, response) => response.end("here")).listen(process.env.DATABRICKS_APP_PORT, "127.0.0.1");
`,
};

/** Registers everything, and releases it. */
export async function install(client: Client, load: Load): Promise<void> {
  await makeTables(client);
  for (let n = 0; n < load.pipelines; n++) {
    const path = `pipelines/${pipelineName(n)}.sql`;
    const body = `CREATE OR REFRESH STREAMING TABLE ${copyTable(n)} AS SELECT * FROM STREAM ${tickTable(n)};\n`;
    await client.putFile({ params: { path }, body });
    await client.createPipeline({ body: { name: pipelineName(n), libraries: [{ file: { path } }] } });
  }
  for (let n = 0; n < load.apps; n++) {
    const source_path = `apps/${appName(n)}`;
    for (const [name, body] of Object.entries(appFiles)) {
      await client.putFile({ params: { path: `${source_path}/${name}` }, body });
    }
    await client.createApp({ body: { name: appName(n), source_path } });
    await client.startApp({ body: { application_name: appName(n) } });
  }
  for (let n = 0; n < load.automations; n++) {
    const alias = automationName(n);
    await client.createAutomation({ body: { alias, definition: definitionOf(n, load) } });
    await client.syncAutomationRelease({
      body: { automation_alias: alias, environment: "local", action: "activate", metadata: { version: "1" } },
    });
  }
}

async function makeTables(client: Client): Promise<void> {
  const alias = "make-tables";
  const query = tickTables.map((table) => `CREATE TABLE ${table} (automation STRING, run STRING)`).join("; ");
  await client.createAutomation({
    body: { alias, definition: { tasks: [{ name: "make", kind: "sql", query }] } },
  });
  await client.syncAutomationRelease({
    body: { automation_alias: alias, environment: "local", action: "activate", metadata: { version: "1" } },
  });
  const { id } = await client.runAutomation({ params: { automation_alias: alias }, body: {} });
  const { status, error } = await ended(client, id);
  if (status !== "succeeded") throw new Error(`the tables could not be made: ${error}`);
}

/** A run that has ended, waited for. */
async function ended(client: Client, run_id: string) {
  for (;;) {
    const run = await client.getRun({ params: { run_id } });
    if (run.status !== "queued" && run.status !== "running") return run;
    await new Promise((resume) => setTimeout(resume, 100));
  }
}
