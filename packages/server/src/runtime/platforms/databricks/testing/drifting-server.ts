import type { TestContext } from "node:test";
import type { DatabaseEngine } from "../../../../testing/server.ts";
import { startWithWorkspace } from "./connected-server.ts";

/** A server whose clock can be advanced: what was installed just now is not compared. */
export async function startDrifting(t: TestContext, engine: DatabaseEngine = "sqlite") {
  let aheadMs = 0;
  const fixture = await startWithWorkspace(t, engine, {
    now: () => new Date(Date.now() + aheadMs),
    monotonicMs: () => performance.now(),
    // The server's lease must not expire, however far the clock jumps.
    settings: { PLATFORM_LEASE_SECONDS: String(24 * 3600) },
  });
  async function drift() {
    aheadMs += 60_000;
    await fixture.client.checkDrift({ environment: "lake" });
    return (await fixture.client.listDrift({ query: { environment: "lake" } })).drift;
  }
  const changes = () => fixture.workspace.lines().filter((line) => !line.startsWith("GET"));
  return Object.assign(fixture, { drift, changes });
}
