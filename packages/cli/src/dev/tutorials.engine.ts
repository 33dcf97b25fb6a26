/** Does what the tutorials say, in order: saves their files, types their commands, and compares what is printed. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { freePort } from "@lakehelm/testing/free-port";
import { until } from "@lakehelm/testing/until";
import { readPage } from "../../../server/src/testing/docs-blocks.ts";
import { printedCommands } from "../testing/printed-commands.ts";
import { lakehelm, type Outcome } from "../testing/terminal.ts";

/** On a machine that is busy with other things. */
const longestMs = 300_000;

test("both tutorials print what they show", async (t) => {
  const root = await mkdtemp(join(tmpdir(), "lakehelm-tutorials-"));
  t.after(() => rm(root, { recursive: true, force: true }));
  const folder = join(root, "my-project");
  const port = String(await freePort());
  const type = (words: readonly string[]) => {
    const cwd = words[0] === "init" ? join(root, "checkout") : folder;
    return lakehelm(words, { env: { LAKEHELM_CWD: cwd, LAKEHELM_CONFIG_DIR: join(root, "profiles") } });
  };
  const save = async (name: string, text: string) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  };

  for (const page of ["first-project.md", "change-safely.md"]) {
    const terminal = new AbortController();
    const saved = new Map<string, string>();
    let server = Promise.resolve<Outcome | undefined>(undefined);
    let shown = "";
    let isApplying = true;
    let last: Outcome = { code: 0, stdout: "", stderr: "" };
    try {
      for (const step of await readPage(`tutorials/${page}`)) {
        if (step.kind === "file") {
          saved.set(step.name, step.text);
          await save(step.name, step.text);
        }
        if (step.kind === "typed") {
          const line = step.line.replace("8010", port).replace(" .lakehelm/", ` ${folder}/.lakehelm/`);
          const words = printedCommands(line)[0] ?? [];
          if (words[0] === "dev") {
            isApplying = !words.includes("--no-apply");
            server = lakehelm(words, {
              env: { LAKEHELM_CWD: folder },
              signal: terminal.signal,
              onOutput(text) {
                shown += text;
              },
            });
            await until(() => shown.includes("lakehelm login"), 100, longestMs);
            continue;
          }
          if (saved.size > 0 && isApplying) await applied();
          saved.clear();
          last = await type(words);
        }
        const printed = `${last.stdout}${last.stderr}\nlakehelm dev:\n${shown}`;
        if (step.kind === "output") {
          assert.equal(last.code, 0, printed);
          assert.ok(last.stdout.includes(step.text), printed);
        }
        if (step.kind === "error") {
          assert.notEqual(last.code, 0, printed);
          assert.ok((last.stdout + last.stderr).includes(step.text), printed);
        }
      }
    } finally {
      terminal.abort();
      await server;
    }

    /** Waits until `dev` has applied the files. They are saved again: it can miss one in a folder that was made a moment before. */
    async function applied() {
      const isApplied = async () => {
        if (/^Nothing to change/m.test((await type(["plan"])).stdout)) return true;
        for (const [name, text] of saved) await save(name, text);
        return false;
      };
      await until(isApplied, 3000, longestMs);
    }
  }
});
