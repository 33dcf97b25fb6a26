import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { QuartzSchedule } from "@lakehelm/schedule";
import type { Artifact } from "../artifact.ts";
import { scheduleProblems } from "./schedule.ts";
import { validArtifacts, withChange } from "./testing/valid-artifacts.ts";
import { readBundle } from "./yaml/bundle.ts";

const path = "resources/revenue.job.yml";

function problemsOf(set: readonly Artifact[], declared?: (schedule: QuartzSchedule) => object): string {
  const part = readBundle(set).parts.find((one) => one.path === path);
  const artifact = set.find((one) => one.path === path);
  assert.ok(artifact?.schedule && part);
  const schedule = { ...artifact.schedule, ...declared?.(artifact.schedule) };
  return scheduleProblems({ ...artifact, schedule }, part).join("\n");
}

suite("a schedule", () => {
  test("that fires like its cron is accepted", () => assert.equal(problemsOf(validArtifacts()), ""));
  test("in YAML must be the declared one", () => {
    assert.match(
      problemsOf(withChange(path, "MON-FRI", "MON-SAT")),
      /MON-SAT.* but the artifact declares .*MON-FRI/,
    );
    assert.match(problemsOf(withChange(path, "Europe/Berlin", "UTC")), /in UTC, but .* in Europe\/Berlin/);
  });
  test("in YAML must be declared", () => {
    const [part] = readBundle(validArtifacts()).parts.filter((one) => one.path === path);
    const artifact: Artifact = { path, content: "", fileType: "yaml", about: "" };
    assert.match(scheduleProblems(artifact, part).join(), /but the artifact declares no schedule/);
  });
  test("that is declared must be in the YAML", () => {
    const paused = withChange(
      path,
      "schedule:\n        quartz_cron_expression: 0 30 5 ? * MON-FRI\n        timezone_id: Europe/Berlin",
      "continuous: {}",
    );
    assert.match(problemsOf(paused), /The file has no schedule, but the artifact declares /);
  });
  test("that was converted wrongly is refused", () => {
    assert.match(
      problemsOf(validArtifacts(), () => ({ cron: "30 5 * * 2-6" })),
      /differ/,
    );
  });
  test("must have a known time zone", () => {
    assert.match(
      problemsOf(validArtifacts(), () => ({ timezone: "Mars/Base" })),
      /time zone/,
    );
  });
});
