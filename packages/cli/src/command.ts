import { Command } from "commander";

/** A command with examples, for its help and for docs/cli.md. */
export class CliCommand extends Command {
  examples: readonly string[] = [];
  /** What its arguments are, by the names of the contract's path parameters. */
  parameters: readonly string[] = [];

  override createCommand(name?: string): CliCommand {
    return new CliCommand(name);
  }

  /** Each one is what follows `lakehelm`. */
  withExamples(examples: readonly string[]): this {
    this.examples = examples;
    const text = examples.map((example) => `  lakehelm ${example}`).join("\n");
    return this.addHelpText("after", `\nExamples:\n${text}`);
  }
}
