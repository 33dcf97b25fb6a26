import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { lakehelm } from "../testing/terminal.ts";
import { folderOf } from "./testing/folder.ts";

/** The blocks of docs/projects.md, in order. */
async function blocks(): Promise<{ language: string; text: string }[]> {
  const page = await readFile(new URL("../../../../docs/projects.md", import.meta.url), "utf8");
  return [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
    language,
    text,
  }));
}

test("the files of docs/projects.md are a valid project, and its commands print what the page shows", async (t) => {
  const files: Record<string, string> = {};
  const all = await blocks();
  for (const { language, text } of all) {
    const [, path] = /^(?:#|--) (\S+\.(?:yaml|sql))\n/.exec(text) ?? [];
    if (path !== undefined && language !== "sh") files[path] = text;
  }
  assert.deepEqual(Object.keys(files).length, 8);
  const folder = await folderOf(t, files);
  const outputs = all.filter(({ language }) => language === "text").map(({ text }) => text);
  const run = async (...args: string[]) => (await lakehelm([...args, "--dir", folder])).stdout;
  const valid = await run("validate");
  assert.equal(valid, "The project is valid: 4 resources, checked for dev, prod.\n");
  // Without the pipeline, which the page adds later, there are three.
  assert.ok(outputs.includes(valid.replace("4", "3")));
  assert.ok(outputs.includes(await run("policy", "test")));
  const wrong = await folderOf(t, {
    ...files,
    "flows/revenue.sql": (files["flows/revenue.sql"] ?? "").replace("orders}", "oders}"),
  });
  const { stdout } = await lakehelm(["validate", "--dir", wrong]);
  assert.ok(outputs.includes(stdout), stdout);
});
