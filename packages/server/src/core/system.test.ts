import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import test from "node:test";
import { pooledRandom, uuidV7 } from "./system.ts";

const canonical = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("an id is a canonical UUIDv7 that begins with the time", () => {
  const id = uuidV7(() => Date.UTC(2026, 2, 1), randomBytes)();
  assert.match(id, canonical);
  assert.equal(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16), Date.UTC(2026, 2, 1));
});

test("ids sort in the order they were made, within a millisecond and when the clock is set back", () => {
  let time = 1_800_000_000_000;
  const newId = uuidV7(() => time, pooledRandom(randomBytes));
  const ids: string[] = [];
  const make = (n: number) => {
    for (let made = 0; made < n; made++) ids.push(newId());
  };
  make(10_000);
  time -= 5_000;
  make(10);
  time += 10_000;
  make(10);

  assert.deepEqual(ids, ids.toSorted());
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.every((id) => canonical.test(id)));
});

test("pooled randomness returns each byte once", () => {
  let drawn = 0;
  const counted = (size: number) => Buffer.from(Array.from({ length: size }, () => drawn++ & 0xff));
  const random = pooledRandom(counted);

  const bytes = Array.from({ length: 600 }, () => random(16));
  assert.equal(drawn, 3 * 4096, "it reads 4 KiB at a time");
  assert.deepEqual(
    Buffer.concat(bytes.slice(0, 256)),
    Buffer.from(Array.from({ length: 4096 }, (_, n) => n & 0xff)),
  );
  assert.equal(random(300).length, 300);
});
