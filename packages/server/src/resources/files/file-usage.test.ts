import assert from "node:assert/strict";
import { test } from "node:test";
import { refused } from "../../testing/refusal.ts";
import { startTestServer } from "../../testing/server.ts";

const megabyte = (fill: string) => Buffer.alloc(1024 * 1024, fill);

test("the files of an environment have a limited size, replaced and deleted ones make room", async (t) => {
  const server = await startTestServer({ settings: { PLATFORM_FILES_MB: "2" } });
  let running = server;
  t.after(() => running.close());
  const { client } = server;
  const put = (path: string, body: Buffer) => client.putFile({ params: { path }, body });
  await put("a.bin", megabyte("a"));
  await put("b.bin", megabyte("b"));
  await refused(put("c.bin", Buffer.from("c")), 413, /2 MB together/);
  await put("b.bin", megabyte("c"));
  assert.match(
    await (await server.fetch("/metrics")).text(),
    /^lakehelm_quota_used\{quota="file_bytes_per_environment"\} 2097152$/m,
  );
  await client.deleteFile({ params: { path: "a.bin" } });
  await put("c.bin", Buffer.from("c"));
  running = await server.restart();
  await refused(running.client.putFile({ params: { path: "d.bin" }, body: megabyte("d") }), 413);
});

test("an environment has a limited number of files, and a full disk refuses all", async (t) => {
  const server = await startTestServer({ settings: { PLATFORM_FILES_COUNT: "2" } });
  t.after(() => server.close());
  const put = (path: string) => server.client.putFile({ params: { path }, body: Buffer.from("x") });
  await put("a");
  await put("b");
  await refused(put("c"), 413, /2 files/);
  const full = await startTestServer({ settings: { PLATFORM_DISK_RESERVE_MB: String(2 ** 31 - 1) } });
  t.after(() => full.close());
  await refused(full.client.putFile({ params: { path: "a" }, body: Buffer.from("x") }), 503, /disk/);
});
