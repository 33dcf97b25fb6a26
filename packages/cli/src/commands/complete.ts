import type { Command } from "commander";
import type { CliCommand } from "../command.ts";
import { type Io, write } from "../io.ts";
import { buildProgram } from "../program.ts";

/** What can come next, one per line with a description: the last word is the one that is being typed. */
export async function complete(io: Io, words: readonly string[]): Promise<number> {
  const typed = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const program = await buildProgram(io, { words: new Set(before), help: false });
  const { command, value } = positionOf(program, before);
  const known = value ?? candidatesOf(command, typed);
  const found = known.length > 0 ? known : await knownNames(io, program, command as CliCommand, before);
  const lines = found.filter(([word]) => word.startsWith(typed)).map((line) => `${line.join("\t")}\n`);
  await write(io.stdout, lines.join(""));
  return 0;
}

/** Names on the server. Without an answer within two seconds there are none: a prompt must not hang. */
async function knownNames(
  io: Io,
  program: Command,
  command: CliCommand,
  before: readonly string[],
): Promise<Candidate[]> {
  try {
    const parameter = parameterAt(program, command, before);
    if (parameter === undefined) return [];
    const { openSession } = await import("../connection/session.ts");
    const { namesOf } = await import("../names.ts");
    const { profile, url, env } = program.opts();
    const session = await openSession({ ...io, signal: AbortSignal.timeout(2000) }, { profile, url, env });
    return (await namesOf(session, parameter)).map((name) => [name, ""]);
  } catch {
    return [];
  }
}

/** What the word after these would be; undefined if it is nothing that has names. */
function parameterAt(program: Command, command: CliCommand, before: readonly string[]): string | undefined {
  const isEnvironment = before.at(-1) === "--env";
  for (const one of [program, command]) one.exitOverride().configureOutput({ writeErr: () => {} });
  const { operands, unknown } = program.parseOptions(before.slice(0, isEnvironment ? -1 : undefined));
  if (isEnvironment) return "environment_id";
  const given = command.parseOptions([...operands, ...unknown]).operands.length;
  return command.parameters[given - depthOf(command)];
}

/** How many words name the command. */
const depthOf = (command: Command): number => (command.parent ? 1 + depthOf(command.parent) : 0);

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
