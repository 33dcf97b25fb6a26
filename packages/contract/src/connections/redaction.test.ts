import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "@lakehelm/testing/random-cases";
import { createRedaction, secretMask } from "./index.ts";

test("a secret is redacted in any case; a value of fewer than 4 characters is not", () => {
  const redaction = createRedaction(["Hunter-Two", "abc"]);
  redaction.add("S3cret");
  const text = "there is no table main.hunter-two. HUNTER-TWO, Hunter-Two, s3cret; abc is too short";
  const hidden = "there is no table main.********. ********, ********, ********; abc is too short";
  assert.equal(redaction.text(text), hidden);
  assert.deepEqual(redaction.tree({ message: [text] }), { message: [hidden] });
});

const encodings: Readonly<Record<string, (secret: string) => string>> = {
  itself: (secret) => secret,
  "percent-encoded": encodeURIComponent,
  "percent-encoded in lower case": (secret) =>
    encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  "percent-encoded twice": (secret) => encodeURIComponent(encodeURIComponent(secret)),
  "every byte percent-encoded": (secret) => Buffer.from(secret).toString("hex").replace(/../g, "%$&"),
  "a form field": (secret) => new URLSearchParams({ q: secret }).toString().slice(2),
  "a path": (secret) => encodeURI(secret),
  JSON: (secret) => JSON.stringify(secret).slice(1, -1),
  "JSON in JSON": (secret) => JSON.stringify(JSON.stringify(secret)).slice(3, -3),
  "ASCII JSON": (secret) =>
    JSON.stringify(secret)
      .slice(1, -1)
      .replace(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`),
  base64: (secret) => Buffer.from(secret).toString("base64"),
  base64url: (secret) => Buffer.from(secret).toString("base64url"),
  hexadecimal: (secret) => Buffer.from(secret).toString("hex"),
  "upper-case hexadecimal": (secret) => Buffer.from(secret).toString("hex").toUpperCase(),
  HTML: (secret) =>
    secret
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("'", "&#39;"),
  "a SQL literal": (secret) => secret.replaceAll("'", "''"),
};

for (const secret of [
  "correct horse/battery+staple=",
  `p<w>&"d'\\%2`,
  "pässwörd ü 日本",
  "0123456789abcdef",
]) {
  for (const [name, encode] of Object.entries(encodings)) {
    test(`${secret} is redacted as ${name}`, () => {
      const hidden = createRedaction([secret]).text(`before|${encode(secret)}|after`);
      // Padding and the last bits of base64 may remain.
      assert.match(hidden, /^before\|\*{8}.{0,3}\|after$/);
    });
  }
  for (const user of ["", "a", "ab", "abc", "ada.lovelace", "ü"]) {
    for (const encoding of ["base64", "base64url"] as const) {
      test(`${secret} is redacted in basic authentication of "${user}" in ${encoding}`, () => {
        const header = Buffer.from(`${user}:${secret}`).toString(encoding);
        const hidden = createRedaction([secret]).text(`Basic ${header}.`);
        const prefix = Buffer.from(`${user}:`).toString("base64url").length + 1;
        const [before = "", after = ""] = hidden.slice("Basic ".length, -1).split(secretMask);
        assert.ok(before.length <= prefix && after.length <= 4, hidden);
      });
    }
  }
}

test("excerpts of 8 characters are redacted, so that a truncated text shows no more than 7", () => {
  const secret = "Zq3vT8kLmW0pXyR5";
  const { text } = createRedaction([secret]);
  for (let length = 8; length < secret.length; length++) {
    assert.equal(text(`token ${secret.slice(0, length)}…`), "token ********…");
    assert.equal(text(`…${secret.slice(-length)}.`), "…********.");
  }
  assert.equal(text("Zq3vT8k"), "Zq3vT8k");
});

test("the scheme of an address is no secret", () => {
  const { text } = createRedaction(["https://hooks.example.com/T0/abcdef"]);
  assert.equal(
    text("https://lakehelm.test/ and https://hooks.example.com/T0/abcdef"),
    "https://lakehelm.test/ and https://********",
  );
});

test("keys and numbers of a tree are redacted; other values and the shape stay", () => {
  const bytes = new Uint8Array([1]);
  const { tree } = createRedaction(["123456789", "hunter-two"]);
  assert.deepEqual(
    tree({
      "is hunter-two": 123456789,
      big: 123456789n,
      no: 12,
      yes: true,
      none: null,
      bytes,
      list: [[1.5]],
    }),
    { "is ********": secretMask, big: secretMask, no: 12, yes: true, none: null, bytes, list: [[1.5]] },
  );
});

test("an error keeps its class; its message, stack, fields and causes are redacted", async () => {
  const redaction = createRedaction(["hunter-two"]);
  class DriverError extends Error {
    readonly detail = "Role hunter-two does not exist.";
    readonly code = "28000";
    readonly fields = { user: "hunter-two" };
  }
  const cause = new DriverError("no hunter-two");
  const error = new TypeError("failed: hunter-two", { cause });
  const thrown = await redaction.outcome(Promise.reject(error)).catch((failure) => failure);
  assert.equal(thrown, error);
  assert.equal(thrown.message, "failed: ********");
  assert.equal(cause.code, "28000");
  assert.doesNotMatch([error.stack, cause.message, cause.stack, JSON.stringify(cause)].join(), /hunter/);
  const all = redaction.error(new AggregateError([new Error("hunter-two")], "both hunter-two"));
  assert.doesNotMatch(`${all.stack} ${all.errors[0].stack}`, /hunter/);
});

test("ranges are offsets in bytes", () => {
  const { ranges } = createRedaction(["pässwörd", "hunter-two"]);
  const bytes = Buffer.from("ü pässwörd hunter-two");
  assert.deepEqual(
    ranges(bytes).map(({ from, to }) => bytes.toString("utf8", from, to)),
    ["pässwörd", "hunter-two"],
  );
});

test("no secret is left in any text around it", () => {
  const text = fc.string({ unit: "grapheme" });
  fc.assert(
    fc.property(fc.string({ minLength: 4, unit: "grapheme" }), text, text, (secret, before, after) => {
      fc.pre(!secretMask.includes(secret.toLowerCase()));
      // Inside a longer run of letters, a secret that is a word is not redacted.
      const edge = /^[A-Za-zÀ-ÿ]+$/.test(secret) ? "-" : "";
      const hidden = createRedaction([secret]).text(`${before}${edge}${secret}${edge}${after}`);
      const rest = hidden.replaceAll(secretMask, "\0");
      assert.ok(!rest.includes(secret.replace(/^[a-z][a-z0-9+.-]{1,20}:\/\//i, "")), hidden);
    }),
    { numRuns: 500, seed: 1 },
  );
});

test("a secret of letters that is no word is hidden within other letters, too", () => {
  for (const secret of ["aBcDeF", "tRXqzk", "abcdefghijklmnop"])
    assert.equal(createRedaction([secret]).text(`x${secret}y`), "x********y");
});

test("a secret that may be a word is hidden where it stands alone, and in every encoded form", () => {
  const redaction = createRedaction(["shop", "postgres", "Größer"]);
  for (const text of [
    "webshop, shops and myShops",
    "postgresql://db.example.test/main",
    "größere Tabellen",
    "a postgresLike database",
  ])
    assert.equal(redaction.text(text), text);
  const hidden = (text: string) => assert.ok(!/shop|postgres|größer/i.test(redaction.text(text)), text);
  for (const text of [
    "shop",
    "password=shop",
    "user:shop@db.example.test",
    '"POSTGRES"',
    "(postgres)",
    "line\\nshop\\r",
    "%2Fshop%2F",
    "\\u002fpostgres",
    "\u001b[31mshop\u001b[0m",
    "shop_1",
    "2postgres",
    "GRÖSSER größer",
  ])
    hidden(text.replace("GRÖSSER ", ""));
  assert.equal(redaction.text("postgres is the password of shop"), "******** is the password of ********");
  const encoded = btoa("ada:postgres");
  assert.notEqual(redaction.text(encoded), encoded);
  assert.match(redaction.text(Buffer.from("postgres").toString("hex")), /^\*+$/);
  // The end of a truncated text.
  const long = createRedaction(["correcthorses"]);
  assert.equal(long.text("it is correcthor"), "it is ********");
  const bytes = new TextEncoder().encode("größer als größere, shop");
  assert.deepEqual(redaction.ranges(bytes), [
    { from: 0, to: 8 },
    { from: 24, to: 28 },
  ]);
});
