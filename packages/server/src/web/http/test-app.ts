/** The HTTP side alone, with handlers of a test's own: for what no real handler does on purpose. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import type { endpoints } from "@lakehelm/contract";
import { pino } from "pino";
import type { Dependencies } from "../../core/dependencies.ts";
import { openIdentity } from "../identity/identity.ts";
import { testDependencies } from "../identity/test-dependencies.ts";
import { createApp } from "./app.ts";
import { createGuard } from "./caller.ts";
import { createDocs } from "./docs.ts";
import type { Handlers } from "./handler.ts";
import { createIdempotency } from "./idempotency.ts";
import { createMetrics } from "./metrics.ts";
import { createRateLimit } from "./rate-limit.ts";

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
): Promise<TestApp> {
  const { settings, store, system, vault } = deps ?? (await testDependencies(t));
  const token = "the token of the service";
  const identity = await openIdentity({ settings, store, system, vault }, { madeServiceToken: token });
  const logged: Record<string, unknown>[] = [];
  const metrics = createMetrics(process.memoryUsage, process.uptime);
  const stopping = new AbortController();
  const app = createApp({
    settings,
    system,
    log: pino({ level: "debug" }, { write: (line: string) => void logged.push(JSON.parse(line)) }),
    metrics,
    idempotency: createIdempotency(store, vault.deriveKey("idempotency"), system.now),
    guard: createGuard(
      identity.authenticate,
      createRateLimit(settings.PLATFORM_RATE_LIMIT_PER_MINUTE, () => performance.now()),
    ),
    holder: () => "here",
    docs: createDocs({
      openApi: async () => (await import("@lakehelm/contract/openapi")).openApiDocument({ version: "1" }),
      automationSchema: async () => (await import("@lakehelm/contract/automation-schema")).automationSchema(),
    }),
    handlers: handlers as Handlers<typeof endpoints>,
    stopping: stopping.signal,
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
