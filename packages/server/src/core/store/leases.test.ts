import assert from "node:assert/strict";
import test from "node:test";
import { engines, testJobs } from "../../runtime/jobs/test-jobs.ts";
import { proxyTo } from "../../testing/database-proxy.ts";
import { signTestEvent, testDatabase } from "../../testing/store.ts";
import { testSystem } from "../../web/identity/test-dependencies.ts";
import type { Dependencies } from "../dependencies.ts";
import { Problem } from "../errors.ts";
import { createLease, type LeaseOptions } from "./leases.ts";
import { migrate } from "./migrate.ts";
import { openPostgres } from "./postgres.ts";
import { createStore } from "./store.ts";

const second = 1000;

function leaseOf(
  { deps }: { readonly deps: Pick<Dependencies, "store" | "system"> },
  owner: string,
  more: Partial<LeaseOptions> = {},
) {
  return createLease(deps, "embedded", {
    owner,
    address: `http://${owner}`,
    onError: (error) => assert.fail(String(error)),
    ...more,
  });
}

for (const engine of engines) {
  test(`a lease is held while it is renewed, on ${engine}`, async (t) => {
    const at = await testJobs(t, { engine });
    const changes: string[] = [];
    const lease = leaseOf(at, "one", {
      gained: () => changes.push("gained"),
      lost: () => changes.push("lost"),
    });
    assert.equal(lease.held(), false);
    assert.equal(await lease.beat(), true);
    at.deps.system.advance(9.9 * second);
    assert.equal(lease.held(), true);
    at.deps.system.advance(0.1 * second);
    assert.equal(lease.held(), false);
    assert.equal(await lease.beat(), true);
    assert.deepEqual(await lease.holder(), {
      owner: "one",
      until: new Date(at.deps.system.now().getTime() + 15 * second).toISOString(),
      address: "http://one",
    });
    await lease.release();
    assert.equal(lease.held(), false);
    assert.equal(await lease.holder(), undefined);
    assert.deepEqual(changes, ["gained", "lost"]);
  });
}

test("another server gets a lease when it is released or has expired, and not before", async (t) => {
  const at = await testJobs(t, { engine: "postgres" });
  const [one, two] = [leaseOf(at, "one"), leaseOf(await at.another(), "two")];
  assert.equal(await one.beat(), true);
  assert.equal(await two.beat(), false);
  at.deps.system.advance(15 * second);
  assert.equal(await two.beat(), false);
  at.deps.system.advance(1);
  assert.equal(await two.beat(), true);
  assert.equal(await one.beat(), false);
  assert.equal((await one.holder())?.owner, "two");
  await two.release();
  assert.equal(await one.beat(), true);
});

test("of servers that try concurrently, one gets the lease", async (t) => {
  const at = await testJobs(t, { engine: "postgres" });
  const leases = await Promise.all(
    Array.from({ length: 5 }, async (_, n) => leaseOf(await at.another(), `server-${n}`)),
  );
  const held = await Promise.all(leases.map((lease) => lease.beat()));
  assert.equal(held.filter(Boolean).length, 1);
});

test("a holder that cannot renew the lease loses it before another server can take it", async (t) => {
  const database = await testDatabase(t, "postgres");
  await migrate(await database.open());
  const proxy = await proxyTo(t, database.where);
  const remote = await openPostgres(proxy.url);
  t.after(() => remote.close());
  const system = testSystem();
  const errors: unknown[] = [];
  const changes: string[] = [];
  const deps = { system, store: createStore(remote, system, signTestEvent) };
  const lease = createLease(deps, "embedded", {
    owner: "one",
    address: null,
    lost: () => changes.push("lost"),
    onError: (error) => errors.push(error),
  });
  assert.equal(await lease.beat(), true);
  proxy.cut();
  system.advance(5 * second);
  assert.equal(await lease.beat(), true);
  system.advance(5 * second);
  assert.equal(await lease.beat(), false);
  assert.deepEqual(changes, ["lost"]);
  assert.deepEqual([errors.length, errors.every((error) => error instanceof Problem)], [2, true]);
  const other = { system, store: createStore(await database.open(), system, signTestEvent) };
  assert.equal(await leaseOf({ deps: other }, "two").beat(), false);
});

test("a started lease is acquired and renewed until it is released", async (t) => {
  const at = await testJobs(t, { engine: "postgres", realTime: true });
  const gained = Promise.withResolvers<void>();
  const [one, two] = [
    leaseOf(at, "one", { seconds: 0.3 }),
    leaseOf(await at.another(), "two", { seconds: 0.3, gained: gained.resolve }),
  ];
  await one.beat();
  one.start();
  two.start();
  assert.equal(two.held(), false);
  await one.release();
  await gained.promise;
  assert.equal(two.held(), true);
  await two.release();
});
