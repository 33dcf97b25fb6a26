import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import * as changes from "@lakehelm/contract/changes";
import type { Command } from "commander";
import { buildProgram } from "./program.ts";
import { withOptions } from "./repeated-options.ts";
import { printedCommands } from "./testing/printed-commands.ts";
import { fakeIo } from "./testing/terminal.ts";

const packages = join(import.meta.dirname, "../..");
const program = await buildProgram(fakeIo().io, { words: "all", help: true });
const silent = (command: Command): void => {
  command.exitOverride().configureOutput({ writeErr: () => {} });
  command.commands.forEach(silent);
};
silent(program);

/** What is wrong with a command; undefined: it is valid. */
function mistake(words: readonly string[], isWhole: boolean): string | undefined {
  let command: Command = program;
  let rest = words.filter((word) => word !== "--help");
  while (command.commands.length > 0 && rest.length > 0) {
    const next = command.commands.find((one) => one.name() === rest[0]);
    const usual = (command as { usual?: string }).usual;
    if (!next && usual === undefined) return `there is no command "${words.join(" ")}"`;
    if (next) rest = rest.slice(1);
    command = next ?? (command.commands.find((one) => one.name() === usual) as Command);
  }
  const { unknown, operands: globalOperands } = program.parseOptions(rest);
  const parsed = command.parseOptions([...globalOperands, ...unknown]);
  if (parsed.unknown.length > 0) return `unknown option ${parsed.unknown[0]}`;
  const required = command.registeredArguments.filter((one) => one.required).length;
  if (isWhole && parsed.operands.length < required) return "an argument is missing";
  if (isWhole && parsed.operands.length > Math.max(command.registeredArguments.length, 0))
    return "too many arguments";
  return undefined;
}

suite("commands that messages print", () => {
  test("every one in the sources of all packages is a command with options that it has", () => {
    const known = new Set(program.commands.map((one) => one.name()));
    let count = 0;
    const wrong = globSync("*/src/**/*.{ts,tsx}", { cwd: packages }).flatMap((file) => {
      if (/\.(?:test|engine|spark|console|security|databricks)\.ts$|\/testing\//.test(file)) return [];
      // The value that a template inserts is one word, or a part of one.
      const text = readFileSync(join(packages, file), "utf8")
        .replaceAll(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, "X")
        .replaceAll(/\\n|`|<\/code>| -->/g, "\n");
      return printedCommands(text).flatMap((words) => {
        if (!known.has(words[0] ?? "")) return [];
        count += 1;
        const why = mistake(words, false);
        return why === undefined ? [] : [`${file}: lakehelm ${words.join(" ")}: ${why}`];
      });
    });
    assert.deepEqual(wrong, []);
    assert.ok(count > 30, String(count));
  });

  const names = ["orders", "my orders", "o'brien", "-x", "a.b", 'say "hi"', "täglich", "$(id)", "a;b", "*"];
  const commands = Object.entries(changes).filter(([name]) => name.endsWith("Command")) as [
    string,
    (name: string, ...more: never[]) => string,
  ][];
  for (const [name, build] of commands) {
    const namesItsOwn = name === "automationReleaseCommand";
    test(`${name} can be typed for any name, with the options of the call`, () => {
      for (const given of names) {
        // This test parses the options of the program and of its command separately.
        if (namesItsOwn && given.startsWith("-")) continue;
        const table = ["shop", given, "t"] as never;
        const text =
          name === "setTypeCommand"
            ? build(table, { [given]: "DECIMAL(12,2)" } as never)
            : build(given, given as never);
        for (const env of [undefined, "prod", "my env"]) {
          const typed = withOptions(text, { env, profile: env && "ops" });
          const [words = []] = printedCommands(typed);
          assert.equal(mistake(words, true), undefined, typed);
          assert.equal(
            words.some((word) => /^--env(?:=|$)/.test(word)),
            env !== undefined || namesItsOwn,
            typed,
          );
          assert.ok(name === "setTypeCommand" || words.includes(given), typed);
        }
        // The text as the server stores it, for readers who have not chosen an environment.
        const stored = changes.withEnvironment(`To do it: ${text}`, "my env");
        const [words = []] = printedCommands(stored);
        assert.equal(mistake(words, true), undefined, stored);
        assert.ok(namesItsOwn || words.join(" ").includes("--env my env"), stored);
        assert.equal(changes.withEnvironment(stored, "other"), stored);
      }
    });
  }
});
