import { Command } from "commander";

/** A command with examples, for its help and for docs/reference/cli.md. */
export class CliCommand extends Command {
  examples: readonly string[] = [];
  /** What its arguments are, by the names of the contract's path parameters. */
  parameters: readonly string[] = [];
  /** What its first argument can be. */
  words: readonly string[] = [];
  /** The command of a group that runs if none is named. */
  usual: string | undefined;

  override createCommand(name?: string): CliCommand {
    return new CliCommand(name);
  }

  /** For the completion of arguments; `profile` is one of the user's profiles. */
  withParameters(...parameters: readonly string[]): this {
    this.parameters = parameters;
    return this;
  }

  withWords(...words: readonly string[]): this {
    this.words = words;
    return this;
  }

  /** A command that runs if the group alone is named. */
  usualCommand(name: string): CliCommand {
    this.usual = name;
    return this.command(name, { isDefault: true }) as CliCommand;
  }

  /** Each one is what follows `lakehelm`. */
  withExamples(examples: readonly string[]): this {
    this.examples = examples;
    const text = examples.map((example) => `  lakehelm ${example}`).join("\n");
    return this.addHelpText("after", `\nExamples:\n${text}`);
  }
}
