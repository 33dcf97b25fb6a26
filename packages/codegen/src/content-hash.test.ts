import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "@lakehelm/testing/random-cases";
import { contentHash } from "./content-hash.ts";

const text = fc.string({ unit: fc.constantFrom("a", "b", ":", "1", "2", " ", "\n", "é", "𝄞") });
const file = fc.record({ path: text, content: text });
const files = fc.array(file, { maxLength: 6 });

// printf "5:a.sql8:select 1" | sha256sum
test("the hash is sha256 and the same in every run", () => {
  assert.equal(
    contentHash([{ path: "a.sql", content: "select 1\n" }]),
    "sha256:42e25bf139a6a74be648fcbb572bb5dffe93fdaccb9221aface0879a72085c1d",
  );
});

test("the order of files does not change the hash", () => {
  const shuffled = files.chain((some) =>
    fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length })),
  );
  fc.assert(fc.property(shuffled, ([some, other]) => contentHash(some) === contentHash(other)));
});

test("line ends and trailing newlines do not change the hash", () => {
  const ends = fc.array(fc.constantFrom("\r\n", "\r", "\n"), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(files, ends, (some, [first = "\n", ...more]) => {
      const written = some.map(({ path, content }) => ({
        path,
        content: content.replaceAll("\n", first) + more.join(""),
      }));
      assert.equal(contentHash(written), contentHash(some));
    }),
  );
});

test("any other difference changes the hash, even one that only moves text between path, content and files", () => {
  const normalized = (some: readonly { path: string; content: string }[]) =>
    some
      .map(({ path, content }) => JSON.stringify([path, content.replace(/\n+$/, "")]))
      .sort()
      .join();
  fc.assert(
    fc.property(files, files, (some, other) => {
      assert.equal(contentHash(some) === contentHash(other), normalized(some) === normalized(other));
    }),
  );
  fc.assert(
    fc.property(text, text, fc.nat(8), (path, content, cut) => {
      const moved = { path: path + content.slice(0, cut), content: content.slice(cut) };
      const same = moved.path === path;
      assert.equal(contentHash([{ path, content }]) === contentHash([moved]), same);
    }),
  );
});
