import assert from "node:assert/strict";
import { test } from "node:test";
import { outboxMetrics } from "./metrics.ts";

test("depth, age, dead letters and attempts are printed by topic", () => {
  const oldest = "2026-03-01T12:00:00.000Z";
  const text = outboxMetrics(
    [
      { topic: "chat.delivery", pending: 2, dead: 1, oldest, attempts: 7, failures: 3 },
      { topic: "file", pending: 0, dead: 0, oldest: null, attempts: 1, failures: 0 },
    ],
    new Date("2026-03-01T12:00:01.500Z"),
  );
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  assert.deepEqual(lines, [
    'lakehelm_outbox_pending{topic="chat.delivery"} 2',
    'lakehelm_outbox_pending{topic="file"} 0',
    'lakehelm_outbox_oldest_seconds{topic="chat.delivery"} 1.5',
    'lakehelm_outbox_oldest_seconds{topic="file"} 0',
    'lakehelm_outbox_dead{topic="chat.delivery"} 1',
    'lakehelm_outbox_dead{topic="file"} 0',
    'lakehelm_outbox_attempts_total{topic="chat.delivery"} 7',
    'lakehelm_outbox_attempts_total{topic="file"} 1',
    'lakehelm_outbox_failures_total{topic="chat.delivery"} 3',
    'lakehelm_outbox_failures_total{topic="file"} 0',
  ]);
});
