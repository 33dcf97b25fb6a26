import type { Command } from "commander";
import { type Io, write } from "../io.ts";
import { buildProgram } from "../program.ts";

/** What can come next, one per line with a description: the last word is the one that is being typed. */
export async function complete(io: Io, words: readonly string[]): Promise<number> {
  const typed = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const program = await buildProgram(io, { words: new Set(before), help: false });
  const { command, value } = positionOf(program, before);
  const found = value ?? candidatesOf(command, typed);
  const lines = found.filter(([word]) => word.startsWith(typed)).map((line) => `${line.join("\t")}\n`);
  await write(io.stdout, lines.join(""));
  return 0;
}

type Candidate = readonly [word: string, about: string];

/** The command that the words lead to, and the values of an option that waits for one. */
function positionOf(
  program: Command,
  words: readonly string[],
): { command: Command; value: Candidate[] | undefined } {
  let command = program;
  let waiting: Candidate[] | undefined;
  for (const word of words) {
    if (waiting) {
      waiting = undefined;
    } else if (word.startsWith("-")) {
      const option = [...command.options, ...program.options].find(
        (one) => one.long === word || one.short === word,
      );
      if (option?.required) waiting = (option.argChoices ?? []).map((choice) => [choice, ""] as const);
    } else {
      command = command.commands.find((one) => one.name() === word) ?? command;
    }
  }
  return { command, value: waiting };
}

function candidatesOf(command: Command, typed: string): Candidate[] {
  const isOption = typed.startsWith("-");
  const firstLine = (text: string) => text.split("\n")[0]?.slice(0, 80) ?? "";
  if (!isOption) {
    const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
    return [
      ...command.commands.map((one) => [one.name(), firstLine(one.summary() || one.description())] as const),
      ...choices.map((choice) => [choice, ""] as const),
    ];
  }
  const options = [...command.options, ...(command.parent ? rootOf(command).options : [])];
  return options.flatMap(({ long, hidden, description }) =>
    long && !hidden ? [[long, firstLine(description)] as const] : [],
  );
}

const rootOf = (command: Command): Command => (command.parent ? rootOf(command.parent) : command);
