import assert from "node:assert/strict";
import test from "node:test";
import { decodeJson, encodeJson } from "@lakehelm/contract/schema";
import fc, { anyCharacter, randomCases } from "@lakehelm/testing/random-cases";
import type { DatabaseEngine as EngineName } from "../../../testing/server.ts";
import { context, fresh, query, testStore } from "../../../testing/store.ts";
import { conflict } from "../../errors.ts";
import { collection, keyOf } from "../collection.ts";

/** All different, although some look the same. */
const texts = [
  "",
  " ",
  "a",
  "A",
  "a ",
  "a\0",
  "\0",
  "\0\0",
  "\ud800",
  "\udc00",
  "\ud800x",
  "\ufffd",
  "\u00e9",
  "e\u0301",
  "🙂",
  "🙂🙂",
  "x".repeat(10_000),
  `${"x".repeat(9_999)}y`,
  "🙂".repeat(5_000),
  "\0".repeat(10_000),
  "\ud800".repeat(10_000),
  '["a"]',
  '"',
  "\\",
  "\\u0000",
  "%",
  "a\nb",
  "'; drop table connectors; --",
  "sha256:x",
  "ß",
  "ss",
  "İ",
  "i",
];

export function stringTests(name: EngineName): void {
  test("every string is a distinct key", async (t) => {
    const store = await testStore(t, name);
    const rows = collection<{ name: string; text: string }>(store, "connectors");
    const insert = (text: string) =>
      store.apply({
        context,
        steps: rows.insert(
          { ...fresh("x"), doc: { name: "x", text }, key: keyOf(text) },
          { duplicate: () => conflict("There is already one.") },
        ),
        events: [],
      });

    for (const text of texts) await insert(text);

    for (const text of texts) {
      assert.equal((await rows.byKey(keyOf(text)))?.doc.text, text);
      await assert.rejects(insert(text), { kind: "conflict" }, JSON.stringify(text.slice(0, 20)));
    }
    assert.equal((await rows.items({}, 0, 1)).total, texts.length);
  });

  test("keys of different components never collide", () => {
    const keys = [
      keyOf("a", "b"),
      keyOf("ab"),
      keyOf("a,b"),
      keyOf('a","b'),
      keyOf("a", "b", ""),
      keyOf("", "a", "b"),
      keyOf("x".repeat(600), "y"),
      keyOf("x".repeat(600), "", "y"),
      keyOf(`${"x".repeat(600)}y`),
    ];
    assert.equal(new Set(keys).size, keys.length);
  });

  test("a document is read back unchanged", async (t) => {
    const store = await testStore(t, name);
    const rows = collection<unknown>(store, "connectors");
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      // Lone surrogates and NUL, which neither database could store unchanged.
      fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 }).map((u) => String.fromCharCode(...u)),
      fc.constantFrom("\0", "\ud800", "__proto__", "0", "\u2028"),
    );
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
        text,
        fc.array(tie("node"), { maxLength: 4 }),
        fc.dictionary(text, tie("node"), { maxKeys: 4 }),
      ),
    })).node;

    await fc.assert(
      fc.asyncProperty(value, text, async (config, odd) => {
        const row = { ...fresh("x"), doc: { name: "x", odd, config } };
        const written = encodeJson(row.doc);
        const event = { kind: "connector.created", subject: "connector/x", data: row.doc };
        await store.apply({ context, steps: rows.insert({ ...row, key: keyOf(row.id) }), events: [event] });

        assert.equal((await rows.text(row.id))?.text, written);
        assert.equal(encodeJson((await rows.get(row.id))?.doc), written);
        const [stored] = await query(store, "select body from pending_events order by arrival desc limit 1");
        const read = decodeJson(String(stored?.body));
        assert.ok("value" in read);
        assert.equal(encodeJson((read.value as { data: unknown }).data), written);
      }),
      { numRuns: randomCases(150), seed: 7 },
    );
  });
}
