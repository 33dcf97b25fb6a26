import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics } from "./metrics.ts";

const memory = () => ({ ...process.memoryUsage(), rss: 1000 });
const name = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const label = `${name.replaceAll(":", "")}="(?:[^"\\\\\\n]|\\\\["\\\\n])*"`;
const sample = new RegExp(
  `^(${name})(?:\\{${label}(?:,${label})*\\})? (?:-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?|[+-]Inf|NaN)$`,
);

test("every line is a HELP or TYPE line or a sample of a declared metric", () => {
  const metrics = createMetrics(memory, () => 1.5);
  metrics.observer("getHealth", [200, 503])(200, 1e-7);
  metrics.observer("createConnector", [200])(409, 3600);
  const text = metrics.print();
  assert.ok(text.endsWith("\n"));
  const types = new Map<string, string>();
  for (const line of text.trimEnd().split("\n")) {
    const [, of, type] = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line) ?? [];
    if (of) types.set(of, String(type));
    if (line.startsWith("#")) {
      assert.match(line, /^# (HELP|TYPE) \S+ \S/);
      continue;
    }
    const [, metric = ""] = sample.exec(line) ?? assert.fail(line);
    const family = metric.replace(/_(bucket|sum|count)$/, "");
    assert.ok(types.has(metric) || types.get(family) === "histogram", line);
  }
});

test("answers are counted by endpoint and status; each status that an endpoint can have is there from the start", () => {
  const metrics = createMetrics(memory, () => 0);
  const observe = metrics.observer("getHealth", [200, 503]);
  metrics.observer("getInfo", [200, 500]);
  for (const status of [200, 200, 503]) observe(status, 0.002);
  const text = metrics.print();
  assert.match(text, /^lakehelm_http_requests_total\{endpoint="getHealth",status="200"\} 2$/m);
  assert.match(text, /^lakehelm_http_requests_total\{endpoint="getHealth",status="503"\} 1$/m);
  assert.match(text, /^lakehelm_http_requests_total\{endpoint="getInfo",status="500"\} 0$/m);
  assert.doesNotMatch(text, /request_seconds_count\{endpoint="getInfo"/);
});

test("buckets are cumulative, and +Inf counts everything", () => {
  const metrics = createMetrics(memory, () => 0);
  const observe = metrics.observer("getHealth", [200, 503]);
  for (const seconds of [0.001, 0.0011, 0.2, 100]) observe(200, seconds);
  const text = metrics.print();
  const bucket = (le: string) =>
    Number(
      new RegExp(`_bucket\\{endpoint="getHealth",le="${le.replace("+", "\\+")}"\\} (\\d+)`).exec(text)?.[1],
    );
  assert.deepEqual(["0.001", "0.0025", "0.1", "0.25", "10", "+Inf"].map(bucket), [1, 2, 2, 3, 3, 4]);
  assert.match(text, /_count\{endpoint="getHealth"\} 4$/m);
  assert.equal(Number(/_sum\{endpoint="getHealth"\} (\S+)$/m.exec(text)?.[1]).toFixed(4), "100.2021");
});
