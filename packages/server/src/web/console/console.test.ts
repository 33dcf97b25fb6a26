import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ApiError } from "@lakehelm/contract/client";
import { compile } from "../../../../console/build/compile.ts";
import { startTestServer } from "../../testing/server.ts";
import { createConsole } from "./console.ts";

const file = {
  contentType: "text/html; charset=utf-8",
  plain: Buffer.from("page"),
  gzip: Buffer.from("z"),
  br: Buffer.from("b"),
};
const browser = { accept: "text/html,*/*" };

test("anyone gets the console under a strict policy, and nothing but it", async (t) => {
  const { url, close } = await startTestServer({ settings: { PLATFORM_ENV: "production" } });
  t.after(close);
  const page = await fetch(`${url}/console/runs/some-run`);
  const html = await page.text();
  assert.equal(page.status, 200);
  const policy = page.headers.get("content-security-policy") ?? "";
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "frame-ancestors 'none'",
  ])
    assert.ok(policy.includes(part), policy);
  assert.doesNotMatch(policy, /unsafe|https?:/);
  const sources = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? "");
  assert.ok(sources.length >= 2);
  for (const path of sources) {
    const asset = await fetch(url + path);
    assert.equal(asset.status, 200, path);
    assert.match(asset.headers.get("cache-control") ?? "", /immutable/);
    await asset.arrayBuffer();
  }
  assert.equal((await fetch(`${url}/console/assets/unknown.js`)).status, 404);
  assert.equal((await fetch(`${url}/consoles`)).status, 401);
  assert.equal((await fetch(`${url}/console/`, { method: "POST" })).status, 401);
});

test("the root leads browsers to the console, and answers others as before", async (t) => {
  const { url, fetch: authorized, close } = await startTestServer();
  t.after(close);
  const led = await fetch(url, { headers: browser, redirect: "manual" });
  assert.deepEqual([led.status, led.headers.get("location")], [302, "/console/"]);
  assert.equal((await fetch(url)).status, 401);
  assert.equal((await authorized("/")).status, 404);
});

test("a server without a console has none", async (t) => {
  const { url, server, close } = await startTestServer({ settings: { PLATFORM_CONSOLE: "off" } });
  t.after(close);
  assert.equal((await fetch(`${url}/console/`)).status, 401);
  assert.equal(server.consoleLink, undefined);
});

test("a browser gets the encoding that it accepts", async () => {
  const bundle = async () => ({ hash: "1", page: file, files: new Map() });
  const shown = createConsole({ bundle, onError: (error) => assert.fail(String(error)), now: () => 0 });
  const bodyFor = async (encoding: string) =>
    String((await shown.answer("/console/", { "accept-encoding": encoding }))?.body);
  assert.equal(await bodyFor("gzip, deflate, br"), "b");
  assert.equal(await bodyFor("gzip"), "z");
  assert.equal(await bodyFor("identity"), "page");
});

test("sources that cannot be compiled give a page that says so; they are tried again after a while, and reported once", async (t) => {
  const source = await mkdtemp(join(tmpdir(), "lakehelm-broken-console-"));
  t.after(() => rm(source, { recursive: true }));
  await writeFile(join(source, "main.tsx"), "export const broken = (;\n");
  let ms = 0;
  let isBroken = true;
  const errors: unknown[] = [];
  const bundle = async () => {
    if (isBroken) await compile(source);
    return { hash: "1", page: file, files: new Map() };
  };
  const shown = createConsole({ bundle, onError: (error) => errors.push(error), now: () => ms });
  const answer = () => shown.answer("/console/", browser);
  const status = async () => (await answer())?.status;
  const refused = await answer();
  assert.equal(refused?.status, 503);
  assert.match(refused.headers["content-type"] ?? "", /html/);
  assert.match(refused.headers["content-security-policy"] ?? "", /default-src 'none'/);
  assert.match(String(refused.body), /could not be built[\s\S]*The API works: see <a href="\/docs">/);
  assert.match(String(errors[0]), /main\.tsx:1:/);
  assert.equal(await status(), 503);
  assert.equal(errors.length, 1);
  isBroken = false;
  ms = 5_000;
  assert.equal(await status(), 200);
});

test("a code from the start is exchanged once, and its token is an admin's", async (t) => {
  const { url, server, client, close } = await startTestServer();
  t.after(close);
  const code = new URL(server.consoleLink ?? "").hash.replace("#code=", "");
  const { access_token } = await client.exchangeSignInCode({ body: { code } });
  const answer = await fetch(`${url}/api/v1/session`, {
    headers: { authorization: `Bearer ${access_token}` },
  });
  const session = (await answer.json()) as { role: string; environments: { name: string; role: string }[] };
  assert.equal(session.role, "admin");
  assert.deepEqual(
    session.environments.map(({ name, role }) => [name, role]),
    [["local", "admin"]],
  );
  const again = client.exchangeSignInCode({ body: { code } });
  await assert.rejects(again, (error) => error instanceof ApiError && error.status === 401);
});

test("in production there is a link only if it was asked for", async (t) => {
  for (const [settings, isShown] of [
    [{ PLATFORM_ENV: "production" }, false],
    [{ PLATFORM_ENV: "production", PLATFORM_CONSOLE_LINK: "on" }, true],
    [{ PLATFORM_CONSOLE_LINK: "off" }, false],
  ] as const) {
    const { server, close } = await startTestServer({ settings });
    t.after(close);
    assert.equal(server.consoleLink !== undefined, isShown, JSON.stringify(settings));
  }
});
