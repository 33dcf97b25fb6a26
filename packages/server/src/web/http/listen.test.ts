import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { drain, listen } from "./listen.ts";

test("the error for a port in use names the setting", async () => {
  const first = createServer();
  const url = await listen(first, "127.0.0.1", 0, "PORT");
  const port = Number(new URL(url).port);
  await assert.rejects(listen(createServer(), "127.0.0.1", port, "APPS_PORT"), {
    message: `Port ${port} is in use. Set APPS_PORT to another port.`,
  });
  await drain(first);
});

test("where a port may change, the next free one is taken", async (t) => {
  const first = createServer();
  t.after(() => drain(first));
  const port = Number(new URL(await listen(first, "127.0.0.1", 0, "PORT")).port);
  const second = createServer();
  t.after(() => drain(second));
  const next = Number(new URL(await listen(second, "127.0.0.1", port, "PORT", { orNext: true })).port);
  assert.ok(next > port, `${next}`);
  await assert.rejects(listen(createServer(), "127.0.0.1", next, "PORT"), /in use/);
});
