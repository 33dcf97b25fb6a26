import { after, before, type TestContext } from "node:test";
import type { Run } from "@lakehelm/contract";
import type { Client } from "@lakehelm/contract/client";
import { type DatabaseEngine, startTestServer, type TestServer } from "../../../testing/server.ts";
import type { ConnectorBody, PlatformHarness } from "./harness.ts";
import { ended, openConnector, type TestConnector } from "./test-connector.ts";

/** A server with an environment on the platform, whose clock the tests control. */
export interface ConformanceServer {
  readonly client: Client;
  readonly harness: PlatformHarness;
  /** The current time of the server. */
  time(): Date;
  /** Advances the clock; what is due then happens. */
  advance(seconds: number): Promise<void>;
  /** Advances the clock to a future time. */
  advanceTo(time: string | null): Promise<void>;
  /** Makes the next slot of the newest connector due, whether this server or the platform has its schedule. */
  fire(slot: string | null): Promise<void>;
  /** An hourly schedule. */
  hourly(): string;
  /** A connector that is deleted after the test. It only runs on request unless `more` specifies another mode. */
  open(t: TestContext, more?: Partial<ConnectorBody>): Promise<TestConnector>;
  /** The run when it has ended. */
  ended(run: Pick<Run, "id">): Promise<Run>;
  crash(): Promise<void>;
  /** Stops and starts again, after advancing the clock by this much. */
  restart(seconds?: number): Promise<void>;
}

/** One server for the tests of a suite, which run sequentially. */
export function prepareServer(harness: PlatformHarness, engine: DatabaseEngine): ConformanceServer {
  let server: TestServer;
  let aheadMs = 0;
  let environment: string | undefined;
  const time = () => new Date(Date.now() + aheadMs);
  before(async () => {
    const { platforms, settings } = harness.options ?? {};
    server = await startTestServer({
      engine,
      now: time,
      settings: {
        PLATFORM_RUN_TIMEOUT_SECONDS: "600",
        // The server's lease must not expire, however far the clock jumps.
        PLATFORM_LEASE_SECONDS: String(10 * 24 * 3600),
        ...settings,
      },
      ...(platforms && { platforms }),
    });
    environment = await harness.open?.(server.client);
  });
  after(async () => {
    await server?.close();
    await harness.close?.();
  });

  async function advance(seconds: number): Promise<void> {
    aheadMs += seconds * 1000;
    // A jump of the clock is noticed within a minute, or with the next change, such as this one.
    await server.client.putSecret({
      params: { scope: "clock", key: "advanced" },
      body: { value: String(aheadMs) },
    });
  }

  const advanceTo = (to: string | null) => advance((Date.parse(to ?? "") - time().getTime()) / 1000);

  return {
    get client() {
      return server.client;
    },
    harness,
    time,
    advance,
    advanceTo,
    async fire(slot) {
      if (harness.fire) harness.fire();
      else await advanceTo(slot);
    },
    hourly: () => harness.hourly?.() ?? "0 * * * *",
    ended: (run) => ended(server.client, run, harness.waitMs),
    async crash() {
      await harness.crash?.(server);
    },
    async restart(seconds = 0) {
      server = await server.restart({}, () => {
        aheadMs += seconds * 1000;
      });
    },
    open: (t, more) => openConnector(t, harness, () => server.client, more, environment),
  };
}
