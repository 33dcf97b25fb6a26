/** Real channels on a real database, with a clock and receivers that the test controls. */
import { randomBytes, randomUUID } from "node:crypto";
import { after, type TestContext } from "node:test";
import type { ChatBinding, Delivery } from "@lakehelm/contract";
import { pino } from "pino";
import type { Dependencies } from "../../core/dependencies.ts";
import { openEventLog } from "../../core/events/log.ts";
import { openVault } from "../../core/secrets/vault.ts";
import type { Database as StoreEngine } from "../../core/store/database.ts";
import { migrate } from "../../core/store/migrate.ts";
import { openPostgres } from "../../core/store/postgres.ts";
import { type ChangeContext, createStore } from "../../core/store/store.ts";
import { uuidV7 } from "../../core/system.ts";
import { createOutbound } from "../../runtime/outbound/outbound.ts";
import { requestRules } from "../../runtime/outbound/rules.ts";
import type { Platform } from "../../runtime/platforms/platform.ts";
import { createPlatforms } from "../../runtime/platforms/platform-requests.ts";
import { readSettings } from "../../settings.ts";
import { testOutbox } from "../../testing/outbox.ts";
import { freshDatabase } from "../../testing/postgres.ts";
import { startRemotePlatform } from "../../testing/remote-platform.ts";
import type { DatabaseEngine } from "../../testing/server.ts";
import {
  run,
  signTestEvent,
  type TestStoreDatabase,
  testDatabase,
  testEventKey,
} from "../../testing/store.ts";
import { type TestSystem, testSystem } from "../../web/identity/test-dependencies.ts";
import { createRegistry, type Registry } from "../automations/registry.ts";
import { createEnvironments } from "../environments/environments.ts";
import { createSecretStore } from "../secrets/secret-store.ts";
import { type Chat, type ChatOptions, createChat } from "./chat.ts";

export interface TestChat {
  readonly deps: Dependencies & { readonly system: TestSystem };
  readonly chat: Chat;
  readonly registry: Registry;
  /** An environment for this test only. */
  readonly environment: { readonly id: string; readonly name: string };
  context(actor?: string): ChangeContext;
  /** Advances the clock, and does the work that is then due. */
  advance(seconds: number): Promise<void>;
  bind(url: string | null, more?: BindOptions): Promise<ChatBinding>;
  /** Writes an event in the environment of the test. */
  emit(
    kind: string,
    subject: string,
    data?: Readonly<Record<string, unknown>>,
    actor?: string,
  ): Promise<void>;
  /** Oldest first. */
  deliveries(state?: Delivery["state"]): Promise<Delivery[]>;
  /** Another server on the same database, without shared memory. */
  startAnother(settings?: Readonly<Record<string, string>>): Promise<TestChat>;
}

interface BindOptions {
  readonly channel_id?: string;
  readonly automation_alias?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly environment?: string;
}

export interface TestChatOptions extends Partial<Pick<ChatOptions, "run" | "pipelineNotifications">> {
  readonly engine: DatabaseEngine;
  readonly settings?: Readonly<Record<string, string>>;
}

export async function testChat(t: TestContext, { engine, ...options }: TestChatOptions): Promise<TestChat> {
  const closers: (() => Promise<void>)[] = [];
  // Before the database is closed.
  t.after(() => Promise.all(closers.map((close) => close())));
  const database = engine === "postgres" ? await emptyPostgres(t) : await testDatabase(t, engine);
  const remote = await startRemotePlatform("remote");
  closers.push(remote.close);
  // Tests share a database, so their ids must differ.
  const system = { ...testSystem(), newId: uuidV7(Date.now, randomBytes) };
  const name = `qa-${randomUUID()}`;
  return openOn({ t, database, system, platform: remote.platform, name, closers }, options);
}

let shared: ReturnType<typeof freshDatabase> | undefined;
after(async () => (await shared)?.drop());

/** The PostgreSQL database of a test file, without pending work: creating one per test would take most of the time. */
async function emptyPostgres(t: TestContext): Promise<Pick<TestStoreDatabase, "open">> {
  const isFirst = shared === undefined;
  shared ??= freshDatabase(`chat_${randomUUID().replaceAll("-", "")}`);
  const { url } = await shared;
  const opened: StoreEngine[] = [];
  t.after(() => Promise.all(opened.map((engine) => engine.close())));
  const open = async () => {
    const engine = await openPostgres(url);
    opened.push(engine);
    return engine;
  };
  if (!isFirst) await run({ engine: await open() }, "truncate deliveries, outbox, cursors, leases");
  return { open };
}

interface TestSetup {
  readonly t: TestContext;
  readonly database: Pick<TestStoreDatabase, "open">;
  readonly system: TestSystem;
  /** The platform of the test's environment: chat sends it no requests. */
  readonly platform: Platform;
  /** The name of the test's environment. */
  readonly name: string;
  readonly closers: (() => Promise<void>)[];
}

async function openOn(setup: TestSetup, options: Omit<TestChatOptions, "engine">): Promise<TestChat> {
  const { t, database, system, platform, name, closers } = setup;
  const engine = await database.open();
  await migrate(engine);
  const settings = readSettings({ PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1", ...options.settings });
  const store = createStore(engine, system, signTestEvent);
  const vault = openVault("a secret key for tests", system.randomBytes);
  const deps = { settings, store, vault, system };
  const context = (actor = "ada"): ChangeContext => ({
    actor,
    requestId: null,
    time: system.now().toISOString(),
  });
  const environments = createEnvironments(deps, createPlatforms([platform]));
  const existing = await environments.find(name);
  const { doc: environment } =
    existing ??
    (await environments.create(
      { name, platform: platform.name, configuration: {}, protected: false },
      { context: context(), saveAnswer: () => [] },
    ));
  const registry = createRegistry(deps);
  const onError = (error: unknown) => t.diagnostic(String(error));
  const events = openEventLog(store, {
    key: testEventKey,
    system,
    gatherMs: 1,
    pollMs: undefined,
    onError,
    onProblem: onError,
  });
  const outbox = testOutbox(deps, () => chat.outbox);
  const chat = createChat(deps, {
    environments,
    automations: registry,
    secrets: createSecretStore(deps, environments),
    outbound: createOutbound(requestRules(settings)),
    events,
    outbox,
    run: async () => undefined,
    pipelineNotifications: async () => null,
    serverId: system.newId(),
    log: pino({ level: "silent" }),
    ...options,
  });
  closers.push(async () => {
    await chat.stop();
    await outbox.stop();
    await events.close();
  });
  await chat.prepare();

  return {
    deps,
    chat,
    registry,
    environment,
    context,
    async advance(seconds) {
      system.advance(seconds * 1000);
      await chat.tick();
    },
    async bind(channel_url, { metadata = {}, channel_id = "C1", ...more } = {}) {
      const request = { environment: name, channel_id, channel_url, metadata, ...more };
      return (await chat.bindings.bind(request, context())).binding;
    },
    async emit(kind, subject, data = {}, actor = "ada") {
      const event = { kind, subject, data: { environment_id: environment.id, ...data } };
      await store.apply({ context: context(actor), steps: [], events: [event] });
    },
    async deliveries(state) {
      const { deliveries } = await chat.deliveries.page({ state }, { limit: 1000 });
      return deliveries.reverse();
    },
    startAnother: (settings = {}) =>
      openOn(setup, { ...options, settings: { ...options.settings, ...settings } }),
  };
}
