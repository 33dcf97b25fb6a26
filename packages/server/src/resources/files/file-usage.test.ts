import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createClient } from "@lakehelm/contract/client";
import { refused } from "../../testing/refusal.ts";
import { engines, startTestServer } from "../../testing/server.ts";
import { countedUsage, storedRows } from "../quotas/test-usage.ts";

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

for (const engine of engines) {
  test(`a user has a limited size and number of files in all environments, on ${engine}`, async (t) => {
    const settings = { PLATFORM_FILES_MB_PER_CALLER: "2", PLATFORM_FILES_COUNT_PER_CALLER: "3" };
    const server = await startTestServer({ engine, settings });
    t.after(server.close);
    const { client: admin, url } = server;
    const { id: other } = await admin.createEnvironment({ body: { name: "other" } });
    const files = async (username: string) => {
      const user = await admin.createUser({ body: { username, role: "operator" } });
      const { token } = await admin.createToken({ params: { user_id: user.id }, body: { comment: "test" } });
      const client = createClient({ baseUrl: url, token, retries: 0 });
      const used = async (name: string) =>
        (await client.listQuotas()).quotas.find((one) => one.scope === "caller" && one.name === name)?.used;
      return {
        put: (path: string, body: Buffer, environment = "local") =>
          client.putFile({ params: { path }, body, environment }),
        used: async () => [(await used("files")) ?? 0, (await used("file_bytes")) ?? 0],
      };
    };
    const [grace, alan] = [await files("grace@example.test"), await files("alan@example.test")];
    const isRight = async () => {
      const rows = await server.rows();
      assert.deepEqual(countedUsage(rows), storedRows(rows));
    };

    await grace.put("a.bin", megabyte("a"));
    await grace.put("b.bin", megabyte("b"), other);
    await refused(
      grace.put("c.bin", Buffer.from("c")),
      413,
      /^The files of grace@example\.test may have 2 MB together, and have 2 MB: nothing was written.*PLATFORM_FILES_MB_PER_CALLER/,
    );
    await grace.put("a.bin", Buffer.from("small"));
    await grace.put("c.bin", Buffer.from("c"));
    await refused(
      grace.put("d.bin", Buffer.from("d")),
      413,
      /grace@example\.test may have 3 files, and has 3.*PLATFORM_FILES_COUNT_PER_CALLER/,
    );
    assert.deepEqual(await grace.used(), [3, 1024 * 1024 + 6]);
    await isRight();

    // The service token has no limit, and a user who makes a file larger is charged for all of it.
    await admin.putFile({ params: { path: "service.bin" }, body: megabyte("s"), environment: other });
    await alan.put("a.bin", Buffer.from("not so small"));
    assert.deepEqual(
      [await grace.used(), await alan.used()],
      [
        [2, 1024 * 1024 + 1],
        [1, 12],
      ],
    );
    // A user who makes a file smaller is not charged for it.
    await alan.put("b.bin", Buffer.from("b"), other);
    assert.deepEqual(
      [await grace.used(), await alan.used()],
      [
        [2, 2],
        [1, 12],
      ],
    );
    await isRight();

    await admin.deleteFile({ params: { path: "a.bin" } });
    assert.deepEqual(await alan.used(), [0, 0]);
    for (const path of ["b.bin", "service.bin"])
      await admin.deleteFile({ params: { path }, environment: other });
    assert.deepEqual(await grace.used(), [1, 1]);
    await isRight();

    // Files that were deleted on the disk, not through the API, count until their environment is deleted.
    await grace.put("by-hand.bin", Buffer.from("h"), other);
    await rm(join(server.dataDir, "workspaces", other), { recursive: true });
    await admin.deleteEnvironment({ params: { environment_id: other } });
    assert.deepEqual(await grace.used(), [1, 1]);
    await isRight();
  });
}
