import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import type { Attempt, endpoints } from "@lakehelm/contract";
import { ApiError, type Client, createClient } from "@lakehelm/contract/client";
import pino from "pino";
import { type ChatBindings, createChatBindings } from "../chat/bindings.ts";
import { chatHandlers } from "../chat/routes.ts";
import { createConnectors } from "../connectors/connectors.ts";
import { connectorHandlers } from "../connectors/routes.ts";
import { createDeployments } from "../deployments/deployments.ts";
import { deploymentHandlers } from "../deployments/routes.ts";
import { createEnvironments } from "../environments/environments.ts";
import { environmentHandlers } from "../environments/routes.ts";
import { createApp } from "../http/app.ts";
import { createDocs } from "../http/docs.ts";
import { createGuard } from "../http/guard.ts";
import type { Handlers } from "../http/handler.ts";
import { createIdempotency } from "../http/idempotency.ts";
import { createMetrics } from "../http/metrics.ts";
import { serviceCaller } from "../identity/service-token.ts";
import { type TestParts, testFolder, testParts } from "../identity/test-parts.ts";
import { createEmbeddedPlatform } from "../platforms/embedded/index.ts";
import type { Intent, Outcome, Platform } from "../platforms/platform.ts";
import { createWork, type Work } from "../platforms/work.ts";
import { nouns } from "../store/tables.ts";
import { type Automations, createAutomations } from "./automations.ts";
import { automationHandlers } from "./routes.ts";

export interface House {
  readonly url: string;
  readonly client: Client;
  readonly parts: TestParts;
  readonly work: Work;
  readonly automations: Automations;
  readonly chat: ChatBindings;
  readonly outside: FakePlatform;
  /** The folder in which validation makes its temporary ones. */
  readonly temporary: string;
  /** All that was written, row by row. */
  rows(): Promise<Record<string, readonly unknown[]>>;
  events(): Promise<readonly { kind: string; subject: string; data: Record<string, unknown> }[]>;
  /** What the embedded platform was asked to do. */
  asked(): Promise<readonly { kind: string; data: Record<string, unknown> }[]>;
}

/** Somebody else's platform, which answers after the change that asked it: `elsewhere`. */
interface FakePlatform {
  readonly heard: Intent[];
  answer: (intent: Intent) => Outcome | Promise<Outcome>;
}

/** The rooms of this noun and those beside it, served over HTTP on a SQLite file of their own. */
export async function openHouse(t: TestContext): Promise<House> {
  const parts = await testParts(t);
  const { store, nature, settings, vault } = parts;
  const temporary = await testFolder(t);
  const outside: FakePlatform = { heard: [], answer: () => ({ done: true, reference: "job-7" }) };
  const elsewhere: Platform = {
    name: "elsewhere",
    capabilities: { connectorTargets: [] },
    async perform(intent) {
      outside.heard.push(intent);
      return outside.answer(intent);
    },
  };
  const work = createWork(store, [createEmbeddedPlatform(store), elsewhere]);
  const environments = createEnvironments(parts, work);
  const connectors = createConnectors(parts, work, environments);
  const deployments = createDeployments(parts, (id) => automations.currentReleases(id));
  let ticks = 0;
  const automations = createAutomations(parts, work, environments, deployments, {
    lookups: {
      connector: async (name) => (await connectors.byName(name)) !== undefined,
      pipeline: async (name) => name === "nightly",
      agent: async (name) => name === "order-desk",
    },
    clock: () => (ticks += 4),
    temporary,
  });
  const chat = createChatBindings(parts, environments, automations);
  await environments.ensureDefault({ actor: "test", requestId: null, time: nature.now().toISOString() });

  const handlers = {
    ...environmentHandlers(environments),
    ...connectorHandlers(connectors, environments),
    ...deploymentHandlers(deployments, environments),
    ...automationHandlers(automations, environments),
    ...chatHandlers(chat, environments),
  } satisfies Partial<Handlers<typeof endpoints>> as Handlers<typeof endpoints>;
  const app = createApp({
    settings,
    nature,
    log: pino({ level: "silent" }),
    metrics: createMetrics(process.memoryUsage, process.uptime),
    idempotency: createIdempotency(store, vault.deriveKey("idempotency"), nature.now),
    guard: createGuard(
      () => serviceCaller,
      () => {},
    ),
    handlers,
    docs: createDocs(() => ({})),
    stopping: new AbortController().signal,
    checkAnswers: true,
  });
  await new Promise<void>((ready) => app.listen(0, "127.0.0.1", ready));
  t.after(() => new Promise((closed) => app.close(closed)));
  t.after(() => app.closeAllConnections());
  const url = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;

  const all = (table: string) => store.engine.read({ sql: `select * from ${table}`, parameters: [] });
  return {
    url,
    client: createClient({ baseUrl: url, token: "t", retries: 0 }),
    parts,
    work,
    automations,
    chat,
    outside,
    temporary,
    async rows() {
      const tables = [...nouns, "overrides", "intents", "pending_events", "embedded_records", "positions"];
      const entries = await Promise.all(tables.map(async (table) => [table, await all(table)] as const));
      return Object.fromEntries(entries);
    },
    async events() {
      return (await all("pending_events")).map(({ body }) => JSON.parse(String(body)));
    },
    async asked() {
      const found = await all("embedded_records");
      return found.map(({ kind, data }) => ({ kind: String(kind), data: JSON.parse(String(data)) }));
    },
  };
}

/** For `assert.rejects`: the status, and a pattern for the sentence. */
export const refusal = (status: number, sentence: RegExp) => (error: unknown) =>
  error instanceof ApiError && error.status === status && sentence.test(error.detail);

/** A design that validates where nothing else is there. */
export const soundDesign = {
  description: "Refresh the orders every morning",
  tasks: [
    { name: "load", kind: "sql", query: "select 1", parameters: {} },
    { name: "tell", kind: "http", url: "https://example.com/hook", depends_on: ["load"] },
  ],
  schedule: { cron: "0 6 * * *", timezone: "Europe/Berlin" },
} satisfies Partial<Attempt>;

export const soundDefinition = {
  ...soundDesign,
  tasks: soundDesign.tasks.map((task) => ({
    ...task,
    kind: task.kind === "sql" ? ("sql" as const) : ("http" as const),
  })),
};
