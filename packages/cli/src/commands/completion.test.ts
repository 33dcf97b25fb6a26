/** Completion in real shells: types a line, presses Tab, and reads the completed line. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { lakehelm } from "../testing/terminal.ts";

const program = fileURLToPath(new URL("../../bin/lakehelm.cjs", import.meta.url));

/** How to start each shell without the user's settings, and the line that those settings would have. */
const shells = {
  bash: { args: ["--noprofile", "--norc", "-i"], load: "source <(lakehelm completion bash); PS1='ready> '" },
  zsh: {
    args: ["-f", "-i"],
    load: "autoload -Uz compinit; compinit -u -D; source <(lakehelm completion zsh); unsetopt PROMPT_SP; PS1='ready> '",
  },
  fish: {
    args: ["--no-config", "-i"],
    load: "lakehelm completion fish | source; function fish_prompt; echo 'ready> '; end",
  },
} as const;

/** The line before Tab is pressed, and after. */
const lines = [
  ["lakehelm connectors list --status=pa", "lakehelm connectors list --status=paused"],
  ["lakehelm plan --dir proj", "lakehelm plan --dir project/"],
] as const;

suite("completion", () => {
  let folder = "";
  let env: NodeJS.ProcessEnv = {};
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "lakehelm-completion-"));
    await mkdir(join(folder, "bin"));
    await mkdir(join(folder, "project"));
    const starter = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`;
    await writeFile(join(folder, "bin/lakehelm"), starter, { mode: 0o755 });
    env = { PATH: `${folder}/bin:${process.env.PATH}`, HOME: folder, TERM: "xterm", LC_ALL: "C.UTF-8" };
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Starts a shell in its own terminal. */
  function terminal(shell: string, args: readonly string[]) {
    const child = spawn("script", ["-qec", [shell, ...args].join(" "), "/dev/null"], { cwd: folder, env });
    let shown = "";
    let notify = () => {};
    child.stdout.on("data", (chunk) => {
      shown += chunk;
      notify();
    });
    const ended = once(child, "exit");
    return {
      type: (text: string) => void child.stdin.write(text),
      /** Waits until the output since the last call satisfies a condition. */
      async until(wanted: (text: string) => boolean): Promise<void> {
        while (!wanted(stripVTControlCharacters(shown))) {
          const more = Promise.withResolvers<void>();
          notify = more.resolve;
          await Promise.race([more.promise, ended.then(() => assert.fail(shown))]);
        }
        shown = "";
      },
      async close() {
        child.kill("SIGKILL");
        await ended;
      },
    };
  }

  for (const [shell, { args, load }] of Object.entries(shells)) {
    const isMissing = spawnSync(shell, ["--version"]).error !== undefined;
    const skip = isMissing ? `${shell} is not installed` : false;
    test(`completes words, values and files in ${shell}`, { skip }, async (t) => {
      const { type, until, close } = terminal(shell, args);
      t.after(close);
      type(`${load}\n`);
      // The typed line contains the prompt text, too.
      await until((text) => /ready> \W*$/.test(text));
      for (const [typed, completed] of lines) {
        type(`${typed}\t`);
        await until((text) => text.includes(completed.slice(typed.length)));
        // Clears the line.
        type("\u0005\u0015");
      }
    });
  }

  test("says what shells know, and which files a shell should offer itself", async () => {
    const complete = async (...words: string[]) => (await lakehelm(["__complete", ...words])).stdout;
    assert.equal(await complete("plan", "--dir", "x"), ":files\n");
    assert.equal(await complete("connectors", "create", "--file=x"), ":files\n");
    assert.equal(await complete("connectors", "list", "--status", "=", "pa"), "paused\t\n");
    assert.equal(await complete("connectors", "list", "--status=pa"), "--status=paused\t\n");
    assert.equal(await complete("completion", "z"), "zsh\t\n");
    assert.equal(await complete("validate", ""), "");
    assert.match(await complete("events", "--fol"), /^--follow\t/);
    assert.match(await complete("plan", "--he"), /^--help\t/);
  });
});
