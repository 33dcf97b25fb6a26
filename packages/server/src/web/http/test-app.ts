/** Only the HTTP layer, with handlers of a test, for what no real handler does. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import type { Endpoint, endpoints } from "@lakehelm/contract";
import { pino } from "pino";
import type { Dependencies } from "../../core/dependencies.ts";
import { openIdentity } from "../identity/identity.ts";
import { testDependencies } from "../identity/test-dependencies.ts";
import { createApp } from "./app.ts";
import { createGuard, requestLimits } from "./call.ts";
import { createClientAddresses } from "./client-address.ts";
import { createDocs } from "./docs.ts";
import type { Handlers } from "./handler.ts";
import { createIdempotency } from "./idempotency.ts";
import { createMetrics } from "./metrics.ts";
import { createRelay } from "./relay.ts";
import { createStreamLimits } from "./stream-limits.ts";

export interface TestApp {
  readonly url: string;
  /** The token of the service. */
  readonly token: string;
  readonly logged: readonly Record<string, unknown>[];
  metrics(): string;
}

export async function startTestApp(
  t: TestContext,
  handlers: Partial<Handlers<typeof endpoints>>,
  deps?: Dependencies,
  declared?: Readonly<Record<string, Endpoint>>,
): Promise<TestApp> {
  const { settings, store, system, vault } = deps ?? (await testDependencies(t));
  const token = "the token of the service";
  const identity = await openIdentity({ settings, store, system, vault }, { madeServiceToken: token });
  const logged: Record<string, unknown>[] = [];
  const metrics = createMetrics(process.memoryUsage, process.uptime);
  const stopping = new AbortController();
  const relay = createRelay(vault.deriveKey("relay"), {
    now: system.now,
    addressOf: createClientAddresses(settings.PLATFORM_TRUSTED_PROXIES).ofRequest,
  });
  const app = createApp({
    settings,
    system,
    log: pino({ level: "debug" }, { write: (line: string) => void logged.push(JSON.parse(line)) }),
    metrics,
    service: {
      handlers: handlers as Handlers<typeof endpoints>,
      idempotency: createIdempotency(store, vault.deriveKey("idempotency"), system.now),
      authorize: async (_, caller) => caller,
    },
    transactional: () => Promise.reject(new Error("Only a whole server serves dry runs.")),
    writes: { exist: false, require: async () => {} },
    authenticate: identity.authenticate,
    guard: createGuard(identity.authenticate, requestLimits(settings, system, relay.addressOf)),
    relay,
    streams: createStreamLimits(settings.PLATFORM_STREAMS, settings.PLATFORM_STREAMS_PER_CALLER),
    holder: () => "here",
    docs: createDocs({
      openApi: async () => (await import("@lakehelm/contract/openapi")).openApiDocument({ version: "1" }),
      automationSchema: async () => (await import("@lakehelm/contract/automation-schema")).automationSchema(),
    }),
    stopping: stopping.signal,
    ending: stopping.signal,
    endpoints: declared,
    checkAnswers: true,
  });
  app.listen(0, "127.0.0.1");
  await once(app, "listening");
  t.after(() => {
    stopping.abort();
    app.closeAllConnections();
    app.close();
  });
  const { port } = app.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, token, logged, metrics: () => metrics.print() };
}
