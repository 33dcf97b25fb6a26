import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { sqlString } from "@lakehelm/sql/names";
import fc from "@lakehelm/testing/random-cases";
import type { Artifact } from "../artifact.ts";
import { pythonString } from "../text/python.ts";
import { yamlText } from "../text/yaml.ts";
import { parsePython } from "./python/syntax-tree.ts";
import { checkedCount, masked, secretProblems, spellings, textsOf } from "./withheld-values.ts";
import { readYaml } from "./yaml/read.ts";

const file = (content: string, more: Partial<Artifact> = {}): Artifact => ({
  path: "a.txt",
  content,
  fileType: "json",
  about: "",
  ...more,
});

/** Whether a secret is found in an artifact of each kind of text. */
const found = (artifact: Artifact, secret: string) => {
  const read =
    artifact.fileType === "python"
      ? { nodes: parsePython(artifact.content, 0) }
      : artifact.fileType === "yaml"
        ? { value: readYaml(artifact.path, artifact.content).value }
        : {};
  return secretProblems(textsOf(artifact, read), spellings([secret])).length > 0;
};

const distinctive = fc
  .oneof(
    fc.string({ minLength: 6, maxLength: 40, unit: "grapheme" }),
    fc.base64String({ minLength: 8, maxLength: 60 }),
  )
  .filter((value) => checkedCount([value]) === 1);

suite("a secret", () => {
  test("is found in every encoding", () => {
    fc.assert(
      fc.property(distinctive, fc.string({ maxLength: 5 }), (secret, before) => {
        const text = `${before}${secret}!`;
        const bytes = Buffer.from(text, "utf8");
        const ways: [way: string, artifact: Artifact][] = [
          ["plainly", file(`x ${secret} y`)],
          ["in JSON", file(JSON.stringify({ a: [text] }))],
          ["in Python", file(`x = ${pythonString(text)}\n`, { fileType: "python" })],
          ["in JSON in Python", file(`x = ${pythonString(JSON.stringify(text))}\n`, { fileType: "python" })],
          ["in YAML", file(yamlText([], { a: text }), { fileType: "yaml" })],
          ["in base64", file(bytes.toString("base64"))],
          ["in base64 for addresses", file(bytes.toString("base64url"))],
          ["in hex", file(bytes.toString("hex"))],
          ["in an address", file(`https://u:${encodeURIComponent(secret)}@h`)],
          ["in a statement", file("", { statements: [`SELECT ${sqlString(secret)}`] })],
          ["in a path", file("", { path: `src/${secret}.py` })],
          ["in the sentence about it", file("", { about: `Uses ${secret}.` })],
          ["as a reference's key", file("", { secrets: [{ scope: "s", key: secret }] })],
        ];
        // The search does not cover statements in which sqlString escapes more than quotes, backslashes and dollars.
        const plain = !/[\p{C}\p{Zl}\p{Zp}]/u.test(secret);
        // In the middle of a base64 text, six or seven bytes determine too few digits.
        const long = Buffer.byteLength(secret) >= 8;
        for (const [way, artifact] of ways) {
          if ((way === "in a statement" && !plain) || (/base64/.test(way) && !long)) continue;
          assert.ok(found(artifact, secret), way);
        }
      }),
    );
  });

  test("is found without its scheme, and line by line", () => {
    assert.ok(found(file("x = 'abc123def456'"), "Bearer abc123def456"));
    const key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG\nAAAAB3NzaC1yc2EAAAAD\n-----END KEY-----";
    assert.ok(found(file("# AAAAB3NzaC1yc2EAAAAD"), key));
  });

  test("is found with its quotes as they are, and doubled", () => {
    assert.ok(found(file('x = it\'s "quoted"'), 'it\'s "quoted"'));
    assert.ok(found(file("SELECT 'it''s me'"), "it's me"));
  });

  test("is not found where there is none", () => assert.ok(!found(file("nothing here"), "s3cr3t-value")));

  test("that is short, a plain word or a number is not looked for, and neither is a reference", () => {
    for (const value of ["x1!", "postgres", "Password", "CHANGEME", "12345678", "{{secrets/a/b}}"]) {
      assert.deepEqual([value, spellings([value])], [value, []]);
    }
    for (const value of ["hunter2", "123456789", "correcthorsebattery", "Passw0rd", "pass word"]) {
      assert.notDeepEqual([value, spellings([value])], [value, []]);
    }
  });

  test("is masked in sentences", () => {
    const sentence = masked("The statement at line 1: near 's3cr3t\\'s'.", spellings(["s3cr3t's"]));
    assert.equal(sentence, "The statement at line 1: near '********'.");
  });
});
