import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
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
  test(`${path} is a page whose script and style files are served here`, async () => {
    const page = await docs.page(path);
    assert.equal(page?.contentType, "text/html; charset=utf-8");
    const sources = [...(await textOf(path)).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source);
    assert.deepEqual(sources, ["data:,", "/docs/swagger-ui.css", "/docs/swagger-ui.js", "/docs/start.js"]);
  });

  test(`${path} lets no browser load anything from another host`, async () => {
    const page = await docs.page(path);
    const policy = page?.headers?.["content-security-policy"] ?? "";
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
    assert.doesNotMatch(await textOf(path), /\/\/[a-z]/i);
  });
}

test("the viewer loads the document of this server and contacts no other host", async () => {
  const start = await textOf("/docs/start.js");
  assert.match(start, /url: "\/openapi\.json"/);
  assert.match(start, /validatorUrl: null/);
  assert.doesNotMatch(start, /\/\/[a-z]/i);
});

test("the files of the viewer define everything that the page uses", async () => {
  assert.match(await textOf("/docs/swagger-ui.js"), /\.SwaggerUIBundle=/);
  assert.match(await textOf("/docs/swagger-ui.css"), /\.swagger-ui \.opblock/);
  const types = await Promise.all(
    ["/docs/swagger-ui.js", "/docs/swagger-ui.css", "/docs/start.js"].map(
      async (path) => (await docs.page(path))?.contentType,
    ),
  );
  const javascript = "text/javascript; charset=utf-8";
  assert.deepEqual(types, [javascript, "text/css; charset=utf-8", javascript]);
});

test("the viewer's package needs no other package and runs nothing when it is installed", async () => {
  const manifest = JSON.parse(
    await readFile(new URL(import.meta.resolve("swagger-ui-dist/package.json")), "utf8"),
  );
  for (const list of ["dependencies", "peerDependencies", "optionalDependencies", "scripts"]) {
    assert.deepEqual(manifest[list] ?? {}, {}, list);
  }
});

test("the automation schema is served for editors", async () => {
  const page = await docs.page("/schemas/automation/v1.json");
  assert.deepEqual(
    [page?.contentType, page?.body],
    ["application/schema+json; charset=utf-8", '{"title":"Automation"}'],
  );
});

test("other paths are not documentation pages", async () => {
  for (const path of ["/", "/docs//", "/docs/../secret", "/docs/swagger-ui.js.map", "/constructor"]) {
    assert.equal(await docs.page(path), undefined, path);
  }
});
