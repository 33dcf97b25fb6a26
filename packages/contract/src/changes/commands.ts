/** An argument of a command, as a shell needs it. */
export const shellArgument = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** A name in a command: in backticks if it would be read as several. */
const named = (name: string): string =>
  /^[^\s.`"=]+$/.test(name) ? name : `\`${name.replaceAll("`", "``")}\``;

/** A command with a name and options. A name with a dash at its beginning would be an option: it comes last. */
const command = (words: string, name: string, options: string): string =>
  name.startsWith("-")
    ? `lakehelm ${words}${options} -- ${shellArgument(name)}`
    : `lakehelm ${words} ${shellArgument(name)}${options}`;

const inEnvironments =
  /\blakehelm (?:(?:connectors|flows|pipelines) run|tables alter|secrets put)(?= )(?!(?:(?!\blakehelm )[^\n])* --env[ =])/g;

/** A text whose commands have the environment of what they are about, unless they name one: they can be typed as they are. */
export const withEnvironment = (text: string, environment: string): string =>
  text.includes("lakehelm ")
    ? text.replace(inEnvironments, (verb) => `${verb} --env ${shellArgument(environment)}`)
    : text;

/** The command that gives columns of a table other types. `table`: the parts of its name. */
export const setTypeCommand = (table: readonly string[], types: Readonly<Record<string, string>>): string =>
  command(
    "tables alter",
    table.map(named).join("."),
    `${Object.entries(types)
      .map(([column, type]) => ` --set-type ${shellArgument(`${named(column)}=${type}`)}`)
      .join("")} --yes`,
  );

/** The command that builds the table of a flow again. */
export const flowRefreshCommand = (flow: string, discardsHistory = false): string =>
  command(
    "flows run",
    flow,
    ` --set parameters.full_refresh=true${discardsHistory ? " --set parameters.discard_history=true" : ""}`,
  );

/** The command that lets one run of a flow delete or close any share of the rows of its table. */
export const flowDeleteCommand = (flow: string): string =>
  command("flows run", flow, " --set parameters.max_delete_share=1");

/** The command that makes a version of an automation current. */
export const automationReleaseCommand = (alias: string, environment?: string): string =>
  command(
    "automations release",
    alias,
    environment === undefined ? "" : ` --env=${shellArgument(environment)}`,
  );

/** The command that empties a table of a pipeline and reads its streams from the beginning. `table`: its full name. */
export const pipelineRefreshCommand = (pipeline: string, table: string): string =>
  command("pipelines run", pipeline, ` --full-refresh-selection ${shellArgument(table)}`);

/** The command that runs one dataset of a connector. */
export const connectorRunCommand = (connector: string, dataset: string): string =>
  command("connectors run", connector, chosen(dataset));

/** The command that reads all rows of a connector again, or of one of its datasets, and removes rows that are gone. */
export const connectorRefreshCommand = (connector: string, dataset?: string): string =>
  command("connectors run", connector, `${chosen(dataset)} --set parameters.full_refresh=true`);

/** The command that reads all rows of a dataset again, and removes none. */
export const connectorRereadCommand = (connector: string, dataset: string): string =>
  command("connectors run", connector, `${chosen(dataset)} --set parameters.reset_watermark=true`);

/** The command that lets one run of a dataset delete any share of the rows of its target. */
export const connectorDeleteCommand = (connector: string, dataset: string): string =>
  command("connectors run", connector, `${chosen(dataset)} --set parameters.max_delete_share=1`);

const chosen = (dataset: string | undefined): string =>
  dataset === undefined ? "" : ` --set ${shellArgument(`parameters.datasets=${JSON.stringify([dataset])}`)}`;

/** What to do about rows of a table that a stream cannot continue with. `table`: its full name. */
export const pipelineRefreshAdvice = (pipeline: string, table: string): string =>
  `To empty ${table} and read its streams from the beginning, without the rows that their sources no longer have: ${pipelineRefreshCommand(pipeline, table)}`;
