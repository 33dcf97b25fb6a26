import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { secretMask as mask } from "@lakehelm/contract/connections";
import { createEncryptedMaps } from "./encrypted-map.ts";
import type { FreeFormMap } from "./secret-path.ts";
import { openVault } from "./vault.ts";

const maps = createEncryptedMaps(openVault(randomBytes(32).toString("hex"), randomBytes));

/** Stores a map, then sends `next` as a change of it. Returns what the platform would get. */
function changed(stored: FreeFormMap, next: FreeFormMap): FreeFormMap {
  const before = maps.seal(stored);
  const { masked, sealed } = maps.seal(next, before);
  return maps.open(masked, sealed);
}
const unknown = /the value is the mask \*{8}, but no secret is stored there/;

test("a secret stays with its item by name when items are reordered, removed, added or edited", () => {
  const hook = (name: string, token: string, more = {}) => ({ name, token, ...more });
  const hooks = [hook("a", "secret-a"), hook("b", "secret-b"), hook("c", "secret-c")];
  const result = (items: unknown[]) => changed({ hooks }, { hooks: items }).hooks as unknown[];
  const [a, b, c] = [hook("a", mask), hook("b", mask), hook("c", mask)];
  assert.deepEqual(result([c, a, b]), [hooks[2], hooks[0], hooks[1]]);
  assert.deepEqual(result([b, c]), [hooks[1], hooks[2]]);
  assert.deepEqual(result([c]), [hooks[2]]);
  assert.deepEqual(result([hook("new", "fresh"), a, b, c]), [hook("new", "fresh"), ...hooks]);
  assert.deepEqual(result([hook("c", mask, { note: "x" }), b]), [
    hook("c", "secret-c", { note: "x" }),
    hooks[1],
  ]);
  assert.deepEqual(result([hook("a", "changed"), b, c])[0], hook("a", "changed"));
});

test("an item under another name gets no secret of the item that was at its position", () => {
  const hooks = [
    { name: "a", token: "secret-a" },
    { name: "b", token: "secret-b" },
  ];
  for (const items of [
    [
      { name: "x", token: mask },
      { name: "b", token: mask },
    ],
    [
      { name: "a", token: mask },
      { name: "a", token: mask },
    ],
    [{ token: mask }, { name: "b", token: mask }],
    [
      { name: "b", token: mask },
      { name: "c", token: mask },
    ],
  ]) {
    assert.throws(() => changed({ hooks }, { hooks: items }), unknown, JSON.stringify(items));
  }
});

test("items without a name are found by their masked content", () => {
  const targets = [
    { region: "eu", token: "secret-eu" },
    { region: "us", token: "secret-us" },
  ];
  const [eu, us] = [
    { region: "eu", token: mask },
    { region: "us", token: mask },
  ];
  const result = (items: unknown[]) => changed({ targets }, { targets: items }).targets;
  assert.deepEqual(result([us, eu]), [targets[1], targets[0]]);
  assert.deepEqual(result([us]), [targets[1]]);
  assert.throws(() => result([{ region: "ap", token: mask }]), unknown);
  // One item that was changed in its place is still that item, but only with the same destination.
  assert.deepEqual(result([{ ...eu, note: "x" }, us]), [{ ...targets[0], note: "x" }, targets[1]]);
  assert.throws(() => result([{ ...eu, region: "ap" }, us]), /The destination has changed/);
  assert.throws(
    () =>
      result([
        { ...us, note: "x" },
        { ...eu, note: "x" },
      ]),
    unknown,
  );
});

test("items that look alike keep their order, and none of them passes to another when one is removed", () => {
  const stored = { tokens: ["one", "two", "three"] };
  assert.deepEqual(changed(stored, { tokens: [mask, mask, mask] }), stored);
  assert.deepEqual(changed(stored, { tokens: ["new", mask, mask, mask] }), {
    tokens: ["new", "one", "two", "three"],
  });
  for (const tokens of [[mask], [mask, mask], [mask, mask, mask, mask], [mask, "new", mask]]) {
    assert.throws(() => changed(stored, { tokens }), unknown, JSON.stringify(tokens));
  }
});

test("one of two secrets that look alike is none of them", () => {
  assert.throws(() => changed({ tokens: ["one", "two"] }, { tokens: [mask] }), unknown);
});

test("arguments and pairs are found by the text before them", () => {
  const stored = { args: ["--password", "p-secret", "--token", "t-secret", "--verbose"] };
  assert.deepEqual(changed(stored, { args: ["--verbose", "--token", mask, "--password", mask] }), {
    args: ["--verbose", "--token", "t-secret", "--password", "p-secret"],
  });
  assert.deepEqual(changed(stored, { args: ["--token", mask] }), { args: ["--token", "t-secret"] });
  assert.throws(() => changed(stored, { args: ["--api-key", mask] }), unknown);
  const pairs = {
    headers: [
      ["X-Auth", "x-secret"],
      ["Cookie", "c-secret"],
    ],
  };
  assert.deepEqual(
    changed(pairs, {
      headers: [
        ["Cookie", mask],
        ["X-Auth", mask],
      ],
    }),
    {
      headers: [
        ["Cookie", "c-secret"],
        ["X-Auth", "x-secret"],
      ],
    },
  );
  assert.throws(
    () =>
      changed(pairs, {
        headers: [
          ["X-Other", mask],
          ["Cookie", mask],
        ],
      }),
    unknown,
  );
});

test("an item keeps its secret only while its own destination is the same", () => {
  const target = (name: string, url: string, token: string) => ({ name, url, token });
  const stored = {
    targets: [target("a", "https://a.example.test", "sa"), target("b", "https://b.example.test", "sb")],
  };
  const swapped = [target("a", "https://b.example.test", mask), target("b", "https://a.example.test", mask)];
  assert.throws(() => changed(stored, { targets: swapped }), /The destination has changed/);
  const nested = { config: { url: "https://x.example.test", hooks: stored.targets } };
  const reversed = stored.targets.map(({ name, url }) => target(name, url, mask)).reverse();
  assert.deepEqual(changed(nested, { config: { ...nested.config, hooks: reversed } }), {
    config: { ...nested.config, hooks: stored.targets.toReversed() },
  });
  assert.throws(
    () => changed(nested, { config: { ...nested.config, hooks: swapped } }),
    /The destination has changed/,
  );
});

test("a mask with nothing stored behind it is refused wherever it stands for a secret", () => {
  for (const map of [
    { password: mask },
    { password: ` ${mask} ` },
    { note: mask },
    { headers: { Authorization: `Bearer ${mask}` } },
    { authorization: `Basic ${mask}` },
    { url: `https://ada:${mask}@example.test/` },
    { hooks: [{ name: "a", token: mask }] },
  ]) {
    assert.throws(() => maps.seal(map), unknown, JSON.stringify(map));
  }
  assert.deepEqual(maps.seal({ note: `${mask} is the mask` }).masked, { note: `${mask} is the mask` });
});

/**
 * CPU time of this thread, because other programs may use the processors. The least of three, because garbage may be
 * collected in any of them.
 */
function leastMilliseconds(work: () => void): number {
  const took = Array.from({ length: 3 }, () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...took);
}

test("deep and long lists are compared in linear time", () => {
  // With an address at every level, so that every level has a destination.
  const deep = (levels: number, leaf: unknown) => {
    let value: unknown = leaf;
    for (let n = 0; n < levels; n++) value = [value, `https://${n}.example.test`];
    return value as unknown[];
  };
  const items = (length: number, token: (n: number) => string) =>
    Array.from({ length }, (_, n) => ({ name: `item ${n}`, token: token(n) }));
  const compared = (size: number) => {
    const [levels, length] = [10 * size, 400 * size];
    const before = maps.seal({
      deep: deep(levels, { token: "s" }),
      items: items(length, (n) => `secret ${n}`),
    });
    const next = { deep: deep(levels, { token: mask }), items: items(length, () => mask).reverse() };
    const took = leastMilliseconds(() => maps.seal(next, before));
    const { masked, sealed } = maps.seal(next, before);
    const last = (maps.open(masked, sealed).items as { token: string }[])[0]?.token;
    assert.equal(last, `secret ${length - 1}`);
    return took;
  };
  compared(1);
  const ratio = compared(8) / compared(1);
  // Linear time gives 8, quadratic time 64.
  assert.ok(ratio < 28, `8 times as many items take ${ratio.toFixed(1)} times as long`);
});
