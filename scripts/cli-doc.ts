/** Prints docs/reference/cli.md from the commands: `node run.js scripts/cli-doc.ts`. */
import { resolve } from "node:path";
import { PassThrough } from "node:stream";
import type { CliCommand } from "../packages/cli/src/command.ts";
import { buildProgram } from "../packages/cli/src/program.ts";

const intro = `# The command line

\`lakehelm\` calls every operation of the API from a shell. [The package](../install.md) installs it. In a checkout, \`npm ci\`
does: \`npx lakehelm\` starts it in the folder of the checkout. To use it in any folder, put it on the path of your shell:

\`\`\`sh
export PATH="$PWD/node_modules/.bin:$PATH"
lakehelm login --token-file data/service-token   # the token that "npm start" has generated
lakehelm status
lakehelm connectors create --help                # every command has examples
lakehelm init ../my-project                      # a project that has already run once
\`\`\`

With [a project](projects.md), a folder of YAML in git, \`lakehelm plan\` shows what would change and \`lakehelm apply\` changes it.

This page is generated from the commands, and a test checks that it is up to date. To generate it again:

\`\`\`sh
node_modules/.bin/node run.js scripts/cli-doc.ts > docs/reference/cli.md
\`\`\`

## Log in

\`lakehelm login\` stores a profile: a server, credentials and, with \`--env\`, the environment that commands act in.
Credentials are the service token, a personal token (\`--token-file\`, or typed), client credentials (\`--client-id\`), or a
user and a password (\`--username\`). Secrets are asked for or read from the standard input, never from the command line,
where other users could see them. A password is not stored: its token is, until it expires.

Profiles are in \`~/.config/lakehelm/profiles.json\` (\`XDG_CONFIG_HOME\`, \`APPDATA\`), which only you can read. A profile's
credentials go to its own server only, whatever \`--url\` says.

In CI you need no profile:

| variable                                       | meaning                                          |
| ---------------------------------------------- | ------------------------------------------------ |
| \`LAKEHELM_URL\`                                 | the server. Default: \`http://127.0.0.1:8000\`     |
| \`LAKEHELM_TOKEN\`, \`LAKEHELM_TOKEN_FILE\`        | a token, or a file with one                      |
| \`LAKEHELM_CLIENT_ID\`, \`LAKEHELM_CLIENT_SECRET\` | client credentials                               |
| \`LAKEHELM_ENV\`                                 | the environment, as \`--env\`                      |
| \`LAKEHELM_PROFILE\`                             | the profile, as \`--profile\`                      |
| \`LAKEHELM_CONFIG_DIR\`                          | another folder for profiles                      |
| \`NO_COLOR\`, \`FORCE_COLOR\`, \`CI\`                | no colors; colors; no colors, spinners, questions |

Options come before variables, and variables before the profile. \`--profile\` on the command line means all of that
profile: \`LAKEHELM_URL\` and \`LAKEHELM_TOKEN\` then do not count.

## Arguments and requests

- An argument such as \`<connector>\` is a name or an id. Names are unique in an environment: if several have it, choose one
  with \`--env\`.
- The request of a command that writes is a file (\`-f\`, YAML or JSON, \`-\` for the standard input), flags for its plain
  fields, and \`--set a.b=value\` for any field. Flags win over the file, and \`--set\` wins over both. In an update, \`--set a.b=value\`
  changes \`b\` alone: the rest of \`a\` stays.
- \`--dry-run\` shows the answer and changes nothing.
- Lists show everything, page by page. Histories such as \`runs list\` show the last 100 unless \`--limit\` or \`--all\` says
  otherwise.

## Output

| option     | output                                                                          |
| ---------- | ------------------------------------------------------------------------------- |
| \`-o table\` | for people (default). Control characters in data are escaped, such as \`\\u{1b}\` |
| \`-o json\`  | the answer; of a list, an array of its items                                    |
| \`-o jsonl\` | one item on each line, as it arrives                                            |
| \`-o yaml\`  | the same as YAML                                                                |
| \`-o csv\`   | only of \`query\`                                                                 |
| \`-o arrow\` | only of \`query\`: an Arrow IPC stream, to a file or a pipe                       |
| \`-o parquet\` | only of \`query\`: a Parquet file, or a pipe |

\`--query\` selects from the answer with [JMESPath](https://jmespath.org/). It is applied to the whole answer, so a list is
read completely first:

\`\`\`sh
lakehelm connectors list --query "[?status=='failing'].name"
lakehelm runs list --limit 1 --query "[0].metrics" -o json
\`\`\`

Notes and errors go to the standard error. With \`-o json\` and \`-o jsonl\` an error is one line of JSON:
\`{"error":{"message":"…","status":404,"request_id":"…"}}\`. A command that creates or changes something refuses fields that it
does not know; \`--unchecked\` sends them. Deleting asks on a terminal, unless you add \`--yes\`.

## Exit codes

| code | meaning                                                             |
| ---- | ------------------------------------------------------------------- |
| 0    | done                                                                |
| 1    | failed: the server's answer, no server, or a run that did not succeed |
| 2    | wrong usage: nothing was changed. Also an environment that does not exist, wherever it is named |
| 3    | refused: your role, a protected environment (403), a policy, or a plan that needs an approval |
| 4    | a plan or drift has found changes, with \`--detailed-exitcode\`      |
| 130  | ended by Ctrl-C                                                     |

An error shows the server's sentence, for an invalid request each field with its problem, and the id of the request, which
is in the server's log:

\`\`\`text
Error: The server refused the request (422).
  body.target_type: Field required
  body.target_config: Field required
Request id: 019f0000-0000-7000-8000-000000000010
\`\`\`
`;

export async function cliDoc(): Promise<string> {
  const stream = new PassThrough();
  const io = { env: {}, stdin: stream, stdout: stream, stderr: stream, signal: new AbortController().signal };
  const program = await buildProgram(io, { words: "all", help: false });
  const sections = (program.commands as CliCommand[]).map((command) =>
    command.commands.length > 0 ? groupText(command) : commandText(command),
  );
  return [
    padTables(intro),
    "## Options of every command\n",
    optionsText(program.options),
    "## Commands\n",
    "`lakehelm <command> --help` has all flags of a command, and for a command that writes a whole request.\n",
    ...sections,
  ]
    .join("\n")
    .trimEnd()
    .concat("\n");
}

/**
 * The commands of a resource, on one screen. Their flags are those of the API; `--help` shows them with the same
 * descriptions.
 */
function groupText(group: CliCommand): string {
  const commands = group.commands as CliCommand[];
  const rows = commands.map((one) => {
    const given = one.registeredArguments.map((argument) => ` <${argument.name()}>`).join("");
    return `| \`${one.name()}${given}\` | ${(one.summary() || one.description()).split("\n")[0]} |\n`;
  });
  return [
    `### ${group.name()}\n`,
    `${group.description()}.\n`,
    padTables(`| command | does |\n| --- | --- |\n${rows.join("")}`),
    examplesText(commands.flatMap(({ examples }) => examples)),
  ].join("\n");
}

const examplesText = (examples: readonly string[]): string =>
  `\`\`\`sh\n${examples.map((example) => `lakehelm ${example}\n`).join("")}\`\`\`\n`;

function commandText(command: CliCommand): string {
  const { examples } = command;
  return [
    `### ${command.name()}\n`,
    `${command.description()}\n`,
    ...(examples.length > 0 ? [examplesText(examples)] : []),
    argumentsText(command.registeredArguments),
    optionsText(command.options),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

const argumentsText = (all: CliCommand["registeredArguments"]): string =>
  list(
    all.map((one) => [
      one.required ? `<${one.name()}>` : `[${one.name()}]`,
      withChoices(one.description, one.argChoices),
    ]),
  );

const optionsText = (all: CliCommand["options"]): string =>
  list(
    all
      .filter(({ hidden }) => !hidden)
      .map(({ flags, description, argChoices }) => [flags, withChoices(description, argChoices)]),
  );

const withChoices = (text: string, choices: readonly string[] | undefined): string =>
  choices ? `${text} One of ${choices.map((choice) => `\`${choice}\``).join(", ")}.` : text;

const list = (entries: readonly (readonly [string, string])[]): string =>
  entries.length === 0 ? "" : `${entries.map(([name, text]) => `- \`${name}\`: ${text}`).join("\n")}\n`;

/** Pads all cells of a column to the same width, as the formatter does. */
function padTables(text: string): string {
  return text.replaceAll(/(?:^\|.*\|\n)+/gm, (table) => {
    const rows = table
      .trimEnd()
      .split("\n")
      .map((row) =>
        row
          .slice(1, -1)
          .split("|")
          .map((cell) => cell.trim()),
      );
    const widths = (rows[0] ?? []).map((_, at) =>
      Math.max(...rows.map((row) => (/^-+$/.test(row[at] ?? "") ? 3 : (row[at] ?? "").length))),
    );
    const padded = rows.map((row) =>
      row.map((cell, at) => (/^-+$/.test(cell) ? "-".repeat(widths[at] ?? 3) : cell.padEnd(widths[at] ?? 0))),
    );
    return padded.map((row) => `| ${row.join(" | ")} |\n`).join("");
  });
}

const [, , started] = process.argv;
if (started !== undefined && resolve(started) === import.meta.filename) process.stdout.write(await cliDoc());
