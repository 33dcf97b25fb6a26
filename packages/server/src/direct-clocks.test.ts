import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const packages = join(import.meta.dirname, "../..");
const sources = globSync("{server,engine}/src/**/*.ts", { cwd: packages })
  .filter(
    (path) => !/\/testing\/|\/conformance|\.(test|engine|databricks|spark)\.ts$|\/(test|fake)-/.test(path),
  )
  .sort();

const using = (clock: RegExp): string[] =>
  sources.filter((path) => clock.test(withoutComments(readFileSync(join(packages, path), "utf8"))));

const withoutComments = (code: string): string => code.replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, "");

/**
 * `system` gives every time that is stored, shown or compared with stored times. The listed files are exceptions: the
 * engine and the log have no `system`, and files have the time of the machine.
 */
test("the time is read from `system`, which tests can move", () => {
  assert.deepEqual(using(/\bDate\.now\b|\bnew Date\(\)/), [
    "engine/src/connectors/files/read/settled-files.ts",
    "engine/src/connectors/http/sender.ts",
    "engine/src/connectors/rest/json-client.ts",
    "engine/src/connectors/s3/client.ts",
    "engine/src/process/child.ts",
    "engine/src/transfer/cluster/cluster-state.ts",
    "server/src/core/log.ts",
    "server/src/core/system.ts",
    "server/src/runtime/processes/confinement/program-groups.ts",
  ]);
});

/**
 * These files measure the duration of their own work, or get another clock from tests. Code that waits between two
 * calls uses `system.monotonicMs`, so that tests need not wait. Do not add files to this list.
 */
test("a new file takes its monotonic clock as an argument", () => {
  assert.deepEqual(using(/\bperformance\.now\(/), [
    "engine/src/connectors/postgresql/replication/change-log.ts",
    "engine/src/connectors/rest/json-client.ts",
    "engine/src/pipelines/update-steps.ts",
    "engine/src/process/child.ts",
    "engine/src/protocol/files/glob.ts",
    "engine/src/transfer/capture/capture.ts",
    "engine/src/transfer/staging-sink.ts",
    "engine/src/warehouse/ring-buffer/ring-buffer.ts",
    "engine/src/warehouse/warehouse.ts",
    "server/src/compose/resources.ts",
    "server/src/compose/web.ts",
    "server/src/core/concurrency/turns.ts",
    "server/src/core/events/remote-anchor.ts",
    "server/src/core/log-output.ts",
    "server/src/core/log.ts",
    "server/src/core/store/leases.ts",
    "server/src/core/store/other-servers.ts",
    "server/src/core/store/reclaim.ts",
    "server/src/core/system.ts",
    "server/src/resources/backups/backup-run.ts",
    "server/src/resources/plans/flow-check.ts",
    "server/src/runtime/jobs/jobs.ts",
    "server/src/runtime/jobs/timers.ts",
    "server/src/runtime/platforms/databricks/client/client.ts",
    "server/src/runtime/platforms/databricks/runs/workspace-poller.ts",
    "server/src/runtime/platforms/databricks/warehouse/query.ts",
    "server/src/runtime/platforms/databricks/workspaces.ts",
    "server/src/runtime/platforms/embedded/engine-record.ts",
    "server/src/runtime/platforms/query-queue.ts",
    "server/src/runtime/platforms/spark/work/work-session.ts",
    "server/src/runtime/processes/confinement/program-groups.ts",
    "server/src/runtime/processes/process-end.ts",
    "server/src/runtime/processes/supervised-process.ts",
    "server/src/runtime/processes/tasks/task-processes.ts",
    "server/src/tracing.ts",
    "server/src/web/http/app.ts",
    "server/src/web/http/batch.ts",
    "server/src/web/http/connection-limits.ts",
  ]);
});
