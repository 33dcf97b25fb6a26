import { describe } from "node:test";
import type { Engine } from "../../../testing/server.ts";
import { failing } from "./failing.ts";
import type { PlatformHarness } from "./harness.ts";
import { pausing } from "./pausing.ts";
import { recovering } from "./recovering.ts";
import { running } from "./running.ts";
import { prepareStage } from "./stage.ts";

/** One suite for every platform, through the public client only: a connector behaves the same on each platform. */
export function platformConformance(harness: PlatformHarness, engine: Engine): void {
  describe(`${harness.name}, on ${engine}`, () => {
    const stage = prepareStage(harness, engine);
    running(stage);
    pausing(stage);
    failing(stage);
    recovering(stage);
  });
}
