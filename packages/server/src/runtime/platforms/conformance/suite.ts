import { describe } from "node:test";
import type { DatabaseEngine } from "../../../testing/server.ts";
import { prepareServer } from "./conformance-server.ts";
import { failureTests } from "./failures.ts";
import type { PlatformHarness } from "./harness.ts";
import { pauseTests } from "./pauses.ts";
import { recoveryTests } from "./recovery.ts";
import { runTests } from "./runs.ts";

/** One suite for every platform, through the public client only: a connector behaves the same on each platform. */
export function platformConformance(harness: PlatformHarness, engine: DatabaseEngine): void {
  describe(`${harness.name}, on ${engine}`, () => {
    const server = prepareServer(harness, engine);
    runTests(server);
    pauseTests(server);
    failureTests(server);
    recoveryTests(server);
  });
}
