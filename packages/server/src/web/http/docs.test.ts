import assert from "node:assert/strict";
import { test } from "node:test";
import { createDocs } from "./docs.ts";

const docs = createDocs({
  openApi: async () => ({ openapi: "3.1.0" }),
  automationSchema: async () => ({ title: "Automation" }),
});

async function textOf(path: string): Promise<string> {
  const page = await docs.page(path);
  assert.ok(page, `there is nothing at ${path}`);
  return page.body.toString();
}

for (const path of ["/docs", "/redoc"]) {
  test(`${path} is a page whose scripts are all ours to serve`, async () => {
    const page = await docs.page(path);
    assert.equal(page?.contentType, "text/html; charset=utf-8");
    const sources = [...(await textOf(path)).matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, source = ""]) => source,
    );
    const scripts = sources.filter((source) => source !== "data:,");
    assert.equal(scripts.length, 2);
    for (const script of scripts) {
      assert.ok(script.startsWith(`${path}/`), script);
      assert.equal((await docs.page(script))?.contentType, "text/javascript; charset=utf-8");
    }
  });

  test(`${path} lets no browser go to another host`, async () => {
    const page = await docs.page(path);
    const policy = page?.headers?.["content-security-policy"] ?? "";
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
    for (const text of [await textOf(path), await textOf(`${path}/start.js`)]) {
      assert.doesNotMatch(text, /\/\/[a-z]/i);
    }
  });

  test(`${path} shows the document of this server`, async () => {
    assert.match(await textOf(`${path}/start.js`), /"\/openapi\.json"/);
  });
}

test("the schema of automations is there for editors", async () => {
  const page = await docs.page("/schemas/automation/v1.json");
  assert.deepEqual(
    [page?.contentType, page?.body],
    ["application/schema+json; charset=utf-8", '{"title":"Automation"}'],
  );
});

test("the viewers are whole: they bring what the pages call", async () => {
  assert.match(await textOf("/docs/scalar.js"), /window\.Scalar=\{createApiReference:/);
  const redoc = await textOf("/redoc/redoc.js");
  assert.match(redoc, /\.Redoc=/);
  assert.doesNotMatch(redoc, /cdn\.redoc\.ly/);
});

test("other paths are not the docs'", async () => {
  for (const path of ["/", "/docs//", "/docs/../secret", "/redoc/redoc.standalone.js.map", "/constructor"]) {
    assert.equal(await docs.page(path), undefined, path);
  }
});
