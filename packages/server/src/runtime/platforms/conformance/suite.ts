import { describe } from "node:test";
import type { DatabaseEngine } from "../../../testing/server.ts";
import { failureTests } from "./failing.ts";
import type { PlatformHarness } from "./harness.ts";
import { pauseTests } from "./pausing.ts";
import { recoveryTests } from "./recovering.ts";
import { runTests } from "./running.ts";
import { prepareServer } from "./stage.ts";

/** One suite for every platform, through the public client only: a connector behaves the same on each platform. */
export function platformConformance(harness: PlatformHarness, engine: DatabaseEngine): void {
  describe(`${harness.name}, on ${engine}`, () => {
    const stage = prepareServer(harness, engine);
    runTests(stage);
    pauseTests(stage);
    failureTests(stage);
    recoveryTests(stage);
  });
}
