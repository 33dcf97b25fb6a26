/** Quotes an argument of a command for a shell, if necessary. */
export const shellArgument = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** A name in a command, in backticks if the command would otherwise read it as several names. */
const named = (name: string): string =>
  /^[^\s.`"=]+$/.test(name) ? name : `\`${name.replaceAll("`", "``")}\``;

/** A command with a name and options. A name that begins with a dash would be read as an option, so it comes last. */
const command = (words: string, name: string, options: string): string =>
  name.startsWith("-")
    ? `lakehelm ${words}${options} -- ${shellArgument(name)}`
    : `lakehelm ${words} ${shellArgument(name)}${options}`;

const inEnvironments =
  /\blakehelm (?:(?:connectors|flows|pipelines) run|tables alter|secrets put)(?= )(?!(?:(?!\blakehelm )[^\n])* --env[ =])/g;

/** Adds the environment to every command in a text that names none, so that the commands can be typed as they are. */
export const withEnvironment = (text: string, environment: string): string =>
  text.includes("lakehelm ")
    ? text.replace(inEnvironments, (verb) => `${verb} --env ${shellArgument(environment)}`)
    : text;

/** The command that changes the types of columns. `table`: the parts of its name. */
export const setTypeCommand = (table: readonly string[], types: Readonly<Record<string, string>>): string =>
  command(
    "tables alter",
    table.map(named).join("."),
    `${Object.entries(types)
      .map(([column, type]) => ` --set-type ${shellArgument(`${named(column)}=${type}`)}`)
      .join("")} --yes`,
  );

/** The command that rebuilds the table of a flow. */
export const flowRefreshCommand = (flow: string, discardsHistory = false): string =>
  command(
    "flows run",
    flow,
    ` --set parameters.full_refresh=true${discardsHistory ? " --set parameters.discard_history=true" : ""}`,
  );

/** The command that lets one run of a flow delete or close any share of its table's rows. */
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

/**
 * The command that reads all rows of a connector or of one dataset again, and removes rows that the source no longer
 * has.
 */
export const connectorRefreshCommand = (connector: string, dataset?: string): string =>
  command("connectors run", connector, `${chosen(dataset)} --set parameters.full_refresh=true`);

/** The command that reads all rows of a dataset again, and removes none from the target. */
export const connectorRereadCommand = (connector: string, dataset: string): string =>
  command("connectors run", connector, `${chosen(dataset)} --set parameters.reset_watermark=true`);

/** The command that lets one run of a dataset delete any share of its target's rows. */
export const connectorDeleteCommand = (connector: string, dataset: string): string =>
  command("connectors run", connector, `${chosen(dataset)} --set parameters.max_delete_share=1`);

const chosen = (dataset: string | undefined): string =>
  dataset === undefined ? "" : ` --set ${shellArgument(`parameters.datasets=${JSON.stringify([dataset])}`)}`;

/** What to do about a table whose rows do not allow its stream to continue. `table`: its full name. */
export const pipelineRefreshAdvice = (pipeline: string, table: string): string =>
  `To empty ${table} and read its streams from the beginning, without the rows that their sources no longer have: ${pipelineRefreshCommand(pipeline, table)}`;
