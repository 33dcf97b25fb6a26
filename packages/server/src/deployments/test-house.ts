import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { endpoints } from "@lakehelm/contract";
import { ApiError, createClient } from "@lakehelm/contract/client";
import pino from "pino";
import { createEnvironments } from "../environments/environments.ts";
import { environmentHandlers } from "../environments/routes.ts";
import { openFiles } from "../files/files.ts";
import { fileHandlers } from "../files/routes.ts";
import { createApp } from "../http/app.ts";
import { createGuard } from "../http/guard.ts";
import type { Handlers } from "../http/handler.ts";
import { createIdempotency } from "../http/idempotency.ts";
import { createMetrics } from "../http/metrics.ts";
import { openIdentity } from "../identity/identity.ts";
import { uuidV7 } from "../ids.ts";
import { createPipelines } from "../pipelines/pipelines.ts";
import { pipelineHandlers } from "../pipelines/routes.ts";
import { createEmbeddedPlatform } from "../platforms/embedded/index.ts";
import type { Intent, Outcome } from "../platforms/platform.ts";
import { createWork } from "../platforms/work.ts";
import { secretHandlers } from "../secret-store/routes.ts";
import { createSecretStore } from "../secret-store/secret-store.ts";
import { openVault } from "../secrets/vault.ts";
import { readSettings } from "../settings.ts";
import { openDatabase } from "../store/open.ts";
import { createStore } from "../store/store.ts";
import { freshDatabase } from "../testing/postgres.ts";
import type { Engine } from "../testing/server.ts";
import { createDeployments } from "./deployments.ts";
import { deploymentHandlers } from "./routes.ts";
import type { ReleaseBrief } from "./summaries.ts";

const token = "the service token of these tests";

export async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-house-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function newGround(t: TestContext, engine: Engine = "sqlite") {
  const folder = await newFolder(t);
  if (engine === "sqlite") return { folder };
  const database = await freshDatabase(`lakehelm_${randomUUID().replaceAll("-", "")}`);
  t.after(database.drop);
  return { folder, databaseUrl: database.url };
}

interface HouseOptions {
  readonly engine?: Engine;
  /** To open an earlier house again, after a crash. */
  readonly again?: { readonly folder: string; readonly databaseUrl?: string | undefined };
  /** How somebody else's platform, named `remote`, answers. */
  readonly remote?: (intent: Intent) => Promise<Outcome>;
  readonly releases?: ReleaseBrief[];
}

/** Real parts behind the real HTTP side and the shipped client, on a database of its own. */
export async function openHouse(t: TestContext, options: HouseOptions = {}) {
  const { folder, databaseUrl } = options.again ?? (await newGround(t, options.engine));
  const settings = readSettings({ PLATFORM_SERVICE_AUTH_TOKEN: token, PLATFORM_DATA_DIR: folder });
  const nature = { now: () => new Date(), newId: uuidV7(Date.now, randomBytes), randomBytes };
  const by = () => ({ actor: "test", requestId: null, time: nature.now().toISOString() });
  const { engine } = await openDatabase(databaseUrl, folder);
  const store = createStore(engine, nature.newId);
  const vault = openVault("a secret key for tests", randomBytes);
  const parts = { settings, store, vault, nature };
  const asked: Intent[] = [];
  const remote = {
    name: "remote",
    capabilities: { connectorTargets: [] },
    async perform(intent: Intent): Promise<Outcome> {
      asked.push(intent);
      return options.remote?.(intent) ?? { done: true, reference: "made there" };
    },
  };
  const work = createWork(store, [createEmbeddedPlatform(store), remote]);
  const environments = createEnvironments(parts, work);
  const releases = options.releases ?? [];
  const pipelines = createPipelines(parts, work, environments);
  const deployments = createDeployments(parts, async () => releases);
  const secrets = createSecretStore(parts);
  const files = await openFiles(parts, environments);
  const identity = await openIdentity(parts);
  await environments.ensureDefault(by());
  const stopping = new AbortController();
  const app = createApp({
    settings,
    nature,
    log: pino({ level: "error" }),
    metrics: createMetrics(process.memoryUsage, process.uptime),
    idempotency: createIdempotency(store, vault.deriveKey("idempotency"), nature.now),
    guard: createGuard(identity.authenticate, () => {}),
    docs: { page: async () => undefined },
    handlers: {
      ...environmentHandlers(environments),
      ...pipelineHandlers(pipelines, environments),
      ...deploymentHandlers(deployments, environments),
      ...secretHandlers(secrets, environments),
      ...fileHandlers(files, environments),
    } satisfies Partial<Handlers<typeof endpoints>> as Handlers<typeof endpoints>,
    stopping: stopping.signal,
    checkAnswers: true,
  });
  await new Promise<void>((listening) => app.listen(0, "127.0.0.1", listening));
  const baseUrl = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
  let closed = false;
  async function close(): Promise<void> {
    if (closed) return;
    closed = true;
    stopping.abort();
    app.closeAllConnections();
    await new Promise((done) => app.close(done));
    await store.close();
  }
  t.after(close);

  const told = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("pending_events").select("body").orderBy("arrival"),
  );
  const records = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("embedded_records").select(["kind", "subject"]).orderBy("id"),
  );
  const intents = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("intents").selectAll().orderBy("id"),
  );
  return {
    folder,
    databaseUrl,
    store,
    work,
    environments,
    pipelines,
    deployments,
    secrets,
    files,
    releases,
    /** What the remote platform was asked. */
    asked,
    by,
    close,
    client: createClient({ baseUrl, token, retries: 0 }),
    baseUrl,
    headers: { authorization: `Bearer ${token}` },
    fetch: (path: string, init: RequestInit = {}) =>
      fetch(baseUrl + path, { ...init, headers: { authorization: `Bearer ${token}` } }),
    /** What happened, as `kind` of each event but those of environments, in order. */
    async events(): Promise<{ kind: string; subject: string; actor: string; data: unknown }[]> {
      const all = (await store.all(told({}))).map(({ body }) => JSON.parse(body));
      return all.filter(({ kind }) => !/^environment\.(created|updated|deleted)/.test(kind));
    },
    async kinds(): Promise<string[]> {
      return (await this.events()).map(({ kind }) => kind);
    },
    records: async () => (await store.all(records({}))).map(({ kind, subject }) => `${kind} ${subject}`),
    intents: () => store.all(intents({})),
  };
}

export type House = Awaited<ReturnType<typeof openHouse>>;

/** The refusal of a call that must not succeed. */
export async function refusal(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => assert.fail("it succeeded"),
    (refused) => refused,
  );
  assert.ok(error instanceof ApiError, String(error));
  return error;
}
