import { Command } from "commander";

/** A command with examples, for its help and for docs/reference/cli.md. */
export class CliCommand extends Command {
  examples: readonly string[] = [];
  /** The arguments of the command, as names of the contract's path parameters. */
  parameters: readonly string[] = [];
  /** The possible values of the first argument. */
  words: readonly string[] = [];
  /** In a group: the command that runs if the command line names none. */
  usual: string | undefined;

  override createCommand(name?: string): CliCommand {
    return new CliCommand(name);
  }

  /** For completion of the arguments. The parameter `profile` stands for the user's profiles. */
  withParameters(...parameters: readonly string[]): this {
    this.parameters = parameters;
    return this;
  }

  withWords(...words: readonly string[]): this {
    this.words = words;
    return this;
  }

  /** Adds the command that runs if the command line names only the group. */
  usualCommand(name: string): CliCommand {
    this.usual = name;
    return this.command(name, { isDefault: true }) as CliCommand;
  }

  /** Adds examples. Each one is the text after `lakehelm`. */
  withExamples(examples: readonly string[]): this {
    this.examples = examples;
    const text = examples.map((example) => `  lakehelm ${example}`).join("\n");
    return this.addHelpText("after", `\nExamples:\n${text}`);
  }
}
