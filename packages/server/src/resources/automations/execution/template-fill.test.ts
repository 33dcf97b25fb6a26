import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { AutomationDefinition } from "@lakehelm/contract";
import type { TemplateValues } from "../templates.ts";
import { validDesign } from "../test-designs.ts";
import { redactionOf } from "./definition-redaction.ts";
import { createTemplateFill } from "./template-fill.ts";

const values: TemplateValues = {
  parameters: { answer: "{{secrets/shop/key}}" },
  tasks: {},
  run: { id: "r-1", time: "2026-03-01T06:00:00Z" },
  environment: { name: "prod" },
};
const definition = AutomationDefinition.check(
  { ...validDesign, parameters: { api_token: "hunter-2-parameter" } },
  [],
  [],
);

function given() {
  const redaction = redactionOf(definition);
  const secrets = {
    resolve: async (_: string, scope: string, key: string) => known[`${scope}/${key}`],
    missing: async (_: string, scope: string, key: string) => `There is no secret ${scope}/${key}.`,
  };
  return { redaction, fill: createTemplateFill("e-1", secrets, { randomBytes }, redaction) };
}
const known: Record<string, string | undefined> = { "shop/key": "s3cret-{{run.id}}-$&" };

const anywhere = () => true;
const to = () => [];

test("references in the definition become secrets; values that look like references do not", async () => {
  const { fill } = given();
  const tree = { auth: "Bearer {{secrets/shop/key}} {{run.id}}", echo: "{{parameters.answer}}" };
  assert.deepEqual(await fill(tree, values, anywhere, to), {
    auth: "Bearer s3cret-{{run.id}}-$& r-1",
    echo: "{{secrets/shop/key}}",
  });
});

test("a parameter with a secret name may be a reference, which is resolved where it is used", async () => {
  const { fill, redaction } = given();
  const parameters = {
    db_password: "{{secrets/shop/key}}",
    deep: { token: "Bearer {{secrets/shop/key}}" },
    other_token: "{{secrets/shop/none}}",
  };
  const tree = { a: "{{parameters.db_password}}", b: "{{parameters.deep.token}}!" };
  const secret = "s3cret-{{run.id}}-$&";
  assert.deepEqual(await fill(tree, { ...values, parameters }, anywhere, to), {
    a: secret,
    b: `Bearer ${secret}!`,
  });
  assert.equal(redaction.text(secret), "********");
});

test("a missing secret is a permanent error", async () => {
  await assert.rejects(
    given().fill({ a: "{{secrets/shop/none}}" }, values, anywhere, to),
    /There is no secret shop\/none/,
  );
});

test("used secrets and those of the definition are redacted in all output", async () => {
  const { fill, redaction } = given();
  await fill({ a: "{{secrets/shop/key}}" }, values, anywhere, to);
  assert.equal(redaction.text("echo: s3cret-{{run.id}}-$&!"), "echo: ********!");
  assert.deepEqual(redaction.tree({ body: { echo: ["hunter-2-parameter", 7] } }), {
    body: { echo: ["********", 7] },
  });
});

test("a secret outside a credential field is a permanent error, and is not resolved", async () => {
  const { fill, redaction } = given();
  const parameters = { db_password: "{{secrets/shop/key}}", deep: { token: "{{secrets/shop/key}}" } };
  const inHeaders = ([key]: readonly (string | number)[]) => key === "headers";
  const isWhole = (_: unknown, whole: boolean) => whole;
  const reference = "{{secrets/shop/key}}";
  for (const [tree, isCredential] of [
    [{ body: { text: reference } }, inHeaders],
    [{ headers: {}, body: ["{{parameters.db_password}}"] }, inHeaders],
    [{ body: "{{parameters.deep}}" }, inHeaders],
    [{ body: "as JSON: {{parameters.deep}}" }, inHeaders],
    [{ url: `https://x/${reference}` }, isWhole],
    [{ url: `${reference}${reference}` }, isWhole],
  ] as const) {
    const filled = fill(tree, { ...values, parameters }, isCredential, to);
    await assert.rejects(filled, /accepted only in a credential field/, JSON.stringify(tree));
  }
  assert.equal(redaction.text("s3cret-{{run.id}}-$&"), "s3cret-{{run.id}}-$&");
  const url = await fill({ url: reference }, values, isWhole, to);
  assert.deepEqual(url, { url: "s3cret-{{run.id}}-$&" });
});

test("an address is resolved first, and decides where the other secrets go", async () => {
  const asked: unknown[] = [];
  const secrets = {
    resolve: async (_: string, scope: string, key: string, sentTo: unknown) => {
      asked.push([`${scope}/${key}`, sentTo]);
      return "https://hooks.example.test/x";
    },
    missing: async () => "",
  };
  const fill = createTemplateFill("e-1", secrets, { randomBytes }, redactionOf(definition));
  const tree = {
    parameters: { headers: { Authorization: "{{secrets/a/token}}" } },
    url: "{{secrets/b/hook}}",
  };
  await fill(tree, values, anywhere, ([field], { url }) =>
    field === "url" ? "its own address" : [String(url)],
  );
  assert.deepEqual(asked, [
    ["b/hook", "its own address"],
    ["a/token", ["https://hooks.example.test/x"]],
  ]);
});
