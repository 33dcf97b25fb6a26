/** Sends the traces of a real server to a collector, and checks what arrives. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { startTestServer, type TestServer } from "./testing/server.ts";

interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly events?: readonly { readonly name: string }[];
  readonly status: { readonly code?: number; readonly message?: string };
}

suite("traces", () => {
  const spans: ReceivedSpan[] = [];
  const resources: unknown[] = [];
  let authorization: string | undefined;
  const collector = createServer(async (request, response) => {
    assert.equal(request.url, "/v1/traces");
    authorization = request.headers.authorization;
    const { resourceSpans } = JSON.parse(await text(request));
    for (const { resource, scopeSpans } of resourceSpans) {
      resources.push(resource);
      for (const { spans: some } of scopeSpans) spans.push(...some);
    }
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  let server: TestServer;

  before(async () => {
    await new Promise<void>((done) => collector.listen(0, "127.0.0.1", done));
    server = await startTestServer({
      settings: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`,
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20of-the-collector",
      },
    });
  });
  after(async () => {
    await server.close();
    collector.closeAllConnections();
    collector.close();
  });

  const spanNamed = async (name: string, traceId: string): Promise<ReceivedSpan> => {
    const find = () => spans.find((span) => span.name === name && span.traceId === traceId);
    await until(() => find() !== undefined);
    return find() as ReceivedSpan;
  };
  const attribute = ({ attributes }: ReceivedSpan, name: string) =>
    Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0];

  test("a request is part of its caller's trace, and goes on in the engine", async () => {
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const response = await server.fetch("/api/v1/queries", {
      method: "POST",
      headers: { "content-type": "application/json", traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
      body: JSON.stringify({ sql: "select 1 as one" }),
    });
    assert.equal(response.status, 200, await response.text());
    const request = await spanNamed("POST /api/v1/queries", traceId);
    assert.equal(request.parentSpanId, "00f067aa0ba902b7");
    assert.equal(attribute(request, "http.response.status_code"), "200");
    assert.equal(attribute(request, "lakehelm.request.id"), response.headers.get("x-request-id"));
    const sent = await spanNamed("engine query", traceId);
    assert.equal(sent.parentSpanId, request.spanId);
    const work = await spanNamed("query", traceId);
    assert.equal(work.parentSpanId, sent.spanId);
    assert.ok(BigInt(work.startTimeUnixNano) <= BigInt(work.endTimeUnixNano));
    assert.equal(authorization, "Bearer of-the-collector");
    assert.match(JSON.stringify(resources[0]), /"service.name","value":\{"stringValue":"lakehelm"\}/);
  });

  test("the trace of a run has its id, its attempts and the steps of the engine", async () => {
    const { client } = server;
    const tasks = [
      { name: "make", kind: "sql" as const, query: "create table orders as select 1 as id" },
      { name: "fail", kind: "sql" as const, query: "select * from missing", depends_on: ["make"] },
    ];
    await client.createAutomation({ body: { alias: "orders", definition: { tasks } } });
    await client.syncAutomationRelease({ body: { automation_alias: "orders", environment: "local" } });
    const { id } = await client.runAutomation({ params: { automation_alias: "orders" } });
    await until(async () => (await client.getRun({ params: { run_id: id } })).ended_at !== null);
    const traceId = id.replaceAll("-", "");
    const run = await spanNamed("run automation orders", traceId);
    assert.equal(run.parentSpanId, undefined);
    assert.equal(attribute(run, "lakehelm.run.outcome"), "failed");
    assert.equal(run.status.code, 2);
    assert.match(run.status.message ?? "", /missing/);
    assert.deepEqual(
      run.events?.map(({ name }) => name),
      ["started"],
    );
    const attempt = await spanNamed("attempt 1", traceId);
    assert.equal(attempt.parentSpanId, run.spanId);
    const script = await spanNamed("engine script", traceId);
    assert.equal(script.parentSpanId, attempt.spanId);
    assert.equal((await spanNamed("script", traceId)).parentSpanId, script.spanId);
  });

  test("a caller that collects nothing gets no spans, and neither do probes", async () => {
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4737";
    await server.fetch("/info", { headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-00` } });
    await server.fetch("/health");
    // Spans arrive in the order in which they end.
    const last = "4bf92f3577b34da6a3ce929d0e0e4738";
    await server.fetch("/info", { headers: { traceparent: `00-${last}-00f067aa0ba902b7-01` } });
    await spanNamed("GET /info", last);
    assert.ok(!spans.some((span) => span.traceId === traceId || span.name.endsWith("/health")));
  });
});
