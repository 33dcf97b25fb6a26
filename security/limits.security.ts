/** Callers who request too much. Other callers must not notice. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { suite, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { endpoints } from "@lakehelm/contract";
import type { Client } from "@lakehelm/contract/client";
import { serveHttp } from "@lakehelm/testing/http-server";
import { until } from "@lakehelm/testing/until";
import type { Got } from "../packages/server/src/web/http/test-requests.ts";
import { createAttacker, flood, withstand } from "./load.ts";
import { type Caller, startTarget, type Target } from "./target.ts";

const json = { "content-type": "application/json" };
const connector = (name: string) => ({
  name,
  target_type: "warehouse",
  target_config: null,
  created_by: "ada",
});

function attackerOf(t: TestContext, { url }: Target, address: string) {
  const attacker = createAttacker(url, address);
  t.after(attacker.close);
  return attacker;
}

/** The length of the longest line that the server has logged. */
function longestLine({ server }: Target): () => number {
  let longest = 0;
  if (server.child.stdout) {
    createInterface(server.child.stdout).on("line", (line) => {
      longest = Math.max(longest, line.length);
    });
  }
  return () => longest;
}

suite("limits", { concurrency: 2 }, () => {
  test("plans with hostile rules take turns: one of a caller at a time, and others are not delayed", async (t) => {
    const target = await startTarget(t);
    const items = Array(400).fill("1").join(",");
    const rule = `[${items}].all(a, [${items}].all(b, [${items}].all(c, a + b + c > 0)))`;
    const plan = (caller: Caller, policies: readonly object[], signal?: AbortSignal) =>
      caller.fetch("/api/v1/plans", {
        method: "POST",
        headers: json,
        body: JSON.stringify({
          environment: "local",
          project: { name: "shop" },
          resources: [{ kind: "connector", name: "orders", definition: connector("orders") }],
          policies,
        }),
        ...(signal && { signal }),
      });
    const slow = [{ name: "slow", level: "deny", rule, message: "no" }];
    const stop = new AbortController();
    const statuses: number[] = [];
    const sent = Array.from({ length: 40 }, () =>
      plan(target.operator, slow, stop.signal).then(
        ({ status }) => statuses.push(status),
        () => undefined,
      ),
    );
    // One plan is being made and 32 are waiting.
    await until(() => statuses.length >= 7, 20);
    assert.deepEqual(new Set(statuses), new Set([429]));
    assert.equal((await plan(target.admin, [])).status, 200);
    stop.abort();
    await Promise.all(sent);
  });

  test("bodies with a hundred thousand errors get short answers and short log lines", async (t) => {
    const target = await startTarget(t);
    const longest = longestLine(target);
    const attacker = attackerOf(t, target, "127.0.0.66");
    const empty = `[${Array(110_000).fill("{}").join(",")}]`;
    const key = "k".repeat(900_000);
    const bodies = [
      ["/api/v1/pipelines/", `{"name":"x","clusters":${empty},"libraries":${empty}}`],
      ["/api/v1/pipelines/", JSON.stringify({ name: 5, configuration: { [key]: 5 }, clusters: key })],
      ["/api/v1/connectors/", JSON.stringify({ unknown: key })],
      ["/api/v1/connectors/", `[${"1,".repeat(400_000)}1]`],
      ["/api/v1/connectors/", JSON.stringify(key)],
      ["/api/v1/automations/", JSON.stringify({ definition: { tasks: Array(50_000).fill({}) } })],
    ] as const;
    let largest = 0;
    const statuses = await withstand(target, (signal) =>
      flood(4, signal, async (n) => {
        const [path, body] = bodies[n % bodies.length] as (typeof bodies)[number];
        const headers = { ...json, authorization: `Bearer ${target.operator.token}` };
        const answer = await attacker.send({ method: "POST", path, headers, body });
        largest = Math.max(largest, answer.text.length);
        return answer;
      }),
    );
    assert.ok((statuses.get(422) ?? 0) > 10, JSON.stringify([...statuses]));
    assert.ok(largest < 256 * 1024, `an answer has ${largest} characters`);
    assert.ok(longest() < 32 * 1024, `a log line has ${longest()} characters`);

    // An ordinary invalid value is echoed unchanged.
    const wrong = await target.operator.fetch("/api/v1/connectors/", {
      method: "POST",
      headers: json,
      body: JSON.stringify({ ...connector("orders"), name: 5 }),
    });
    const { detail } = (await wrong.json()) as { detail: { input: unknown }[] };
    assert.deepEqual([wrong.status, detail[0]?.input], [422, 5]);
    assert.equal(
      (await target.operator.client.createConnector({ body: connector("orders") })).name,
      "orders",
    );
  });

  test("YAML that takes long to parse delays neither other requests nor other authors", async (t) => {
    const target = await startTarget(t);
    const attacker = attackerOf(t, target, "127.0.0.66");
    const texts = [
      "]",
      "[",
      "- [{\n",
      "a: *a\n",
      "- &a [*a]\n",
      "? a\n: b\n",
      "a\n",
      "%a\n",
      "- ",
      "[],",
    ].map((unit) => unit.repeat(99_000 / unit.length));
    const put = { method: "PUT", path: "/api/automations/daily/definition" };
    const yaml = { "content-type": "application/yaml" };
    await target.operator.client.createAutomation({ body: { alias: "daily" } });
    const task = (n: number) => `  - name: load_${n}\n    kind: sql\n    query: |\n      select ${n}\n`;
    const definition = `tasks:\n${Array.from({ length: 200 }, (_, n) => task(n)).join("")}`;
    const statuses = await withstand(target, async (signal) => {
      const flooding = flood(8, signal, (n) =>
        attacker.send({
          ...put,
          headers: { ...yaml, authorization: `Bearer ${target.operator.token}` },
          body: texts[n % texts.length] as string,
        }),
      );
      do {
        const legitimate = await target.admin.fetch(put.path, {
          method: "PUT",
          headers: yaml,
          body: definition,
        });
        assert.equal(legitimate.status, 200, await legitimate.text());
      } while (!signal.aborted);
      return flooding;
    });
    assert.ok((statuses.get(422) ?? 0) > 0, JSON.stringify([...statuses]));
    assert.deepEqual(
      [...statuses.keys()].filter((status) => ![422, 429].includes(status)),
      [],
      `503 would say that others are to blame: ${JSON.stringify([...statuses])}`,
    );
  });

  test("requests without a valid token are limited by address, and valid ones from there are not", async (t) => {
    const target = await startTarget(t, { settings: { PLATFORM_RATE_LIMIT_PER_ADDRESS: "300" } });
    const attacker = attackerOf(t, target, "127.0.0.66");
    const statuses = await withstand(target, (signal) =>
      flood(16, signal, (n) =>
        attacker.send({ path: "/api/v1/connectors/", headers: { authorization: `Bearer guess-${n}` } }),
      ),
    );
    assert.deepEqual([...statuses.keys()].sort(), [401, 429]);
    const limited = await until(async () => {
      const answer = await attacker.send({ path: "/nowhere", headers: { authorization: "Bearer guess" } });
      return answer.status === 429 && answer;
    });
    assert.ok(Number(limited.headers["retry-after"]) >= 1);
    const headers = { authorization: `Bearer ${target.viewer.token}` };
    assert.equal((await attacker.send({ path: "/api/v1/connectors/", headers })).status, 200);
    assert.equal((await attacker.send({ path: "/health" })).status, 200);
  });

  test("a caller who floods the server is limited, with the default settings too, and others are not", async (t) => {
    const target = await startTarget(t);
    const attacker = attackerOf(t, target, "127.0.0.66");
    const headers = { authorization: `Bearer ${target.viewer.token}` };
    const began = performance.now();
    const statuses = await withstand(target, (signal) =>
      flood(24, signal, () => attacker.send({ path: "/api/v1/connectors/", headers })),
    );
    const seconds = (performance.now() - began) / 1000;
    const [answered, limited] = [statuses.get(200) ?? 0, statuses.get(429) ?? 0];
    // The limit allows a burst of 30,000 requests and 500 per second, which ordinary clients never reach.
    const shown = JSON.stringify([...statuses]);
    assert.ok(answered >= Math.min(30_000, answered + limited), shown);
    assert.ok(answered <= 30_000 + 500 * seconds, shown);
    assert.deepEqual(
      [...statuses.keys()].filter((status) => ![200, 429].includes(status)),
      [],
      shown,
    );
    assert.equal((await target.operator.fetch("/api/v1/connectors/")).status, 200);
    const metrics = await (await target.admin.fetch("/metrics")).text();
    assert.match(metrics, /^lakehelm_quota_limit\{quota="connections"\} 4000$/m);
  });

  test("slow headers and slow bodies hold connections for a while only, of one address, and up to a limit", async (t) => {
    const target = await startTarget(t, { settings: { PLATFORM_REQUEST_TIMEOUT_MS: "5000" } });
    const { hostname, port, host } = new URL(target.url);
    const sockets: Socket[] = [];
    t.after(() => {
      for (const socket of sockets) socket.destroy();
    });
    const authorization = `Authorization: Bearer ${target.viewer.token}`;
    const beginnings = [
      `GET /health HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `,
      `POST /api/v1/connectors/ HTTP/1.1\r\nHost: ${host}\r\n${authorization}\r\nContent-Length: 1000\r\n\r\n{`,
      "",
    ];
    await withstand(target, async (signal) => {
      while (!signal.aborted) {
        for (let n = 0; n < 40; n++) {
          const socket = connect({ host: hostname, port: Number(port), localAddress: "127.0.0.66" });
          socket.on("error", () => {});
          socket.resume();
          socket.write(beginnings[n % beginnings.length] as string);
          sockets.push(socket);
        }
        for (const socket of sockets) if (socket.writable) socket.write("x");
        await pause(200);
      }
    });
    const open = () => sockets.filter(({ closed, readableEnded }) => !closed && !readableEnded).length;
    assert.ok(sockets.length > 600, `${sockets.length} connections`);
    assert.ok(open() <= 500, `${open()} connections of one address are open`);
    // The requests never end, so the server ends the connections.
    await until(() => open() === 0, 100);
  });

  test("a resource, a log and the reason of a run have a limit, however many requests they grow by", async (t) => {
    const { operator, viewer } = await startTarget(t);
    const { client } = operator;
    const { id, workflow_id } = await client.createConnector({ body: connector("growing") });
    const params = { connector_id: id };
    const long = "x".repeat(1_000_000);
    const tooLarge = { status: 413 };
    const added: string[] = [];
    const grow = async () => {
      const body = { source_dataset: "orders", target_name: `t${added.length}${long}` };
      const { datasets } = await client.addDataset({ params, body });
      added.push(datasets?.at(-1)?.id ?? "");
    };
    while (added.length < 8) await grow();
    await assert.rejects(grow(), tooLarge);
    assert.ok(JSON.stringify(await viewer.client.getConnector({ params })).length < 9_000_000);
    await client.pauseConnector({ params, body: {} });
    await client.removeDataset({ params: { ...params, dataset_id: added[0] ?? "" } });
    await grow();

    const job = { params: { job_id: workflow_id ?? "" } };
    const run = (reason: string) => client.runJob({ ...job, body: { reason } });
    await assert.rejects(run("x".repeat(100_000)), tooLarge);
    await run("x".repeat(10_000));

    const { id: deployment_id } = await client.createDeployment({
      body: endpoints.createDeployment.example.body as never,
    });
    const deployment = { params: { deployment_id } };
    await client.startDeployment(deployment);
    // All requests are concurrent, so that none sees the size that the others add.
    const append = () => client.appendDeploymentLog({ ...deployment, body: { log_chunk: long } });
    await Promise.all(Array.from({ length: 20 }, append));
    await client.finishDeployment({ ...deployment, body: { status: "succeeded", log_chunk: "done" } });
    const { log } = await viewer.client.getDeploymentLog(deployment);
    assert.ok(log.length > 8_000_000 && log.length < 9_500_000, `${log.length} characters`);
    assert.match(log.slice(-100), /The log is full/);
  });

  test("answers that a caller does not read stay few, and large lists stop nobody", async (t) => {
    const target = await startTarget(t);
    const { client } = target.operator;
    for (let n = 0; n < 10; n++) await client.createConnector({ body: connector(`small ${n}`) });
    const { id: environment_id } = await client.createEnvironment({ body: { name: "dev" } });
    const note = "n".repeat(1_000_000);
    const create = (n: number) =>
      client.createConnector({
        body: { ...connector(`large ${n}`), target_type: "csv", target_config: { note } },
        environment: "dev",
      });
    for (let n = 0; n < 15; n++) await create(n);
    // The caller has a role in only one environment, so the server filters the answers.
    const { id: user_id } = await target.admin.client.createUser({
      body: { username: "vera", role: "none" },
    });
    await target.admin.client.putEnvironmentRole({
      params: { environment_id, username: "vera" },
      body: { role: "viewer" },
    });
    const { token } = await target.admin.client.createToken({ params: { user_id }, body: {} });
    const { hostname, port } = new URL(target.url);
    const sockets: Socket[] = [];
    t.after(() => {
      for (const socket of sockets) socket.destroy();
    });
    const ask = () => {
      const socket = connect({ host: hostname, port: Number(port), localAddress: "127.0.0.66" });
      socket.on("error", () => {});
      socket.write(
        `GET /api/v1/connectors/?limit=1000 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      );
      // The client reads one byte and leaves the rest.
      socket.once("readable", () => socket.read(1));
      sockets.push(socket);
    };
    await withstand(target, async (signal) => {
      for (let n = 0; n < 200; n++) ask();
      await once(signal, "abort");
    });
    const list = (limit: number) =>
      fetch(`${target.url}/api/v1/connectors/?limit=${limit}`, {
        headers: { authorization: `Bearer ${token}` },
      });
    assert.equal((await list(1)).status, 429);
    const metrics = await (await target.admin.fetch("/metrics")).text();
    const unread = Number(/quota_used\{quota="unread_answer_bytes_per_caller"\} (\d+)/.exec(metrics)?.[1]);
    assert.ok(unread > 60_000_000 && unread < 100_000_000, `${unread} bytes are not read`);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await list(1)).status === 200);
    const page = (await (await list(1000)).json()) as { total: number };
    assert.equal(page.total, 15);
    // An answer that is larger than the limit of a page is refused; a smaller one is not.
    for (let n = 15; n < 18; n++) await create(n);
    assert.equal((await list(1000)).status, 413);
    assert.equal((await list(5)).status, 200);
  });

  test("event streams of one caller are limited, and another caller's stream works", async (t) => {
    const target = await startTarget(t);
    const stop = new AbortController();
    t.after(() => stop.abort());
    const follow = (token: string, signal: AbortSignal) =>
      fetch(`${target.url}/api/v1/events`, {
        headers: { accept: "text/event-stream", authorization: `Bearer ${token}` },
        signal,
      });
    const statuses = await withstand(target, async (signal) => {
      // The responses stay referenced, because fetch ends the stream of an unreferenced response.
      const opened: Response[] = [];
      for (let n = 0; n < 150; n++) opened.push(await follow(target.viewer.token, stop.signal));
      await once(signal, "abort");
      return opened.map(({ status }) => status);
    });
    assert.deepEqual([...new Set(statuses)].sort(), [200, 429]);
    assert.equal(statuses.filter((status) => status === 200).length, 100);
    const other = await follow(target.operator.token, stop.signal);
    assert.equal(other.status, 200);
    const reader = other.body?.getReader();
    await target.operator.client.createConnector({ body: connector("streamed") });
    let received = "";
    await until(async () => {
      received += Buffer.from((await reader?.read())?.value ?? []).toString();
      return received.includes("connector.created");
    });
  });

  test("guessing logins is slowed down, and locks no user out", async (t) => {
    // The limit is so low that the attack exceeds it on any machine.
    const target = await startTarget(t, { settings: { PLATFORM_RATE_LIMIT_PER_ADDRESS: "200" } });
    const { client } = target.server;
    const password = "a long passphrase of ada";
    for (const username of ["ada@example.test", "bob@example.test"]) {
      await client.createUser({ body: { username, role: "viewer", password } });
    }
    const login = async (
      from: string,
      username: string,
      guess: string,
      signal?: AbortSignal,
    ): Promise<Got> => {
      const attacker = createAttacker(target.url, from, signal);
      try {
        const body = JSON.stringify({ username, password: guess });
        return await attacker.send({ method: "POST", path: "/api/v1/auth/token", headers: json, body });
      } finally {
        attacker.close();
      }
    };
    const before = performance.now();
    assert.equal((await login("127.0.0.66", "ada@example.test", password)).status, 200);
    const usualMs = performance.now() - before;
    let logins = 0;
    let slowest = 0;
    const attacker = attackerOf(t, target, "127.0.0.66");
    const post = { method: "POST", path: "/api/v1/auth/token", headers: json };
    const attack = async (signal: AbortSignal) => {
      const [spray, distributed, malformed] = await Promise.all([
        // Many names from an address that ada also uses.
        flood(40, signal, (n) => login("127.0.0.66", `random-${n}@example.test`, "guess", signal)),
        // One name from many addresses.
        flood(10, signal, (n) => login(`127.0.1.${(n % 250) + 1}`, "ada@example.test", "guess", signal)),
        // Malformed requests, which also count for the address.
        flood(2, signal, () => attacker.send({ ...post, body: "{}" })),
        (async () => {
          while (!signal.aborted) {
            for (const [from, name] of [
              ["127.0.0.66", "ada@example.test"],
              ["127.0.0.67", "bob@example.test"],
            ] as const) {
              const began = performance.now();
              const { status, text } = await login(from, name, password);
              assert.equal(status, 200, `${name} cannot log in: ${text}`);
              slowest = Math.max(slowest, performance.now() - began);
              logins += 1;
            }
            await pause(500);
          }
        })(),
      ]);
      return { spray, distributed, malformed };
    };
    const { spray, distributed, malformed } = await withstand(target, attack);
    assert.ok(logins >= 2, `${logins} logins`);
    assert.ok(
      slowest < 5_000 + 20 * usualMs,
      `a login took ${Math.round(slowest)} ms, before ${Math.round(usualMs)} ms`,
    );
    assert.deepEqual([...malformed.keys()].sort(), [422, 429], "the address has used up its requests");
    const stop = new AbortController();
    t.after(() => stop.abort());
    const flooding = flood(8, stop.signal, () => attacker.send({ ...post, body: "{}" }));
    await until(async () => (await attacker.send({ ...post, body: "{}" })).status === 429);
    for (let n = 0; n < 3; n++) {
      const { status, text } = await login("127.0.0.66", "ada@example.test", password);
      assert.equal(status, 200, `ada cannot log in from an address without requests left: ${text}`);
    }
    stop.abort();
    await flooding;
    // Without the throttle there would be about ten guesses per second.
    for (const guesses of [spray.get(401) ?? 0, distributed.get(401) ?? 0]) {
      assert.ok(guesses <= 60, `${guesses} guesses`);
    }
  });

  test("hanging runs of one caller leave slots for others", async (t) => {
    const target = await startTarget(t, { settings: { PLATFORM_PRIVATE_ADDRESSES: "127.0.0.0/8" } });
    const hanging = await serveHttp(t, () => {});
    const quick = await serveHttp(t, (_, response) => {
      response.writeHead(200, json).end('[{"id": 1}]');
    });
    const run = async (client: Client, name: string, url: string) => {
      const connection = { name, type: "rest", config: { url } };
      const created = await client.createConnector({
        body: {
          ...connector(name),
          target_config: { connection },
          execution_mode: "manual",
          datasets: [{ source_dataset: "rows", target_name: `main.${name}` }],
        },
      });
      return (await client.runJob({ params: { job_id: created.workflow_id ?? "" }, body: {} })).id;
    };
    const mine = await Promise.all(
      Array.from({ length: 8 }, (_, n) => run(target.operator.client, `hanging_${n}`, hanging)),
    );
    const stateOf = async (id: string) =>
      (await target.admin.client.getRun({ params: { run_id: id } })).status;
    await until(
      async () => (await Promise.all(mine.map(stateOf))).filter((s) => s === "running").length === 4,
      50,
    );
    const ended = await withstand(target, async (signal) => {
      const id = await run(target.admin.client, "quick", quick);
      const began = performance.now();
      await until(async () => ["succeeded", "failed"].includes(await stateOf(id)), 50, 60_000);
      const tookMs = performance.now() - began;
      if (!signal.aborted) await once(signal, "abort");
      return { status: await stateOf(id), tookMs };
    });
    assert.equal(ended.status, "succeeded");
    assert.ok(ended.tookMs < 30_000, `${Math.round(ended.tookMs)} ms`);
    assert.equal((await Promise.all(mine.map(stateOf))).filter((status) => status === "running").length, 4);
    for (const id of mine) await target.operator.client.cancelRun({ params: { run_id: id } });
  });

  test("large bodies that are sent slowly stay few in memory, and others can upload", async (t) => {
    const target = await startTarget(t);
    const { hostname, port } = new URL(target.url);
    const sockets: Socket[] = [];
    t.after(() => {
      for (const socket of sockets) socket.destroy();
    });
    const length = 16 * 1024 * 1024;
    const most = Buffer.alloc(length - 1000, " ");
    const residentMb = async () => {
      const metrics = await (await target.admin.fetch("/metrics")).text();
      return Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]) / 2 ** 20;
    };
    const answers: string[] = [];
    const upload = (framing: string) => {
      const socket = connect({ host: hostname, port: Number(port), localAddress: "127.0.0.66" });
      socket.on("error", () => {});
      socket.on("data", (bytes) => answers.push(bytes.toString("latin1", 9, 12)));
      socket.write(
        `POST /api/v1/batch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${target.viewer.token}\r\n` +
          `Content-Type: application/json\r\n${framing}\r\n\r\n`,
      );
      socket.write(framing.startsWith("Transfer") ? `${length.toString(16)}\r\n` : "");
      socket.write(most);
      sockets.push(socket);
    };
    const before = await residentMb();
    const body = Buffer.alloc(length, "x");
    await withstand(target, async (signal) => {
      for (let n = 0; n < 60; n++)
        upload(n % 2 === 0 ? `Content-Length: ${length}` : "Transfer-Encoding: chunked");
      await until(() => answers.length >= 56, 50);
      const other = await target.operator.fetch("/api/v1/files/mine", { method: "PUT", body });
      assert.equal(other.status, 200, await other.text());
      if (!signal.aborted) await once(signal, "abort");
    });
    assert.deepEqual([...new Set(answers)], ["429"]);
    const growth = (await residentMb()) - before;
    assert.ok(growth < 500, `the server has grown by ${Math.round(growth)} MB`);
    assert.match(
      await (await target.admin.fetch("/metrics")).text(),
      /^lakehelm_quota_used\{quota="request_body_bytes_per_caller"\} [56]\d{7}$/m,
    );
    for (const socket of sockets) socket.destroy();
    // Chunked bodies are counted by their actual length, so that many short ones can be sent at once.
    await until(async () => {
      const sending = Array.from({ length: 40 }, (_, n) =>
        target.operator.fetch(`/api/v1/files/chunked-${n}`, {
          method: "PUT",
          body: new Blob([String(n)]).stream(),
          duplex: "half",
        } as RequestInit),
      );
      return (await Promise.all(sending)).every(({ status }) => status === 200);
    });
    const again = await target.viewer.fetch("/api/v1/batch", { method: "POST", headers: json, body });
    assert.equal(again.status, 422);
  });

  test("uploads fill their own environment only, up to its limit", async (t) => {
    const target = await startTarget(t, { settings: { PLATFORM_FILES_MB: "20" } });
    await target.admin.client.createEnvironment({ body: { name: "other" } });
    const body = Buffer.alloc(1024 * 1024, "x");
    const statuses = await withstand(target, (signal) =>
      flood(4, signal, (n) => {
        body.writeUInt32BE(n);
        return target.operator.fetch(`/api/v1/files/f${n}`, { method: "PUT", body: Buffer.from(body) });
      }),
    );
    assert.deepEqual(
      [statuses.get(200), (statuses.get(413) ?? 0) > 0],
      [20, true],
      JSON.stringify([...statuses]),
    );
    const other = await target.operator.fetch("/api/v1/files/mine", {
      method: "PUT",
      body: "mine",
      headers: { "x-environment-id": "other" },
    });
    assert.equal(other.status, 200);
    assert.match(
      await (await target.admin.fetch("/metrics")).text(),
      /^lakehelm_quota_used\{quota="file_bytes_per_environment"\} 20971520$/m,
    );
  });
});
