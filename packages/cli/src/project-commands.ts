import { type Command, Option } from "commander";
import type { CliCommand } from "./command.ts";
import { globalsOf } from "./globals.ts";
import type { Io } from "./io.ts";

/** Options of every command that works with the files of a project. */
export const withProject = (command: CliCommand): CliCommand =>
  command
    .option(
      "--dir <folder>",
      "The folder of the project. Default: the nearest one upwards with a lakehelm.yaml.",
    )
    .addOption(
      new Option("--var <name=value>", "Sets a variable of the project. Can be repeated.").argParser(
        (value, before?: string[]) => [...(before ?? []), value],
      ),
    );

export function addProjectCommands(program: CliCommand, io: Io): void {
  program
    .command("init")
    .description(
      "Makes a project from an example, and runs it once: a table is loaded, and another one is computed from it. If the first run fails, run the same command again to continue.",
    )
    .argument("[folder]", "An empty or new folder. Default: the current one.")
    .option("--no-run", "Only writes the files.")
    .withExamples(["init my-project", "init --no-run"])
    .action(async (folder: string | undefined, options, command: Command) =>
      (await import("./commands/init.ts")).init(io, folder, options, globalsOf(command)),
    );
  withProject(program.command("dev"))
    .description(
      "Starts a server for the project, with its data in .lakehelm/data, and applies the files whenever they change. Shows runs as they end. In an empty folder it makes a project from an example first, as `init` does.",
    )
    .option(
      "--port <n>",
      "Port of the server; if it is in use, the next free one. Default, and 0: any free one.",
    )
    .option(
      "--no-apply",
      "Only shows the plan when files change. To apply it: `lakehelm apply` in another shell.",
    )
    .withExamples(["dev", "dev --port 8000", "dev --no-apply"])
    .action(async (options, command: Command) =>
      (await import("./commands/dev.ts")).dev(io, options, globalsOf(command)),
    );
  withProject(program.command("validate"))
    .description(
      "Checks the files of a project without a server: fields, references, SQL, schedules, secrets. Shows all problems, and what only a server can check.",
    )
    .withExamples([
      "validate",
      "validate --env prod",
      "validate --dir examples/shop --var folder=/srv/shop -o json",
    ])
    .action(async (options, command: Command) =>
      (await import("./commands/validate.ts")).validate(io, options, globalsOf(command)),
    );
  withProject(program.command("plan"))
    .description(
      "Shows what would change on the server if the project was applied: field by field, and what each change affects. Changes nothing.",
    )
    .option("--prune", "Also deletes what no project has applied.")
    .option("--markdown", "Prints Markdown, for a comment of a pull request.")
    .option("--detailed-exitcode", "Exit code 4 if there are changes, 0 if there are none.")
    .withExamples([
      "plan",
      "plan --env prod --detailed-exitcode",
      "plan --env prod --markdown > plan.md",
      "plan -o json",
    ])
    .action(async (options, command: Command) =>
      (await import("./commands/plan.ts")).plan(io, options, globalsOf(command)),
    );
  withProject(program.command("apply"))
    .description(
      "Applies the project: shows the plan, asks, and carries it out. With the id of a plan it applies that plan, or resumes it if it stopped.",
    )
    .argument("[plan]", "Id of a stored plan. Default: a new one.")
    .option("--prune", "Also deletes what no project has applied.")
    .option("--yes", "Does not ask, for scripts and CI.")
    .addOption(new Option("--auto-approve", "The same as --yes.").hideHelp())
    .withExamples(["apply", "apply --env prod --yes", "apply 019f0000-0000-7000-8000-00000000000e"])
    .action(async (id: string | undefined, options, command: Command) =>
      (await import("./commands/apply.ts")).apply(io, id, options, globalsOf(command)),
    );
  withProject(program.command("promote"))
    .description(
      "Applies to one environment what was last applied to another one: the same designs, by their hash.",
    )
    .argument("<from>", "The environment that has it.")
    .argument("<to>", "The environment that gets it.")
    .withParameters("environment_id", "environment_id")
    .option("--prune", "Also deletes what no project has applied.")
    .option("--yes", "Does not ask, for scripts and CI.")
    .addOption(new Option("--auto-approve", "The same as --yes.").hideHelp())
    .withExamples(["promote dev prod", "promote dev prod --yes"])
    .action(async (from: string, to: string, options, command: Command) =>
      (await import("./commands/promote.ts")).promote(io, from, to, options, globalsOf(command)),
    );
  withProject(program.command("adopt"))
    .description(
      "Writes into the files what somebody else has changed on the server since the project was applied. `drift` shows it.",
    )
    .argument("[names...]", "Only these resources. Default: all.")
    .withExamples(["adopt", "adopt orders-in --env prod"])
    .action(async (names: string[], options, command: Command) =>
      (await import("./commands/adopt.ts")).adopt(io, names, options, globalsOf(command)),
    );
  withProject(program.command("revert"))
    .description(
      "Puts back on the server what somebody else has changed or deleted since the project was applied. `drift` shows it.",
    )
    .argument("[names...]", "Only these resources. Default: all.")
    .withExamples(["revert", "revert orders-in --env prod"])
    .action(async (names: string[], options, command: Command) =>
      (await import("./commands/drift.ts")).revert(io, names, options, globalsOf(command)),
    );
  program
    .command("export")
    .description(
      "Writes a project from what is on the server. Applying it there changes nothing. It has no policies, which are only in the files of a project, and no values of secrets.",
    )
    .option("--dir <folder>", "An empty folder. Default: the current one.")
    .addOption(new Option("--to <folder>", "The same as --dir.").hideHelp())
    .option("--name <name>", "Name of the project. Default: that of the environment.")
    .withExamples(["export --dir shop", "export --env prod --dir shop --name shop"])
    .action(async (options, command: Command) =>
      (await import("./commands/export.ts")).exportProject(io, options, globalsOf(command)),
    );
  const policy = program.command("policy").description("Policies of a project: rules about changes");
  withProject(policy.command("test"))
    .description("Runs the examples beside the rules in policies/. Fails if a rule gives another answer.")
    .withExamples(["policy test", "policy test --dir examples/shop -o json"])
    .action(async (options, command: Command) =>
      (await import("./commands/policy-test.ts")).policyTest(io, options, globalsOf(command)),
    );
  program
    .command("schema")
    .description("Prints the JSON Schema of a file of a project, for editors.")
    .argument("[name]", "lakehelm, connector, pipeline, flow, automation, agent, app or policy.")
    .withWords("lakehelm", "connector", "pipeline", "flow", "automation", "agent", "app", "policy")
    .option("--to <folder>", "Writes all schemas to this folder.")
    .withExamples(["schema connector", "schema --to .lakehelm/schemas"])
    .action(async (name: string | undefined, options) =>
      (await import("./commands/schema.ts")).schema(io, name, options),
    );
}
