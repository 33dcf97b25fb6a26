import assert from "node:assert/strict";
import { test } from "node:test";
import fc, { randomCases } from "@lakehelm/testing/random-cases";
import { Problems } from "../problems.ts";
import { readPlainYaml } from "./plain-yaml.ts";
import { sourceText } from "./source-text.ts";
import { readYaml } from "./yaml-document.ts";

const connector = `# What the shop sells.
target_type: warehouse
target_config:
  connection:
    type: postgresql
    config:
      host: db.example.test   # behind the firewall
      port: 5432
      password: "{{secrets/shop/password}}"
execution_mode: 'cron'
schedule_cron: "0 * * * *"

datasets:
  - source_dataset: public.orders
    target_name: orders
    primary_keys: [id, "line no"]
    custom_config: {}
  -
    source_dataset: \${var.schema}.returns
    target_name: returns
    primary_keys:
    - id
paused: false
libraries:
  - file: { path: pipelines/sales.sql, own: true }
tags: []
`;

/** Whether the plain reader reads a text. If so, it must return the same values and locations as the library. */
function compare(text: string): boolean {
  const source = sourceText("a.yaml", text);
  const plain = readPlainYaml(source);
  if (!plain) return false;
  const problems = new Problems();
  const expected = readYaml(source, problems);
  assert.deepEqual(problems.all(), [], text);
  assert.deepEqual(plain, expected, text);
  return true;
}

test("a usual file is read without the library, with the same values and places", () => {
  assert.ok(compare(connector));
});

test("what has a meaning of its own in YAML is left to the library", () => {
  for (const text of [
    "",
    "- a\n",
    "a: &x 1\n",
    "a: *x\n",
    "a: !!str 1\n",
    "a: |\n  b\n",
    "a: >-\n  b\n",
    "a: b\n  c\n",
    "a: 'it''s'\n",
    'a: "\\n"\n',
    "a: 1.5\n",
    "a: 0x1f\n",
    "a: 0o17\n",
    "a: 12345678901234567890\n",
    "a: .inf\n",
    "a: ~\n",
    "a: True\n",
    "a:\n",
    "a: 1\na: 2\n",
    "a: b: c\n",
    "a: b:\n",
    "a: [b: c]\n",
    "a: [[b]]\n",
    "a: [b,\n  c]\n",
    "a: b\tc\n",
    "a: b\r\n",
    "---\na: b\n",
    "a: b\n...\n",
    "? a\n: b\n",
    "a:\n  - - b\n",
    "<<: {a: 1}\n",
    "true: 1\n",
    "'a': 1\n",
    "a: @b\n",
    "a: %b\n",
    "a: 'b' c\n",
    'a: "b"#c\n',
    "a: [b]c\n",
    "  a: b\nc: d\n",
    "a: b\n c: d\n",
  ])
    assert.equal(readPlainYaml(sourceText("a.yaml", text)), undefined, JSON.stringify(text));
});

test("the plain reader finds what the library finds, or nothing", () => {
  const piece = fc.constantFrom(
    ..."a,b,a: ,b: ,c:,d:\n,\n,\n  ,\n    ,- ,-, ,#, # x,x,1,-1,0,1.5,true,null,~,',\",'x',\"x y\",[,],{,},[a],{ a: b },$,/,.,|,>,&,*,!,%,@,?,:,,,\\,é,—".split(
      ",",
    ),
    ",",
    ", ",
    "\n- ",
    "\n  - ",
    "\nb: ",
    "\n  c: ",
  );
  let read = 0;
  const built = fc.array(piece, { maxLength: 12 }).map((pieces) => `a: ${pieces.join("")}`);
  const changed = fc
    .tuple(fc.nat(connector.length), fc.nat(8), fc.array(piece, { maxLength: 2 }))
    .map(([at, length, pieces]) => connector.slice(0, at) + pieces.join("") + connector.slice(at + length));
  fc.assert(
    fc.property(fc.oneof(built, changed), (text) => {
      if (compare(text)) read += 1;
    }),
    { numRuns: randomCases(5000) },
  );
  // Otherwise the test has compared nothing.
  assert.ok(read > 100, String(read));
});
