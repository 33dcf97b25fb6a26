import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { QuartzSchedule } from "@lakehelm/schedule";
import type { Artifact } from "../artifact.ts";
import { scheduleProblems } from "./schedule.ts";
import { validArtifacts, withChange } from "./testing/valid-artifacts.ts";
import { readBundle } from "./yaml/bundle.ts";

const path = "resources/revenue.job.yml";

function problemsOf(set: readonly Artifact[], claim?: (schedule: QuartzSchedule) => object): string {
  const part = readBundle(set).parts.find((one) => one.path === path);
  const artifact = set.find((one) => one.path === path);
  assert.ok(artifact?.schedule && part);
  const schedule = { ...artifact.schedule, ...claim?.(artifact.schedule) };
  return scheduleProblems({ ...artifact, schedule }, part).join("\n");
}

suite("a schedule", () => {
  test("that fires as its cron does is sound", () => assert.equal(problemsOf(validArtifacts()), ""));
  test("in YAML is the claimed one", () => {
    assert.match(problemsOf(withChange(path, "MON-FRI", "MON-SAT")), /MON-SAT.* but .*MON-FRI.* is claimed/);
    assert.match(
      problemsOf(withChange(path, "Europe/Berlin", "UTC")),
      /in UTC, but .* in Europe\/Berlin is claimed/,
    );
  });
  test("is claimed where there is one", () => {
    const [part] = readBundle(validArtifacts()).parts.filter((one) => one.path === path);
    const artifact: Artifact = { path, content: "", fileType: "yaml", about: "" };
    assert.match(scheduleProblems(artifact, part).join(), /but no schedule is claimed/);
  });
  test("is there where one is claimed", () => {
    const paused = withChange(
      path,
      "schedule:\n        quartz_cron_expression: 0 30 5 ? * MON-FRI\n        timezone_id: Europe/Berlin",
      "continuous: {}",
    );
    assert.match(problemsOf(paused), /It has no schedule, but .* is claimed/);
  });
  test("that was converted wrongly is found", () => {
    assert.match(
      problemsOf(validArtifacts(), () => ({ cron: "30 5 * * 2-6" })),
      /differ/,
    );
  });
  test("has a time zone that is known", () => {
    assert.match(
      problemsOf(validArtifacts(), () => ({ timezone: "Mars/Base" })),
      /time zone/,
    );
  });
});
