import { type Command, CommanderError, Help, type Option } from "commander";
import { type ErrorFormat, errorFormatOf, errorJson } from "./error-format.ts";
import { reportUsage } from "./exit-codes.ts";
import { formatsOf } from "./globals.ts";
import type { Io } from "./io.ts";
import { buildProgram } from "./program.ts";
import type { RepeatedOptions } from "./repeated-options.ts";

/** Runs one command line. Returns the exit code. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  if (args[0] === "__complete") {
    const { complete } = await import("./commands/complete.ts");
    return complete(io, args.slice(1));
  }
  // Commander's own help command finds only commands of the first level.
  if (args[0] === "help") return run([...args.slice(1), "--help"], io);
  const own: Io & { repeated?: RepeatedOptions } = { ...io };
  try {
    const words = new Set(args);
    const wantsHelp = words.has("--help") || words.has("-h");
    const program = await buildProgram(own, { words, help: wantsHelp });
    prepare(program, io, errorFormatOf(args));
    program.hook("preAction", (_program, command) => {
      own.repeated = command.optsWithGlobals<RepeatedOptions>();
    });
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync([...args], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return reportUsage(error);
    const { reportError } = await import("./errors.ts");
    return reportError(own, error, errorFormatOf(args));
  }
}

/** Suggested for `--wait`, as other tools name this option. */
const waitHint = (command: Command): string =>
  command.options.some(({ long }) => long === "--watch")
    ? "--watch follows the run to its end."
    : 'To follow a run to its end: lakehelm runs watch <run>, or --watch where a run is started ("lakehelm connectors run").';

/** Describes the output option with the formats of its command. */
const describeOption = (command: Command) => (option: Option) =>
  option.attributeName() === "output"
    ? `${option.description} One of ${formatsOf(command).join(", ")}. Default: table.`
    : new Help().optionDescription(option);

/** Makes the parser throw errors instead of calling `process.exit`, and write to the streams of `io`. */
function prepare(command: Command, io: Io, format: ErrorFormat): void {
  command
    .exitOverride()
    .configureHelp({ showGlobalOptions: true, optionDescription: describeOption(command) })
    .helpOption("-h, --help", "Shows help, with examples.");
  if (command.commands.length > 0) command.helpCommand("help [command]", "Shows help for a command.");
  command.configureOutput({
    writeOut: (text) => void io.stdout.write(text),
    writeErr: (text) => void io.stderr.write(text),
    getOutHelpWidth: () => Math.min(io.stdout.columns || 100, 120),
    getErrHelpWidth: () => Math.min(io.stderr.columns || 100, 120),
    outputError: (text, print) => {
      const message = text
        .replace(/^error: /, "Error: ")
        .replace("\n(Did you mean", " (Did you mean")
        .replace(/unknown option '--wait'.*/, `unknown option '--wait'. ${waitHint(command)}`);
      print(
        format === "text" ? message : `${errorJson({ message: message.replace("Error: ", "").trim() })}\n`,
      );
    },
  });
  for (const inner of command.commands) prepare(inner, io, format);
}
