import { type Command, InvalidArgumentError, Option } from "commander";
import { CliCommand } from "./command.ts";
import { formatOf, globalsOf } from "./globals.ts";
import { readPair } from "./input/pair.ts";
import type { Io } from "./io.ts";
import { addProjectCommands, withProject } from "./project-commands.ts";
import { groups } from "./table/index.ts";
import type { TableChange } from "./table-change.ts";

/** The words of a command line. Help, docs and completion need all commands; a call needs only those of its group. */
export interface Build {
  readonly words: ReadonlySet<string> | "all";
  readonly help: boolean;
}

const footer = `
Variables: LAKEHELM_URL, LAKEHELM_TOKEN or LAKEHELM_TOKEN_FILE, LAKEHELM_CLIENT_ID with LAKEHELM_CLIENT_SECRET,
LAKEHELM_ENV, LAKEHELM_PROFILE, LAKEHELM_CONFIG_DIR, NO_COLOR.
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused (your role or a policy does not allow it), 4 changes found
(with --detailed-exitcode), 130 Ctrl-C.

Start here:
  lakehelm dev                                     in an empty folder: a server with an example project
  lakehelm init my-project                         a new project, run once
  lakehelm login --token-file data/service-token   the token that "npm start" has generated
  lakehelm status
  lakehelm connectors create --help                every command has examples`;

function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 86_400)) throw new InvalidArgumentError("It must be from 0.001 to 86400.");
  return value;
}

/** Builds the program with all commands. Loads the contract only for the groups that the words need. */
export async function buildProgram(io: Io, { words, help }: Build): Promise<CliCommand> {
  const program = new CliCommand("lakehelm")
    .description("Controls a Lakehelm server: every operation of its API, from a shell.")
    .usage("<command> [options]")
    .helpCommand("help [command]", "Shows help for a command.")
    .addOption(
      new Option("-o, --output <format>", "Format of the output.").argParser(formatOf).default("table"),
    )
    .option("--query <expression>", "Selects from the answer, in JMESPath: \"[?status=='failed'].name\".")
    .option("--env <environment>", "Environment to act in or to show, by name or id.")
    .option("--profile <name>", "Profile to use, from `lakehelm login`.")
    .option("--url <url>", "Server to call. Default: that of the profile.")
    .addOption(
      new Option("--timeout <seconds>", "Longest time for one request. Default: 120.").argParser(seconds),
    )
    .addHelpText("after", footer);
  program.commandsGroup("Start:");
  addAccount(program, io);
  program.commandsGroup("Projects:");
  addProjectCommands(program, io);
  program.commandsGroup("Work with data:");
  addWork(program, io);
  program.commandsGroup("Resources:");
  for (const name of Object.keys(groups)) {
    program.addCommand(await groupCommand(io, name, words, help));
  }
  program.commandsGroup("More:");
  addMore(program, io);
  return program;
}

async function groupCommand(io: Io, name: string, words: Build["words"], help: boolean): Promise<CliCommand> {
  const { about = "", commands = {} } = groups[name] ?? {};
  const group = new CliCommand(name).description(about).usage("<command> [options]");
  if (words !== "all" && !words.has(name)) return group;
  const { operationCommand, summaryCommand } = await import("./commands/operation.ts");
  // If the words name a command, the flags of other commands are not needed.
  const isNamed = words !== "all" && Object.keys(commands).some((verb) => words.has(verb));
  for (const [verb, spec] of Object.entries(commands)) {
    if (isNamed && !words.has(verb)) {
      group.addCommand(summaryCommand(verb, spec));
      continue;
    }
    const command = operationCommand(io, verb, spec).withExamples(spec.examples);
    if (help) (await import("./commands/help.ts")).addBodyHelp(command, spec);
    group.addCommand(command);
  }
  addToGroup[name]?.(group, io);
  return group;
}

/** Commands of resource groups that are written by hand, not made from the contract. */
const addToGroup: Readonly<Record<string, (group: CliCommand, io: Io) => void>> = {
  server(group, io) {
    group
      .usualCommand("start")
      .description(
        "Starts a server for production. Its settings are variables, such as PLATFORM_SERVICE_AUTH_TOKEN_FILE.",
      )
      .option("--host <address>", "The address to listen on: HOST. Default: 127.0.0.1.")
      .option("--port <n>", "The port to listen on: PORT. Default: 8000.")
      .option("--apps-port <n>", "The port that serves apps to browsers: APPS_PORT. Default: 8001.")
      .option(
        "--data-dir <folder>",
        "The folder for everything that the server stores: PLATFORM_DATA_DIR. Default: data.",
      )
      .withExamples(["server", "server --host 0.0.0.0 --data-dir /var/lib/lakehelm"])
      .action(async (options) => (await import("./commands/server.ts")).startServer(io, options));
  },
  events(group, io) {
    group
      .usualCommand("list")
      .description("Shows the latest events, or follows them.")
      .option("-f, --follow", "Shows new events as they occur, until Ctrl-C.")
      .option("--kind <kind>", "Only this kind, or all kinds with a prefix: `connector.*`.")
      .option("--subject <subject>", "Only events of this subject, such as `connector/019f…`.")
      .option("--name <name>", "Only events of resources with this name. Not with --follow.")
      .option("--actor <actor>", "Only changes by this caller. Not with --follow.")
      .option("--search <text>", "Only events that contain this text. Not with --follow.")
      .option("--created-after <time>", "Only changes at this time or later. Not with --follow.")
      .option("--created-before <time>", "Only changes before this time. Not with --follow.")
      .option("--after <sequence>", "Only events after this number. With --follow: starts there.")
      .option("--limit <n>", "Maximum number of events. Default: 100.")
      .option("--all", "Shows all events, however many there are.")
      .withExamples(["events", "events --follow --kind 'run.*'", "events --name orders-in -o jsonl --all"])
      .action(async (options, command: Command) =>
        (await import("./commands/events.ts")).events(io, options, globalsOf(command)),
      );
  },
  tables(group, io) {
    // Changes from all options, in the order of the command line.
    const changes: TableChange[] = [];
    const option = (flags: string, about: string, read: (text: string) => TableChange) =>
      new Option(flags, `${about} Can be repeated.`).argParser((text) => {
        changes.push(read(text));
        return text;
      });
    group
      .command("alter")
      .description(
        "Changes types, drops, renames and reorders columns of a table: shows what that does to its rows, to what writes it and to what reads it, asks, and makes all changes or none. They are made in the order of the options.",
      )
      .argument("<table>", "catalog.schema.table, schema.table or table. A part with dots is in backticks.")
      .addOption(
        option(
          "--set-type <column=type>",
          "Gives a column another type, in Databricks SQL. A value that does not fit refuses the change.",
          (text) => {
            const [column, type] = readPair(text, "column=TYPE");
            return { change: "set_type", column, type };
          },
        ),
      )
      .addOption(
        option("--drop <column>", "Removes a column with its values.", (column) => ({
          change: "drop",
          column,
        })),
      )
      .addOption(
        option("--rename <column=name>", "Gives a column another name.", (text) => {
          const [column, name] = readPair(text, "column=name");
          return { change: "rename", column, name };
        }),
      )
      .addOption(
        option("--first <column>", "Makes a column the first one.", (column) => ({
          change: "move",
          column,
          after: null,
        })),
      )
      .addOption(
        option("--after <column=other>", "Puts a column after another one.", (text) => {
          const [column, after] = readPair(text, "column=other");
          return { change: "move", column, after };
        }),
      )
      .option("--force", "Also if that breaks what reads the table.")
      .option("--plan", "Only shows what would happen.")
      .option("--yes", "Does not ask, for scripts.")
      .withExamples([
        "tables alter shop.sales.orders --set-type 'amount=DECIMAL(12,2)'",
        "tables alter orders --drop note --rename custmer=customer --plan",
        "tables alter orders --first order_id --after amount=order_id --yes",
      ])
      .action(async (table: string, options, command: Command) =>
        (await import("./commands/alter-table.ts")).alterTable(
          io,
          table,
          changes,
          options,
          globalsOf(command),
        ),
      );
  },
  drift(group, io) {
    withProject(group.usualCommand("show"))
      .description(
        "Compares the project in this folder with the server: what somebody else has changed or deleted since it was applied, and who it was. `lakehelm adopt` keeps it in the files, `lakehelm revert` puts it back. Without a project: `drift list`.",
      )
      .option("--detailed-exitcode", "Exit code 4 if something differs, 0 if nothing does.")
      .withExamples(["drift", "drift --env prod --detailed-exitcode"])
      .action(async (options, command: Command) =>
        (await import("./commands/drift.ts")).showDrift(io, options, globalsOf(command)),
      );
  },
  runs(group, io) {
    group
      .command("watch")
      .description("Follows a run until it ends, with its log. Fails if the run fails.")
      .argument("<run>", "UUID of the run, or the name of what runs: then its last run.")
      .withParameters("job_id")
      .withExamples(["runs watch orders-in", "runs watch 019f0000-0000-7000-8000-00000000000f"])
      .action(async (run: string, _options, command: Command) =>
        (await import("./commands/watch.ts")).watch(io, run, globalsOf(command)),
      );
  },
  agents(group, io) {
    addLog(group, io, "agents", "<agent>", "UUID, name or alias of the agent.", "order-desk");
    group
      .command("invoke")
      .description("Sends a request to an agent and prints its answer.")
      .argument("<agent>", "UUID, name or alias of the agent.")
      .withParameters("agent_id")
      .argument("[question]", "What to ask. Or send a whole request with -f.")
      .option("-f, --file <path>", "The request as a file in YAML or JSON; - is the standard input.")
      .withExamples([
        'agents invoke order-desk "How many orders are there?"',
        "agents invoke order-desk -f request.json",
      ])
      .action(async (agent: string, question: string | undefined, options, command: Command) =>
        (await import("./commands/invoke.ts")).invoke(io, agent, question, options, globalsOf(command)),
      );
  },
  apps(group, io) {
    addLog(group, io, "apps", "<app>", "Name or id of the app.", "order-desk-ui");
  },
};

function addLog(
  group: CliCommand,
  io: Io,
  kind: "agents" | "apps",
  argument: string,
  about: string,
  example: string,
) {
  group
    .command("logs")
    .description("Shows what the process has written.")
    .argument(argument, about)
    .withParameters(kind === "agents" ? "agent_id" : "app_id")
    .option("-f, --follow", "Shows new lines as they are written, until Ctrl-C.")
    .option("--limit <n>", "Number of lines, the last ones. Default: 200.")
    .withExamples([`${kind} logs ${example}`, `${kind} logs ${example} --follow`])
    .action(async (name: string, options, command: Command) =>
      (await import("./commands/logs.ts")).processLogs(io, kind, name, options, globalsOf(command)),
    );
}

function addAccount(program: CliCommand, io: Io): void {
  program
    .command("login")
    .description(
      "Stores how to reach a server, as a profile. Without options it asks for a token: the service token of the server, or a personal one.",
    )
    .option("--token-file <path>", "Reads the token from a file; - is the standard input.")
    .option(
      "--client-id <id>",
      "Client credentials: asks for the secret, or reads it from the standard input.",
    )
    .option("--username <name>", "A user: asks for the password, or reads it from the standard input.")
    .withExamples([
      "login --token-file data/service-token",
      "login --url https://lakehelm.example.test --username ada@example.com",
      "login --profile prod --url https://lakehelm.example.test --env prod --client-id ci < secret.txt",
    ])
    .addHelpText("after", "\nIn CI, set LAKEHELM_URL and LAKEHELM_TOKEN instead: no login is needed.")
    .action(async (options, command: Command) =>
      (await import("./commands/login.ts")).login(io, options, globalsOf(command)),
    );
  program
    .command("logout")
    .description("Removes a profile and its credentials.")
    .withExamples(["logout", "logout --profile prod"])
    .action(async (_options, command: Command) =>
      (await import("./commands/profiles.ts")).logout(io, globalsOf(command)),
    );
  program
    .command("profiles")
    .description("Lists the profiles, or makes one the current.")
    .argument("[name]", "The profile that commands use from now on.")
    .withParameters("profile")
    .withExamples(["profiles", "profiles prod"])
    .action(async (name: string | undefined, _options, command: Command) =>
      (await import("./commands/profiles.ts")).profiles(io, name, globalsOf(command)),
    );
  program
    .command("whoami")
    .description(
      "Shows who you are on which server: your name and role, the profile and the kind of token that commands use.",
    )
    .withExamples(["whoami", "whoami --profile prod -o json"])
    .action(async (_options, command: Command) =>
      (await import("./commands/status.ts")).whoami(io, globalsOf(command)),
    );
  program
    .command("status")
    .description(
      "Shows whether the server is ready, and what runs and fails there. Fails if it is not ready.",
    )
    .withExamples(["status", "status --env prod -o json"])
    .action(async (_options, command: Command) =>
      (await import("./commands/status.ts")).status(io, globalsOf(command)),
    );
}

function addWork(program: CliCommand, io: Io): void {
  program
    .command("query")
    .description("Runs a read-only statement on the warehouse. Without one it starts an interactive mode.")
    .argument("[sql]", "The statement. Default: the standard input, or the interactive mode on a terminal.")
    .option("-f, --file <path>", "Reads the statement from a file; - is the standard input.")
    .addOption(
      new Option("--dialect <dialect>", "The SQL that it is written in.").choices(["databricks", "duckdb"]),
    )
    .option("--limit <n>", "Maximum number of rows. Default: all; of a table, and on a terminal, 1000.")
    .option("--skip <n>", "Number of rows to skip.")
    .option(
      "--timeout-seconds <n>",
      "Seconds until the query is cancelled. Default: 60. A server may allow less: usually 30.",
    )
    .option("--plan", "Shows how the warehouse would run it, and does not run it.")
    .option(
      "--to <path>",
      "Writes to this file. Required with -o arrow and -o parquet, unless the output is a pipe.",
    )
    .option(
      "--safe-csv",
      "With -o csv: puts an apostrophe before a text that a spreadsheet would take for a formula.",
    )
    .withExamples([
      'query "select country, count(*) from shop.sales.orders group by country"',
      'query "select * from shop.sales.orders" -o csv --to orders.csv',
      'query "select * from shop.sales.orders" -o parquet --to orders.parquet',
      "query -f report.sql --env prod -o json",
      "query",
    ])
    .action(async (sql: string | undefined, options, command: Command) =>
      (await import("./commands/query.ts")).query(io, sql, options, globalsOf(command)),
    );
  program
    .command("logs")
    .description("Shows the log of a run. For agents and apps: `agents logs` and `apps logs`.")
    .argument("<run>", "UUID of the run, or the name of what runs: then its last run.")
    .withParameters("job_id")
    .option("-f, --follow", "Shows new lines as they are written, until the run ends.")
    .withExamples([
      "logs orders-in",
      "logs 019f0000-0000-7000-8000-00000000000f --follow",
      "logs orders-in -o jsonl",
    ])
    .action(async (run: string, options, command: Command) =>
      (await import("./commands/logs.ts")).runLogs(io, run, options, globalsOf(command)),
    );
}

function addMore(program: CliCommand, io: Io): void {
  program
    .command("api")
    .description("Sends any request to the API and prints the answer as it is.")
    .argument("<method>", "GET, POST, PUT, PATCH or DELETE.")
    .withWords("GET", "POST", "PUT", "PATCH", "DELETE")
    .argument("<path>", "The path, with its query: /api/v1/connectors/?limit=1.")
    .option("-f, --file <path>", "The body; - is the standard input. YAML is sent as JSON.")
    .option("-H, --header <header...>", "A further header: 'If-Match: \"3\"'. Can be repeated.")
    .withExamples([
      "api GET /api/v1/connectors/?limit=1",
      "api POST /api/v1/environments/ -f environment.yaml",
      "api GET /openapi.json --query 'paths | keys(@)' -o json",
    ])
    .action(async (method: string, path: string, options, command: Command) =>
      (await import("./commands/api.ts")).api(io, method, path, options, globalsOf(command)),
    );
  program
    .command("completion")
    .description("Prints a script that completes commands and options in your shell.")
    .argument("<shell>", "bash, zsh or fish.")
    .withWords("bash", "zsh", "fish")
    .withExamples([
      "completion bash > ~/.local/share/bash-completion/completions/lakehelm",
      "completion zsh > ~/.zfunc/_lakehelm",
      "completion fish > ~/.config/fish/completions/lakehelm.fish",
    ])
    .action(async (shell: string) => (await import("./commands/completion.ts")).completion(io, shell));
  program
    .command("version")
    .description("Prints the version. So does --version.")
    .withExamples(["version"])
    .action(async () => (await import("./commands/version.ts")).version(io));
}
