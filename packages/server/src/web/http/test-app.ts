/** The HTTP side alone, with handlers of a test's own: for what no real handler does on purpose. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import type { endpoints } from "@lakehelm/contract";
import { pino } from "pino";
import { uuidV7 } from "../../core/ids.ts";
import { readSettings } from "../../settings.ts";
import { serviceCaller } from "../identity/service-token.ts";
import { createApp } from "./app.ts";
import type { Handlers } from "./handler.ts";
import { createMetrics } from "./metrics.ts";

export interface TestApp {
  readonly url: string;
  readonly logged: readonly Record<string, unknown>[];
  metrics(): string;
}

export async function startTestApp(
  t: TestContext,
  handlers: Partial<Handlers<typeof endpoints>>,
): Promise<TestApp> {
  const logged: Record<string, unknown>[] = [];
  const metrics = createMetrics(process.memoryUsage, process.uptime);
  const stopping = new AbortController();
  const app = createApp({
    settings: readSettings({}),
    system: { now: () => new Date(), newId: uuidV7(Date.now, randomBytes), randomBytes },
    log: pino({ level: "debug" }, { write: (line: string) => void logged.push(JSON.parse(line)) }),
    metrics,
    idempotency: {
      once: () => ({ find: async () => undefined, saveAnswer: () => [], settle: async () => {} }),
      clean: async () => {},
    },
    guard: () => serviceCaller,
    holder: () => "here",
    docs: { page: async () => undefined },
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
  return { url: `http://127.0.0.1:${port}`, logged, metrics: () => metrics.print() };
}
