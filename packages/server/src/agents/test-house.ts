import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Agent, endpoints } from "@lakehelm/contract";
import { type ApiError, createClient } from "@lakehelm/contract/client";
import { openApiDocument } from "@lakehelm/contract/openapi";
import { pino } from "pino";
import { createApps } from "../apps/apps.ts";
import { appHandlers } from "../apps/routes.ts";
import { createEnvironments } from "../environments/environments.ts";
import { environmentHandlers } from "../environments/routes.ts";
import { createApp } from "../http/app.ts";
import { createDocs } from "../http/docs.ts";
import { createGuard } from "../http/guard.ts";
import type { Handlers } from "../http/handler.ts";
import { createIdempotency } from "../http/idempotency.ts";
import { createMetrics } from "../http/metrics.ts";
import { openIdentity } from "../identity/identity.ts";
import { identityHandlers } from "../identity/routes.ts";
import { uuidV7 } from "../ids.ts";
import { createEmbeddedPlatform } from "../platforms/embedded/index.ts";
import type { Intent, Outcome, Platform } from "../platforms/platform.ts";
import { createWork } from "../platforms/work.ts";
import { openVault } from "../secrets/vault.ts";
import { readSettings } from "../settings.ts";
import { openDatabase } from "../store/open.ts";
import { createStore } from "../store/store.ts";
import { createAgents } from "./agents.ts";
import { agentHandlers } from "./routes.ts";

const token = "the service token of these tests";
const client = { PLATFORM_CLIENT_ID: "deployer", PLATFORM_CLIENT_SECRET: "the client's secret" };

/** Somebody else's platform: it answers when and what the test says. */
export interface RemotePlatform {
  readonly platform: Platform;
  /** What it was asked, in that order: `component.start agent/… chat`. */
  readonly asked: Intent[];
  answer: (intent: Intent) => Promise<Outcome> | Outcome;
}

export function remotePlatform(): RemotePlatform {
  const asked: Intent[] = [];
  const remote: RemotePlatform = {
    asked,
    answer: () => ({ done: true, reference: null }),
    platform: {
      name: "remote",
      capabilities: { connectorTargets: [] },
      async perform(intent) {
        asked.push(intent);
        return remote.answer(intent);
      },
    },
  };
  return remote;
}

export async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-agents-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

/** Agents, apps and environments on a real SQLite file, behind the real HTTP side and the shipped client. */
export async function openHouse(t: TestContext, folder: string, remote = remotePlatform()) {
  const settings = readSettings({ PLATFORM_SERVICE_AUTH_TOKEN: token, ...client });
  const nature = { now: () => new Date(), newId: uuidV7(Date.now, randomBytes), randomBytes };
  const { engine } = await openDatabase(undefined, folder);
  const store = createStore(engine, nature.newId);
  const vault = openVault("a secret key for tests", randomBytes);
  const parts = { settings, store, vault, nature };
  const work = createWork(store, [createEmbeddedPlatform(store), remote.platform]);
  const environments = createEnvironments(parts, work);
  const agents = createAgents(parts, work);
  const apps = createApps(parts, work, environments, agents);
  const identity = await openIdentity(parts);
  await environments.ensureDefault({ actor: "test", requestId: null, time: nature.now().toISOString() });
  const stopping = new AbortController();
  const app = createApp({
    settings,
    nature,
    log: pino({ level: "silent" }),
    metrics: createMetrics(process.memoryUsage, process.uptime),
    idempotency: createIdempotency(store, vault.deriveKey("idempotency"), nature.now),
    guard: createGuard(identity.authenticate, () => {}),
    handlers: {
      ...identityHandlers(parts, identity),
      ...environmentHandlers(environments),
      ...agentHandlers(agents, environments),
      ...appHandlers(apps, environments),
    } satisfies Partial<Handlers<typeof endpoints>> as Handlers<typeof endpoints>,
    docs: createDocs(() => openApiDocument({ version: "test" })),
    stopping: stopping.signal,
    checkAnswers: true,
  });
  await new Promise<void>((ready) => app.listen(0, "127.0.0.1", ready));
  const baseUrl = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
  t.after(async () => {
    stopping.abort();
    app.closeAllConnections();
    await new Promise((done) => app.close(done));
    await store.close();
  });

  const records = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("embedded_records").select(["kind", "subject", "data"]).orderBy("id"),
  );
  const events = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("pending_events").select(["kind", "subject"]).orderBy("arrival"),
  );
  const admin = createClient({ baseUrl, token, retries: 0 });
  return {
    client: admin,
    agents,
    /** A caller whose role is operator. */
    async operator() {
      const body = { client_id: client.PLATFORM_CLIENT_ID, client_secret: client.PLATFORM_CLIENT_SECRET };
      const { access_token } = await admin.exchangeToken({ body });
      return createClient({ baseUrl, token: access_token, retries: 0 });
    },
    /** What the embedded platform was asked: `component.stop agent/… chat`. */
    async records() {
      return (await store.all(records({}))).map((row) => told(row.kind, row.subject, JSON.parse(row.data)));
    },
    async events() {
      return (await store.all(events({}))).map(({ kind, subject }) => `${kind} ${subject}`);
    },
    resume: () => work.resume(async (id) => (await environments.read(id)).doc.platform),
  };
}

export const told = (kind: string, subject: string, data: Readonly<Record<string, unknown>>) =>
  [kind, subject, data.component].filter(Boolean).join(" ");

export const toldOf = ({ kind, subject, data }: Intent) => told(kind, subject, data);

/** Which status a call was refused with, and the sentence. */
export async function refusal(
  call: Promise<unknown>,
): Promise<{ status: number | undefined; detail: string }> {
  try {
    await call;
  } catch (error) {
    const { status, detail } = error as ApiError;
    return { status, detail };
  }
  throw new Error("the call was not refused");
}

/** `running/pending` for each component in an environment: what is desired, what is observed. */
export function states(agent: Agent, environmentId: string): Record<string, string> {
  const here = agent.components.filter((one) => one.environment_id === environmentId);
  return Object.fromEntries(here.map((one) => [one.component, `${one.desired_state}/${one.observed_state}`]));
}
