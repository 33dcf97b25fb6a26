/**
 * Applies the recipes of docs/contributing.md to a copy of the code, all of them together, and checks the types of the copy. A
 * comment before a block of code says where it goes: `file: <path>`, `end: <path>`, `before: <path>: <text>` or `after: <path>:
 * <text>` for the first line with this text. `replace: <path>: <old> ==> <new>` stands alone. `shown`: code that exists.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "..");
const folders = ["packages", "bench", "examples", "scripts", "security", "soak"];
const marked =
  /(?:<!-- (file|end|before|after|replace|shown)(?:: ([^\s:]+))?(?:: (.*?))? -->\n*)?(?:^```(tsx?)\n([\s\S]*?)^```$)?/gm;

test("the recipes of docs/contributing.md compile", async (t) => {
  const copy = await copyOfCode();
  t.after(() => rm(copy, { recursive: true, force: true }));
  const page = await readFile(join(root, "docs/contributing.md"), "utf8");
  let applied = 0;
  for (const [, kind, path = "", text = "", language, code = ""] of page
    .slice(page.indexOf("## Add an endpoint"))
    .matchAll(marked)) {
    if (language !== undefined) assert.ok(kind, `a block of code has no comment before it:\n${code}`);
    if (kind === undefined || kind === "shown") continue;
    await apply(join(copy, path), kind, text, code);
    applied++;
  }
  assert.ok(applied > 40);
  const compile = async (project: string) => {
    const tsc = join(root, "node_modules/.bin/tsc");
    const run = promisify(execFile)(tsc, ["-p", project, "--pretty", "false"], { cwd: copy });
    return (await run.catch(({ stdout }: { stdout: string }) => ({ stdout }))).stdout;
  };
  assert.equal(await compile("."), "");
  assert.equal(await compile("packages/console"), "");
});

/** The code without what is installed. Packages of ours are those of the copy. */
async function copyOfCode(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), "lakehelm-recipes-"));
  const isOurs = (path: string) => !["node_modules", "golden", ".venv"].includes(basename(path));
  for (const folder of folders)
    await cp(join(root, folder), join(copy, folder), { recursive: true, filter: isOurs });
  for (const file of ["tsconfig.json", "package.json", "run.js"])
    await cp(join(root, file), join(copy, file));
  const modules = join(root, "node_modules");
  await mkdir(join(copy, "node_modules/@lakehelm"), { recursive: true });
  for (const name of await readdir(modules))
    if (!["@lakehelm", ".cache"].includes(name))
      await symlink(join(modules, name), join(copy, "node_modules", name));
  for (const name of await readdir(join(modules, "@lakehelm")))
    await symlink(join(copy, "packages", name), join(copy, "node_modules/@lakehelm", name));
  return copy;
}

async function apply(file: string, kind: string, text: string, code: string): Promise<void> {
  if (kind === "file") {
    await mkdir(dirname(file), { recursive: true });
    return writeFile(file, code);
  }
  const before = await readFile(file, "utf8");
  if (kind === "end") return writeFile(file, `${before}\n${code}`);
  if (kind === "replace") {
    const [from = "", to = ""] = text.split(" ==> ");
    assert.ok(before.includes(from), `${file} has no ${from}`);
    return writeFile(
      file,
      before.replace(from, () => to),
    );
  }
  const lines = before.split("\n");
  const at = lines.findIndex((line) => line.includes(text));
  assert.ok(at >= 0, `${file} has no line with ${text}`);
  lines.splice(kind === "after" ? at + 1 : at, 0, code);
  await writeFile(file, lines.join("\n"));
}
