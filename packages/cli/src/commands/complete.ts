import type { Command, Option } from "commander";
import { CliCommand } from "../command.ts";
import { formatsOf } from "../globals.ts";
import { type Io, write } from "../io.ts";
import { isPlainName } from "../plain-name.ts";
import { buildProgram } from "../program.ts";

type Candidate = readonly [word: string, about: string];

/** Instead of candidates, this tells the shell to complete file names. */
const files = ":files";
const takesFile = new Set(["path", "folder"]);

/** Prints the possible completions of the last word, one per line with a description. */
export async function complete(io: Io, given: readonly string[]): Promise<number> {
  const { before, typed, prefix } = typedWord(given);
  const program = await buildProgram(io, { words: new Set(before), help: false });
  const found = await candidates(io, program, before, typed);
  const lines =
    found === files
      ? [`${files}\n`]
      : found
          .filter(([word]) => word.startsWith(typed))
          .map(([word, about]) => `${prefix}${word}\t${about}\n`);
  await write(io.stdout, lines.join(""));
  return 0;
}

/** Splits `--env=pr` into `--env` and `pr`. Bash passes it as three words. */
function typedWord(given: readonly string[]): { before: string[]; typed: string; prefix: string } {
  const words = [...given];
  const typed = words.pop() ?? "";
  const [, option, value = ""] = /^(--[\w-]+)=(.*)$/s.exec(typed) ?? [];
  if (option) return { before: [...words, option], typed: value, prefix: `${option}=` };
  if (typed === "=") return { before: words, typed: "", prefix: "" };
  if (words.at(-1) === "=") words.pop();
  return { before: words, typed, prefix: "" };
}

async function candidates(
  io: Io,
  program: CliCommand,
  before: readonly string[],
  typed: string,
): Promise<readonly Candidate[] | typeof files> {
  const { command, waiting } = positionOf(program, before);
  if (waiting) {
    if (waiting.long === "--output") return formatsOf(command).map((format) => [format, ""]);
    if (waiting.argChoices) return waiting.argChoices.map((choice) => [choice, ""]);
    if (takesFile.has(/<(\w+)>/.exec(waiting.flags)?.[1] ?? "")) return files;
    if (waiting.long === "--profile") return profileNames(io);
    return waiting.long === "--env" ? namesOnServer(io, program, "environment_id") : [];
  }
  if (typed.startsWith("-")) return optionsOf(program, command);
  if (command.commands.length > 0) {
    return command.commands.map((one) => [one.name(), firstLine(one.summary() || one.description())]);
  }
  const at = argumentAt(program, command, before);
  const argument = command.registeredArguments[at];
  if (!argument) return [];
  const words = argument.argChoices ?? (at === 0 ? command.words : []);
  if (words.length > 0) return words.map((word) => [word, ""]);
  if (takesFile.has(argument.name()) && command.parameters.length === 0) return files;
  const parameter = command.parameters[at];
  if (parameter === "profile") return profileNames(io);
  return parameter === undefined ? [] : namesOnServer(io, program, parameter);
}

/** The command that the words name, and the option whose value comes next. */
function positionOf(program: CliCommand, words: readonly string[]) {
  let command = program;
  let waiting: Option | undefined;
  for (const word of words) {
    if (waiting) {
      waiting = undefined;
    } else if (word.startsWith("-")) {
      const known = [...withDefault(command).options, ...program.options];
      const option = known.find((one) => one.long === word || one.short === word);
      if (option?.required) waiting = option;
    } else {
      const next = command.commands.find((one) => one.name() === word);
      if (next instanceof CliCommand) command = next;
    }
  }
  return { command, waiting };
}

/** The default command of a group: `lakehelm events` runs `lakehelm events list`. */
function withDefault(command: CliCommand): CliCommand {
  const one = command.commands.find((some) => some.name() === command.usual);
  return one instanceof CliCommand ? one : command;
}

function optionsOf(program: CliCommand, command: CliCommand): Candidate[] {
  const own = withDefault(command).options;
  const options = [...own, ...(command === program ? [] : program.options)].filter(({ hidden }) => !hidden);
  return [
    ...options.flatMap(({ long, description }) => (long ? [[long, firstLine(description)] as const] : [])),
    ["--help", "Shows help, with examples."],
  ];
}

const firstLine = (text: string) => text.split("\n")[0]?.slice(0, 80) ?? "";

/** How many arguments precede the word. */
function argumentAt(program: Command, command: CliCommand, before: readonly string[]): number {
  for (const one of [program, command]) one.exitOverride().configureOutput({ writeErr: () => {} });
  const { operands, unknown } = program.parseOptions([...before]);
  return command.parseOptions([...operands, ...unknown]).operands.length - depthOf(command);
}

/** The number of words in the name of the command. */
const depthOf = (command: Command): number => (command.parent ? 1 + depthOf(command.parent) : 0);

async function profileNames(io: Io): Promise<Candidate[]> {
  const { readProfiles } = await import("../connection/profiles.ts");
  const { profiles } = await readProfiles(io).catch(() => ({ profiles: {} }));
  return Object.keys(profiles)
    .filter(isPlainName)
    .map((name) => [name, ""]);
}

/** Returns no names if the server does not answer within two seconds, because a prompt must not hang. */
async function namesOnServer(io: Io, program: Command, parameter: string): Promise<Candidate[]> {
  try {
    const { openSession } = await import("../connection/session.ts");
    const { namesOf } = await import("../names.ts");
    const { profile, url, env } = program.opts();
    const session = await openSession({ ...io, signal: AbortSignal.timeout(2000) }, { profile, url, env });
    return (await namesOf(session, parameter)).map((name) => [name, ""]);
  } catch {
    return [];
  }
}
