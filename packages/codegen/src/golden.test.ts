/**
 * Golden folders: the generated files of each template and of a few more requests. They show a reviewer how the output
 * of a changed generator differs. `UPDATE_GOLDEN=1 npm test -- packages/codegen/src/golden.test.ts` rewrites them.
 */
import assert from "node:assert/strict";
import { globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { suite, test } from "node:test";
import type { CodegenResponse } from "@lakehelm/contract";
import { templates } from "./templates.ts";
import { goldenCases } from "./testing/golden-cases.ts";
import { responseTo } from "./testing/responses.ts";

const golden = join(import.meta.dirname, "..", "golden");
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

suite("golden folders", () => {
  for (const { name, path, request, known } of goldenCases) {
    test(name, async () => {
      const answer = await responseTo(path, request, known);
      assert.deepEqual(answer.errors, []);
      const expected = filesOf(answer, { path, request, ...(known && { known }) });
      const folder = join(golden, name);
      if (process.env.UPDATE_GOLDEN) write(folder, expected);
      assert.deepEqual(read(folder), expected);
    });
  }

  test("lines of Python have at most 120 characters, but for a long text", () => {
    for (const path of globSync("**/*.py", { cwd: golden })) {
      const code = readFileSync(join(golden, path), "utf8").replace(/(?<=[(=] ?f?)"""[\s\S]*?"""/g, '""');
      const long = code
        .split("\n")
        .filter((line) => line.replace(/(?<!")"(?:[^"\\]|\\.){96,}"/g, '""').length > 120);
      assert.deepEqual(long, [], path);
    }
  });

  test("each case has a folder, and each folder has a case", () => {
    const names = globSync("*", { cwd: golden }).sort();
    assert.deepEqual(names, goldenCases.map(({ name }) => name).sort());
  });

  for (const { name, path, example, produces } of templates) {
    test(`the template ${name} lists the files of its example`, async () => {
      const { artifacts } = await responseTo(path, example);
      assert.deepEqual(
        artifacts.map((artifact) => artifact.path),
        produces,
      );
    });
  }
});

function filesOf({ artifacts }: CodegenResponse, request: object): Record<string, string> {
  const evidence = Object.fromEntries(artifacts.map(({ path, metadata }) => [path, metadata]));
  return {
    "request.json": json(request),
    "evidence.json": json(evidence),
    ...Object.fromEntries(artifacts.map(({ path, content }) => [`files/${path}`, content])),
  };
}

function read(folder: string): Record<string, string> {
  const paths = globSync("**/*", { cwd: folder }).filter((path) => statSync(join(folder, path)).isFile());
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

function write(folder: string, files: Record<string, string>): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}
