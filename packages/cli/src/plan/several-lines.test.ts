import assert from "node:assert/strict";
import { test } from "node:test";
import type { Plan } from "@lakehelm/contract";
import { problemText } from "../commands/project-options.ts";
import { runText } from "../dev/first-runs.ts";
import { planMarkdown } from "./plan-markdown.ts";
import { planText } from "./plan-text.ts";

test("messages of several lines have line breaks, and nothing else moves the cursor", () => {
  const message =
    "It fails. To do it: lakehelm connectors run --env prod x\nIf y has no index,\tit fails\u001b[2J.";
  const consequence = {
    table: "a.b.c",
    kind: "breaking",
    effect: "refuse",
    sentence: message,
    command: null,
  };
  const plan = {
    ...{ id: "p", environment: "prod", status: "planned", status_reason: null, project: { name: "shop" } },
    summary: { create: 0, update: 1, replace: 0, delete: 0, unchanged: 0 },
    steps: [
      {
        ...{
          position: 0,
          action: "update",
          kind: "connector",
          name: "x",
          changes: [],
          drift: [],
          reasons: [message],
        },
        ...{ file: null, unchecked: message },
        impact: {
          ...{ downstream: [], downstream_total: 0, running_runs: [], rows: null, estimated_seconds: null },
          ...{ writes: null, full_refresh: [], consequences: [consequence], data_lost: [] },
        },
      },
    ],
    findings: [{ policy: "x/y", level: "warn", position: 0, kind: "connector", name: "x", message }],
  } as unknown as Plan;
  const texts = [
    planText(plan, [], false),
    planMarkdown(plan, []),
    problemText({ file: "a.yaml", line: 1, column: 2, level: "error", message }),
    runText("x", { status: "failed", metrics: {}, error: message }),
  ];
  for (const text of texts) {
    assert.ok(text.includes("If y has no index"), text);
    assert.ok(!text.includes("\\n"), text);
    assert.ok(!text.includes("\u001b"), text);
  }
  // Options are added before the end of the line, because a command ends there.
  assert.match(texts[0] ?? "", /--env prod x\n {4}If y/);
  assert.match(texts[2] ?? "", /^a\.yaml:1:2: error: It fails\..*\n {2}If y/);
});
