import { acceptsDryRun, type Endpoint } from "@lakehelm/contract";
import { parametersOf } from "@lakehelm/contract/openapi";
import type { JsonSchema } from "@lakehelm/contract/schema";
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { CliCommand } from "../command.ts";
import { endpointOf } from "../connection/session.ts";
import { type Field, fieldOf, fieldsOf, flagOf } from "../input/fields.ts";
import { secretRules } from "../input/secret-rules.ts";
import type { Io } from "../io.ts";
import { acceptsName, otherForms } from "../names.ts";
import { type PagedList, pagedList } from "../pages.ts";
import type { OperationCommand } from "../table/spec.ts";
import { type Flag, type OperationShape, shortHistory } from "./operation-shape.ts";

/** A command that calls an operation. Its arguments, flags and help come from the contract. */
export function operationCommand(io: Io, name: string, spec: OperationCommand): CliCommand {
  const endpoint = endpointOf(spec.operation);
  const list = pagedList(endpoint, spec.rows);
  const command = new CliCommand(name)
    .summary(`${spec.summary ?? endpoint.summary}.`)
    .description(descriptionOf(spec, endpoint));
  const params = addArguments(command, spec, endpoint);
  const query = queryFields(endpoint, list).map((field) => addFlag(command, field));
  if (list) addLimit(command, list);
  const bodySchema = endpoint.body === "bytes" ? undefined : endpoint.body;
  const bodyFields = bodySchema ? fieldsOf(bodySchema) : [];
  const askedBy = bodyFields
    .filter((field) => field.required && isAsker(field.name))
    .map((field) => field.name);
  const body = bodyFields
    .filter(
      (field) =>
        field.type !== "nested" &&
        field.name !== "environment" &&
        field.name !== spec.secret &&
        !spec.positional?.includes(field.name),
    )
    .map((field) => addFlag(command, askedBy.includes(field.name) ? withFallback(field) : field));
  addCommonOptions(command, spec, endpoint);
  const inBody = bodyFields.some((field) => field.name === "environment") ? "body" : undefined;
  const inQuery =
    endpoint.query?.environment && !endpoint.headers?.["X-Environment-Id"] ? "query" : undefined;
  const shape: OperationShape = {
    spec,
    endpoint,
    list,
    params,
    query,
    body,
    askedBy,
    environmentIn: inBody ?? inQuery,
  };
  return command.action(async (...given: unknown[]) => {
    const { runOperation } = await import("./run-operation.ts");
    // Commander passes the arguments, then the options, then the command.
    await runOperation(io, shape, given.slice(0, -2) as string[], command);
  });
}

/** A command with its description only, for lists of commands. */
export const summaryCommand = (name: string, spec: OperationCommand): CliCommand =>
  new CliCommand(name).description(`${spec.summary ?? endpointOf(spec.operation).summary}.`);

function descriptionOf({ summary, jobOf }: OperationCommand, endpoint: Endpoint): string {
  const details = jobOf ? "" : (endpoint.description ?? "");
  return `${summary ?? endpoint.summary}.${details === "" ? "" : `\n\n${details}`}`;
}

const isAsker = (name: string) => name === "created_by" || name === "requested_by" || name === "updated_by";
const withFallback = (field: Field): Field => ({
  ...field,
  required: false,
  description: `${field.description} Default: your user name.`,
});

/** `connector_id` is `<connector>`. */
const argumentName = (parameter: string) => flagOf(parameter.replace(/_(?:id|alias|name)$/, ""));

function addArguments(
  command: CliCommand,
  { fixed, jobOf, positional = [] }: OperationCommand,
  endpoint: Endpoint,
) {
  const refs = new Map<string, JsonSchema>();
  const params: string[] = [];
  for (const parameter of parametersOf(endpoint, refs)) {
    if (!("in" in parameter) || parameter.in !== "path" || fixed?.[parameter.name] !== undefined) continue;
    const name = jobOf && parameter.name === "job_id" ? `${jobOf}_id` : parameter.name;
    const description = acceptsName(name)
      ? `Name or id of the ${argumentName(name)}.`
      : (otherForms[name] ?? parameter.description);
    command.addArgument(new Argument(`<${argumentName(name)}>`, description));
    params.push(name);
  }
  command.parameters = params;
  const fields = endpoint.body && endpoint.body !== "bytes" ? fieldsOf(endpoint.body) : [];
  for (const name of positional) {
    const field = fields.find((one) => one.name === name);
    const description =
      name === "agent_id" ? "UUID, name or alias of the agent." : (field?.description ?? "");
    const argument = new Argument(`<${argumentName(name)}>`, description);
    command.addArgument(field?.choices ? argument.choices(field.choices) : argument);
  }
  return params;
}

/** The command itself follows cursors, `--limit` counts items on all pages, and `--env` sets the environment. */
function queryFields({ query = {} }: Endpoint, list: PagedList | undefined): Field[] {
  const ours = ["environment", ...(list ? ["cursor", "before", "limit"] : [])];
  const refs = new Map<string, JsonSchema>();
  return Object.entries(query).flatMap(([name, schema]) => {
    if (ours.includes(name)) return [];
    return [fieldOf(name, schema.jsonSchema(refs), (some) => some, schema.presence === "required")];
  });
}

function addLimit(command: Command, { isHistory }: PagedList): void {
  const most = isHistory ? `Default: ${shortHistory}.` : "Default: all.";
  command.addOption(
    new Option("--limit <n>", `Maximum number of items to show. ${most}`).argParser(positiveInteger),
  );
  if (isHistory) command.option("--all", "Shows all items, however many there are.");
}

function addFlag(command: Command, field: Field): Flag {
  const flag = flagOf(field.name);
  const option = new Option(...optionText(flag, field));
  if (field.choices) option.choices(field.choices);
  else if (field.type === "integer") option.argParser(integer);
  else if (field.type === "number") option.argParser(number);
  if (field.type === "strings") option.argParser((value, before?: string[]) => [...(before ?? []), value]);
  command.addOption(option);
  if (field.type === "boolean") command.addOption(new Option(`--no-${flag}`).hideHelp());
  return { field, attribute: option.attributeName() };
}

function optionText(flag: string, { type, description, required, fallback }: Field): [string, string] {
  const usual = isShown(fallback) ? ` Default: ${fallback}.` : "";
  if (type === "boolean") return [`--${flag}`, `${description}${usual} The opposite: --no-${flag}.`];
  const many = type === "strings" ? " Can be repeated." : "";
  return [`--${flag} <${placeholder[type]}>`, `${required ? "Required: " : ""}${description}${many}${usual}`];
}

const placeholder = { string: "text", strings: "text", integer: "n", number: "n", nested: "yaml" } as const;
const isShown = (fallback: unknown) =>
  (typeof fallback === "string" && fallback !== "") ||
  typeof fallback === "number" ||
  typeof fallback === "boolean";

/** Integers beyond 2^53 become bigints, so that they keep all digits. */
function integer(text: string): number | bigint {
  if (!/^-?\d+$/.test(text)) throw new InvalidArgumentError("It must be an integer.");
  return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
}

function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError("It must be an integer from 1.");
  return Number(text);
}

function number(text: string): number {
  if (text.trim() === "" || !Number.isFinite(Number(text)))
    throw new InvalidArgumentError("It must be a number.");
  return Number(text);
}

function addCommonOptions(command: Command, spec: OperationCommand, endpoint: Endpoint): void {
  const { body, versioned, method, creates, streams } = endpoint;
  if (body === "bytes")
    command.requiredOption("-f, --file <path>", "The file to send; - is the standard input.");
  else if (body) {
    command.option("-f, --file <path>", "The request as a file in YAML or JSON; - is the standard input.");
    command.addOption(
      new Option(
        "--set <field=value>",
        "Sets any field of the request, such as a.b=5. Can be repeated.",
      ).argParser((value, before?: string[]) => [...(before ?? []), value]),
    );
    command.addOption(
      new Option("--unchecked", "Also sends fields and values that this command does not know.").hideHelp(),
    );
  }
  if (method === "DELETE") command.option("--yes", "Does not ask, for scripts.");
  if (spec.secret) {
    const source = "on a terminal, or read from the standard input";
    const about = `Sends a ${spec.secret}: it is asked for ${source}. ${secretRules(spec.secret, endpoint)}`;
    command.option(`--ask-${flagOf(spec.secret)}`, about.trimEnd());
  }
  if (acceptsDryRun(endpoint)) command.option("--dry-run", "Shows the answer and changes nothing.");
  if (versioned && method !== "GET" && method !== "POST") {
    command.option("--if-match <etag>", "Only if this is still the version.");
  }
  if (creates) command.option("--idempotency-key <key>", "Makes it safe to repeat the command.");
  if (streams === "application/octet-stream") {
    command.option("--to <path>", "Writes to this file. Default: the standard output.");
  }
  if (spec.ends) command.option("--watch", "Waits until it has ended; fails if it fails.");
  if (spec.starts) command.option("--watch", "Follows the run until it ends; fails if the run fails.");
}
