import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { acceptsDryRun } from "@lakehelm/contract";
import { ApiError, type UntypedCall } from "@lakehelm/contract/client";
import { isObject } from "@lakehelm/contract/schema";
import { suggestion } from "@lakehelm/contract/text";
import type { Command } from "commander";
import { openSession, type Session } from "../connection/session.ts";
import { exitCodes } from "../exit-codes.ts";
import { Exit, Failure } from "../failure.ts";
import { globalsOf, outputOf } from "../globals.ts";
import type { Assignment } from "../input/document.ts";
import { fieldsOf } from "../input/fields.ts";
import { askSecret, confirm } from "../input/prompt.ts";
import { type Io, isInteractive, note, write } from "../io.ts";
import { resolveId } from "../names.ts";
import { oneLine } from "../output/escape.ts";
import { printItems, printValue } from "../output/print.ts";
import { itemsOf } from "../pages.ts";
import { UsageError } from "../usage-error.ts";
import { withCurrentValues } from "./nested-changes.ts";
import { type OperationShape, shortHistory, userName } from "./operation-shape.ts";

/** The options of all operations, in addition to the flags of this command. */
interface OperationOptions extends Readonly<Record<string, unknown>> {
  readonly file?: string;
  readonly set?: readonly string[];
  readonly limit?: number;
  readonly all?: true;
  readonly dryRun?: true;
  readonly ifMatch?: string;
  readonly idempotencyKey?: string;
  readonly to?: string;
  readonly watch?: true;
  readonly unchecked?: true;
  readonly yes?: true;
}

export async function runOperation(
  io: Io,
  shape: OperationShape,
  given: readonly string[],
  command: Command,
): Promise<void> {
  const globals = globalsOf(command);
  const output = outputOf(globals);
  const options = command.opts<OperationOptions>();
  const { spec, endpoint, list } = shape;
  // Errors of the command line are reported before the first request.
  const { body, assignments } = await bodyOf(io, shape, given, options);
  if (endpoint.method === "DELETE" && !options.yes && !options.dryRun)
    await confirmDeletion(io, command, given);
  const session = await openSession(io, globals);
  const { connection } = session;
  if (shape.environmentIn === "body" && isObject(body) && body.environment === undefined) {
    if (connection.environment !== undefined) body.environment = connection.environment;
  }
  if (isObject(body) && typeof body.agent_id === "string" && spec.positional?.includes("agent_id")) {
    body.agent_id = await agentId(session, body.agent_id);
  }
  const query = {
    ...valuesOf(shape.query, options),
    ...(shape.environmentIn === "query" &&
      connection.environment !== undefined && { environment: connection.environment }),
  };
  const request: UntypedCall = {
    params: { ...spec.fixed, ...(await paramsOf(session, shape, given)) },
    query,
    ...(body !== undefined && { body }),
    ...(options.dryRun && acceptsDryRun(endpoint) && { dryRun: true }),
    ...(options.ifMatch !== undefined && { ifMatch: options.ifMatch }),
    ...(endpoint.creates && { idempotencyKey: options.idempotencyKey ?? randomUUID() }),
  };
  const call = await withCurrentValues(session, shape, request, assignments);
  if (list) {
    const most = options.limit ?? (list.isHistory && !options.all ? shortHistory : Number.POSITIVE_INFINITY);
    const read = async (page: object) =>
      (await session.call(spec.operation, { ...call, query: { ...page } })).body as Record<string, unknown>;
    const onMore = () => {
      if (options.limit === undefined) note(io, `These are the last ${most}. For more: --limit, or --all.`);
    };
    return printItems(io, itemsOf(list, query, most, read, onMore), output, spec);
  }
  const { body: answer } = await session.call(spec.operation, call).catch(async (error: unknown) => {
    throw (await withoutJob(session, shape, call, error)) ?? error;
  });
  if (answer instanceof Uint8Array) return writeBytes(io, answer, options.to);
  if (typeof answer === "string") return write(io.stdout, answer);
  if (spec.starts && options.watch && !options.dryRun) {
    const { watchRun } = await import("./watch.ts");
    return watchRun(session, String((answer as Record<string, unknown>)[spec.starts]), output);
  }
  const ended =
    spec.ends && options.watch && !options.dryRun ? await endOf(session, spec.ends, answer) : answer;
  await printValue(io, ended, output, spec);
  if (isObject(ended) && ended.status === "failed" && options.watch) throw new Exit(exitCodes.failed);
  if (isObject(answer) && verdicts.some((name) => answer[name] === false)) throw new Exit(exitCodes.failed);
  const started =
    spec.starts && !options.dryRun ? (answer as Record<string, unknown>)[spec.starts] : undefined;
  if (started !== undefined && isInteractive(io)) note(io, `To follow it: lakehelm runs watch ${started}`);
}

/** Asks only interactive users: a script means what it says. */
async function confirmDeletion(io: Io, command: Command, given: readonly string[]): Promise<void> {
  if (!io.stdin.isTTY || io.env.CI) return;
  const what = [command.parent?.name(), command.name(), ...given].join(" ");
  if (!(await confirm(io, `${oneLine(what)}: this cannot be undone. Go on?`)))
    throw new Failure("Nothing was changed.");
}

/** Reads the resource that an operation has started until it is no longer running. */
async function endOf(
  session: Session,
  { operation, parameter }: NonNullable<OperationShape["spec"]["ends"]>,
  begun: unknown,
): Promise<unknown> {
  let now = begun as Readonly<Record<string, unknown>>;
  while (now.status === "running") {
    await sleep(500, undefined, { signal: session.io.signal });
    const { body } = await session.call(operation, { params: { [parameter]: String(now.id) } });
    now = body as typeof now;
  }
  return now;
}

/** Boolean fields of answers that say whether the request succeeded. */
const verdicts = ["ok", "intact", "success"];

/** A connector or flow whose installation failed has no job: the error of the resource says why. */
async function withoutJob(
  { client }: Session,
  { spec: { jobOf } }: OperationShape,
  { params }: UntypedCall,
  error: unknown,
): Promise<Failure | undefined> {
  if (jobOf === undefined || !(error instanceof ApiError) || error.status !== 404) return undefined;
  const id = String(params?.job_id).slice(jobOf.length + 1);
  const read =
    jobOf === "connector"
      ? client.getConnector({ params: { connector_id: id } })
      : client.getFlow({ params: { flow_id: id } });
  const { name, status, error_message } = await read.catch(() => ({
    name: "",
    status: "",
    error_message: null,
  }));
  return status === ""
    ? undefined
    : new Failure(
        `The ${jobOf} ${name} cannot run: it is ${status}.${error_message ? ` ${error_message}` : ""}`,
      );
}

const valuesOf = (flags: OperationShape["query"], options: OperationOptions): Record<string, unknown> =>
  Object.fromEntries(
    flags.flatMap(({ field, attribute }) =>
      options[attribute] === undefined ? [] : [[field.name, options[attribute]]],
    ),
  );

async function paramsOf(session: Session, { params, spec }: OperationShape, given: readonly string[]) {
  const values: Record<string, string> = {};
  for (const [position, name] of params.entries()) {
    const text = given[position] ?? "";
    if (text === "" || text === "." || text === "..")
      throw new UsageError(`"${text}" cannot be an argument.`);
    const id = await resolveId(session, name, text);
    const isJob = spec.jobOf !== undefined && name === `${spec.jobOf}_id`;
    if (isJob) values.job_id = `${spec.jobOf}-${id}`;
    else values[name] = id;
  }
  return values;
}

/** The body needs the agent's UUID, so a name is resolved to it. */
async function agentId({ client }: Session, given: string): Promise<string> {
  if (/^[\da-f]{8}-[\da-f-]{27}$/i.test(given)) return given;
  return (await client.getAgent({ params: { agent_id: given } })).id;
}

/**
 * Builds the body from the file, then flags, then `--set`: the later value wins. Also returns the assignments of fields
 * that only `--set` has.
 */
async function bodyOf(
  io: Io,
  { endpoint, spec, params, body: flags, askedBy }: OperationShape,
  given: readonly string[],
  options: OperationOptions,
): Promise<{ readonly body: unknown; readonly assignments: readonly Assignment[] }> {
  if (endpoint.body === undefined) return { body: undefined, assignments: [] };
  const { assign, readAssignment, readDocument, readInput } = await import("../input/document.ts");
  if (endpoint.body === "bytes") return { body: await readInput(io, options.file ?? "-"), assignments: [] };
  const positional = (spec.positional ?? []).map((name, at) => [name, given[params.length + at]]);
  const changes = { ...Object.fromEntries(positional), ...valuesOf(flags, options) };
  const document = options.file === undefined ? {} : await readDocument(io, options.file);
  if (!isObject(document))
    throw new UsageError(`${options.file} must contain an object: fields and their values.`);
  const body: Record<string, unknown> = { ...document, ...changes, ...spec.values };
  const assignments = (options.set ?? []).map(readAssignment);
  const ownAssignments = assignments.filter(({ path: [key = ""] }) => !Object.hasOwn(body, key));
  const known = fieldsOf(endpoint.body).map(({ name }) => name);
  for (const { path, value } of assignments) {
    const [field = ""] = path;
    // The server ignores unknown fields, so the change would silently be lost.
    if (known.length > 0 && !known.includes(field)) {
      throw new UsageError(
        `--set ${field}: there is no such field.${suggestion(field, known)} Fields: ${known.join(", ")}.`,
      );
    }
    if (path.length === 1 && path[0] === spec.secret) {
      throw new UsageError(
        `Other users can see command lines. Leave out --set ${spec.secret}=…: you are asked for it.`,
      );
    }
    assign(body, path, value);
  }
  for (const name of askedBy) body[name] ??= userName();
  if (spec.secret && body[spec.secret] === undefined && (await isAsked(spec.secret, endpoint, options))) {
    const { secretRules } = await import("../input/secret-rules.ts");
    if (io.stdin.isTTY) note(io, secretRules(spec.secret, endpoint));
    body[spec.secret] = await askSecret(io, spec.secret);
  }
  if (!options.unchecked) {
    const { refuseMistakes } = await import("./refused-body.ts");
    refuseMistakes(spec.operation, endpoint, body);
    if (spec.operation === "createConnector") {
      const { connectorFindings } = await import("../project/checks/connector-check.ts");
      for (const { message } of connectorFindings({ definition: body })) note(io, oneLine(message));
    }
  }
  const isAbsent = endpoint.bodyOptional && Object.keys(body).length === 0;
  return { body: isAbsent ? undefined : body, assignments: ownAssignments };
}

async function isAsked(secret: string, { body }: OperationShape["endpoint"], options: OperationOptions) {
  const { fieldsOf, flagOf } = await import("../input/fields.ts");
  const attribute = flagOf(`ask-${secret}`).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const isRequired =
    body && body !== "bytes" && fieldsOf(body).some(({ name, required }) => name === secret && required);
  return isRequired === true || options[attribute] === true;
}

async function writeBytes(io: Io, bytes: Uint8Array, to: string | undefined): Promise<void> {
  if (to !== undefined) return writeFile(to, bytes);
  const isText = !/[^\P{C}\n\r\t]/u.test(Buffer.from(bytes).toString("utf8"));
  if (io.stdout.isTTY && !isText)
    throw new UsageError("The file is not text. Write it to a file: --to <path>");
  await write(io.stdout, bytes);
}
