import * as s from "@lakehelm/contract/schema";
import { editDistance, suggestion, weaknessOf } from "@lakehelm/contract/text";

const text = (fallback: string, description: string) => s.string().default(fallback).describe(description);

const optionalText = (description: string) => s.string().optional().describe(description);

/** A text that is valid if the check holds. */
const checkedText = (isValid: (value: string) => boolean, requirement: string, description: string) =>
  s
    .string()
    .refine((value) => (isValid(value) ? undefined : `must ${requirement}`))
    .optional()
    .describe(description);

/** A credential that is hard to guess. */
const secretText = (least: number, description: string) =>
  s
    .string()
    .refine((value) => {
      const weakness = weaknessOf(value, least);
      return weakness && `is easy to guess: it must ${weakness}. Make one with: openssl rand -base64 32`;
    })
    .optional()
    .describe(`${description} At least ${least} characters that are hard to guess.`);

const url = (example: string, description: string) =>
  checkedText((value) => URL.canParse(value), `be a URL such as ${example}`, description);

const oneOf = <const T extends string>(values: readonly T[], fallback: NoInfer<T>, description: string) =>
  s
    .literal(...values)
    .message(`must be one of ${values.join(", ")}`)
    .default(fallback)
    .describe(`${description} One of: ${values.map((value) => `\`${value}\``).join(", ")}.`);

const integer = (fallback: number, least: number, description: string, most = 2 ** 31 - 1) =>
  s
    .integer({ mode: "digits", ge: least, le: most })
    .message(`must be an integer from ${least} to ${most}`)
    .default(fallback)
    .describe(description);

const optionalInteger = (least: number, description: string, most = 2 ** 31 - 1) =>
  s
    .integer({ mode: "digits", ge: least, le: most })
    .message(`must be an integer from ${least} to ${most}`)
    .optional()
    .describe(description);

const port = (fallback: number, description: string) => integer(fallback, 0, description, 65_535);

const names = (description: string) =>
  s
    .string()
    .transform((value): readonly string[] => value.split(",").flatMap((name) => name.trim() || []))
    .default([])
    .describe(description);

/** Two numbers such as `60578-61183`. */
function rangeIn(value: string): { readonly first: number; readonly last: number } | undefined {
  const [, first, last] = /^(\d{1,10})-(\d{1,10})$/.exec(value)?.map(Number) ?? [];
  if (first === undefined || last === undefined) return undefined;
  return first > 0 && first < last && last < 2 ** 32 - 1 ? { first, last } : undefined;
}

/** Whether it is an http or https URL without a path. */
export const isOrigin = (value: string) => /^https?:\/\/[^/?#@\s]+\/?$/i.test(value) && URL.canParse(value);

const isDomain = (value: string) =>
  /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i.test(value);

const isShare = (value: string) => /^(?:0|1|0?\.\d{1,9}|[01]\.0*)$/.test(value);

/** The headers in `name=value,name=value`; undefined if it is not such a list. */
function headersIn(list: string): Readonly<Record<string, string>> | undefined {
  const headers = list.split(",").map((header) => {
    const [, name, value = ""] = /^\s*([A-Za-z0-9_.-]+)\s*=(.*)$/.exec(header) ?? [];
    return name === undefined ? undefined : ([name, decoded(value.trim())] as const);
  });
  if (!headers.every((header) => header !== undefined)) return undefined;
  return Object.fromEntries(headers);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Every setting with its default and its description. docs/reference/settings.md is generated from here. */
export const settingsSchema = s.object({
  HOST: text("127.0.0.1", "The address to listen on."),
  PORT: port(
    8000,
    "The port to listen on. 0: any free port. If it is in use: in development the next free one, in production the server does not start.",
  ),
  PLATFORM_DATA_DIR: text("data", "The folder for everything that Lakehelm stores on this machine."),
  DATABASE_URL: checkedText(
    (value) => /^postgres(ql)?:\/\//i.test(value),
    "be a URL such as postgres://lakehelm@db.internal:5432/lakehelm",
    "A `postgres://` URL for the control state. Unset: SQLite in the data folder.",
  ),
  PLATFORM_ENV: oneOf(
    ["development", "production"],
    "development",
    "In production the docs pages require a token, logs are JSON, connectors reach only those private addresses that are listed, and the server does not start without a credential.",
  ),
  PLATFORM_PROTECTED_CHANGES: oneOf(
    ["direct", "plan"],
    "direct",
    "Whether admins may change definitions in a protected environment directly, or only by plans, as where `configuration.changes` of an environment is `plan`.",
  ),
  PLATFORM_CONSOLE: oneOf(
    ["on", "off"],
    "on",
    "Whether browsers get the console at `/console/`. Its pages have no data without a token.",
  ),
  PLATFORM_CONSOLE_LINK: oneOf(
    ["auto", "on", "off"],
    "auto",
    "Whether the server prints a link at its start that signs an admin in to the console: once, within 15 minutes. `auto`: in development only.",
  ),
  PLATFORM_PUBLIC_URL: checkedText(
    isOrigin,
    "be a URL without a path, such as https://lakehelm.example.com",
    "The URL of the server for people, such as `https://lakehelm.example.com` (no path). Messages to channels then link to the run or automation in the console. Unset: they have no link.",
  ),
  PLATFORM_DEFAULT_ENVIRONMENT: text("local", "The environment of requests without `X-Environment-Id`."),
  PLATFORM_DEFAULT_PLATFORM: text("embedded", "The platform of environments that specify none."),
  PLATFORM_SERVICE_AUTH_TOKEN: secretText(
    24,
    "The static service token: identity `internal-service`, role admin.",
  ),
  PLATFORM_SERVICE_AUTH_TOKEN_PREVIOUS: secretText(
    24,
    "The previous service token, still accepted during a rotation.",
  ),
  PLATFORM_CLIENT_ID: optionalText("The client that may exchange its secret for a JWT."),
  PLATFORM_CLIENT_SECRET: secretText(24, "The secret of that client."),
  PLATFORM_WORKSPACE_URL: url(
    "https://my.workspace",
    "The URL of a Databricks workspace, which then manages the users. Unset: the embedded workspace.",
  ),
  PLATFORM_WORKSPACE_TIMEOUT_MS: integer(5000, 1, "Time limit of one current-user lookup."),
  PLATFORM_TOKEN_TTL_SECONDS: integer(3600, 1, "How long an issued JWT is valid."),
  PLATFORM_JWT_SECRET: secretText(
    32,
    "The HS256 key of issued JWTs. Unset: generated once and kept in the store.",
  ),
  PLATFORM_SECRET_KEY: checkedText(
    (value) => value.length >= 16,
    "have at least 16 characters",
    "Encrypts secrets and seals the event log (at least 16 characters). Unset: generated once and kept in the data folder. Servers that share a PostgreSQL must share it.",
  ),
  PLATFORM_AUDIT_ANCHOR_URL: url(
    "https://audit.example.com/lakehelm",
    "Receives the position and hash of the last event as signed JSON, at most once a minute, so that a writer of the database and the data folder cannot shorten the log unnoticed. Unset: the anchor is only in the data folder.",
  ),
  PLATFORM_AUDIT_ANCHOR_METHOD: oneOf(
    ["POST", "PUT"],
    "POST",
    "How anchors are sent: POST to a webhook that collects them, or PUT to an object that GET returns. With PUT the server compares the object with the log at its start and in `GET /api/v1/events/verify`.",
  ),
  PLATFORM_AUDIT_ANCHOR_TOKEN: optionalText("The bearer token for that URL."),
  PLATFORM_ADMIN_USERS: names("Workspace users with the role admin, separated by commas."),
  PLATFORM_DEFAULT_ROLE: oneOf(
    ["none", "viewer", "operator"],
    "operator",
    "The role of all other users on the whole server. With `none` they have only the roles that they got in environments.",
  ),
  PLATFORM_RATE_LIMIT_PER_MINUTE: integer(
    30_000,
    0,
    "Requests per minute of each identity, in bursts of up to that many. 0: no limit.",
  ),
  PLATFORM_RATE_LIMIT_PER_ADDRESS: integer(
    6_000,
    0,
    "Requests per minute of each client address without a valid credential: failed authentications and credential exchanges. 0: no limit.",
  ),
  PLATFORM_TRUSTED_PROXIES: names(
    "Addresses or networks of proxies in front of the server, such as `10.0.0.0/8`, separated by commas. Behind them, the client's address is read from `X-Forwarded-For`. None: the address of the connection counts.",
  ),
  PLATFORM_CONNECTIONS: integer(4_000, 1, "Maximum number of open connections to each port."),
  PLATFORM_CONNECTIONS_PER_ADDRESS: integer(
    500,
    1,
    "Maximum number of those from one client address. Trusted proxies are exempt.",
  ),
  PLATFORM_STREAMS: integer(1_000, 1, "Maximum number of open event streams."),
  PLATFORM_STREAMS_PER_CALLER: integer(100, 1, "Maximum number of those of one caller."),
  PLATFORM_BODY_LIMIT_BYTES: integer(1024 * 1024, 1024, "Maximum size of a request body."),
  PLATFORM_CODEGEN_BODY_LIMIT_BYTES: integer(
    16 * 1024 * 1024,
    1024,
    "Maximum size of a request body of code generation and of a file.",
  ),
  PLATFORM_POLICIES_DIR: optionalText(
    "A folder with policies that every plan is checked against, besides those of its project: files as in the folder `policies` of a project. They are read at the start; one that is not valid stops it. Servers on the same PostgreSQL should have the same ones. Unset: only the policies of projects.",
  ),
  PLATFORM_PLANS_KEPT: integer(
    100,
    1,
    "Maximum number of plans of an environment: a new one removes the oldest.",
  ),
  PLATFORM_FILES_MB: integer(10_240, 1, "Maximum size of all files of an environment, in MB."),
  PLATFORM_FILES_COUNT: integer(100_000, 1, "Maximum number of files of an environment."),
  PLATFORM_ENVIRONMENTS: integer(1_000, 0, "Maximum number of environments. 0: no limit."),
  PLATFORM_RESOURCES_PER_ENVIRONMENT: integer(
    20_000,
    0,
    "Maximum number of resources of each kind in an environment: connectors, flows, pipelines, apps, chat bindings, secrets, roles. It is also the maximum of each kind that belongs to no environment: agents, automations, users, tokens. 0: no limit.",
  ),
  PLATFORM_RECORDS_PER_ENVIRONMENT: integer(
    1_000_000,
    0,
    "The same for what adds up with use: deployments, releases, attempts, versions of agents. 0: no limit.",
  ),
  PLATFORM_STORED_MB_PER_ENVIRONMENT: integer(
    4_096,
    0,
    "Maximum size of all that the control database stores for an environment: definitions, secrets, plans, the logs of deployments. It is also the maximum of what belongs to no environment. Runs and events do not count, since they have a retention. 0: no limit.",
  ),
  PLATFORM_RESOURCES_PER_CALLER: integer(
    10_000,
    0,
    "Maximum number of resources that exist because one user or client has created them, in all environments together. The service token has no such limit. 0: no limit.",
  ),
  PLATFORM_STORED_MB_PER_CALLER: integer(
    1_024,
    0,
    "Maximum size of what one user or client has stored, as for an environment. The service token has no such limit. 0: no limit.",
  ),
  PLATFORM_FILES_MB_PER_CALLER: integer(
    10_240,
    0,
    "Maximum size of all files that one user or client has written, in all environments together, in MB. The service token has no such limit. 0: no limit.",
  ),
  PLATFORM_FILES_COUNT_PER_CALLER: integer(
    100_000,
    0,
    "Maximum number of files that one user or client has written, in all environments together. 0: no limit.",
  ),
  PLATFORM_DISK_RESERVE_MB: integer(
    256,
    0,
    "Files are refused, and runs and spilling queries are stopped, while the disk of the data folder has less space than this, so that the control database can still write.",
  ),
  PLATFORM_CODEGEN_TIMEOUT_MS: integer(30_000, 10, "Time limit of code generation for one request."),
  PLATFORM_CODEGEN_MEMORY_MB: integer(512, 64, "Memory limit of the code generator's thread."),
  PLATFORM_RUNS_AT_ONCE: integer(
    4,
    1,
    "Number of concurrent runs on this server, which callers and environments share fairly. While one of them holds all, up to half as many more may start for callers without a run, and again for environments without one. Runs of automations do not count, because they mostly wait for other runs.",
  ),
  PLATFORM_RUN_TIMEOUT_SECONDS: integer(
    6 * 3600,
    1,
    "Time limit of one attempt of a run, if its job does not set one.",
  ),
  PLATFORM_RUNS_KEPT: integer(
    200,
    1,
    "Number of runs to keep for each job, with their logs. There are more until retention runs, every hour.",
  ),
  PLATFORM_RUNS_KEPT_DAYS: integer(
    30,
    1,
    "Maximum age of a run in days. The last run of a job is always kept.",
  ),
  PLATFORM_RUN_LOGS_KEPT_DAYS: integer(
    0,
    0,
    "Maximum age in days of the log of a run, counted from the end of the run. 0: as long as the run.",
  ),
  PLATFORM_EVENTS_KEPT_DAYS: optionalInteger(
    0,
    "Maximum age of an event in days: then it moves to the archive. 0: events are kept forever. Unset: 90 days, the first time with a week's notice by the event `retention.announced`; with PLATFORM_ARCHIVE=none forever.",
  ),
  PLATFORM_DEPLOYMENT_LOGS_KEPT_DAYS: integer(
    0,
    0,
    "Maximum age in days of the log of a deployment, counted from its end. 0: forever. The deployment itself is kept.",
  ),
  PLATFORM_ARCHIVE: oneOf(
    ["files", "none"],
    "files",
    "What happens to runs, logs and events that are no longer kept: `files` writes them to the archive folder before they are removed, `none` only removes them.",
  ),
  PLATFORM_ARCHIVE_DIR: optionalText(
    "The folder of the archive, not below a folder that connectors may use. Servers on the same PostgreSQL must share it. Unset: `archive` in the data folder, which connectors cannot reach.",
  ),
  PLATFORM_BACKUP_DIR: optionalText(
    "The folder of backups, not below a folder that connectors may use, and best on another disk. Servers on the same PostgreSQL must share it. Unset: `backups` in the data folder, which connectors cannot reach.",
  ),
  PLATFORM_BACKUP_PUBLIC_KEY: optionalText(
    "The X25519 public key that backups are encrypted for: PEM, or its base64 in one line. Only its private key opens them. Unset: they are not encrypted.",
  ),
  PLATFORM_BACKUPS_KEPT: integer(
    7,
    0,
    "Number of backups to keep: a new one removes the oldest beyond that. 0: all.",
  ),
  PLATFORM_PROCESS_LOG_ARCHIVE_MB: integer(
    256,
    0,
    "How much output of one app or agent the archive holds, in MB. What its log no longer keeps beyond that is removed without an archive, which is logged and counted. 0: none is archived.",
  ),
  PLATFORM_FILE_LOOK_SECONDS: integer(5, 1, "How often jobs with a file arrival trigger look for files."),
  PLATFORM_TABLE_LOOK_SECONDS: integer(
    30,
    1,
    "How often jobs with a table update trigger look for changes, in addition to notifications.",
  ),
  PLATFORM_REQUEST_TIMEOUT_MS: integer(60_000, 10, "Time limit to receive a request, including its body."),
  PLATFORM_WAREHOUSE_MEMORY_MB: optionalInteger(
    64,
    "Memory limit of a warehouse's DuckDB. Larger operations spill to disk. A run that reads or writes files has a second DuckDB with half of it, and the engine process needs about 450 MB more. Unset: three eighths of PLATFORM_ENGINE_MEMORY_MB if that is set, otherwise an eighth of the machine's or container's memory, from 128 MB to 2 GB. The server states it when it starts.",
  ),
  PLATFORM_WAREHOUSE_THREADS: integer(
    0,
    0,
    "Number of DuckDB threads. 0: the number of cores, but one for each 64 MB of the memory limit at most.",
  ),
  PLATFORM_WAREHOUSE_SPILL_MB: integer(
    8192,
    16,
    "Maximum size of the temporary files of a warehouse, for operations that need more memory than they may use. Less, if the disk has less beside PLATFORM_DISK_RESERVE_MB.",
  ),
  PLATFORM_WAREHOUSE_SPILL_DIR: optionalText(
    "The folder for these temporary files, for example on another disk. Unset: beside the tables, in the data folder.",
  ),
  PLATFORM_ENGINE_MEMORY_MB: optionalInteger(
    768,
    "Memory limit of the engine process, at least 512 MB more than that of DuckDB. To give the engine 1 GB in all, set only this one. A statement that needs more fails; a process that still exceeds the limit, by 32 MB, is ended and restarted. Unset: 2048, or three times the memory limit of DuckDB and 768 MB if that is more.",
  ),
  PLATFORM_QUERY_TIMEOUT_SECONDS: integer(
    30,
    1,
    "Maximum time limit of a query. `timeout_seconds` of a request can only be less.",
  ),
  PLATFORM_QUERY_ROWS: integer(10_000, 1, "Maximum number of rows in one answer of a query.", 10_000),
  PLATFORM_QUERY_VALUE_BYTES: integer(
    8 * 1024 * 1024,
    1024,
    "Maximum size of one value in a result. A query that returns a larger one fails.",
  ),
  PLATFORM_QUERY_ANSWER_BYTES: integer(
    16 * 1024 * 1024,
    16 * 1024,
    "Maximum size of the rows in one answer of a query. A page that would be larger has fewer rows.",
    256 * 1024 * 1024,
  ),
  PLATFORM_QUERIES_AT_ONCE: integer(
    8,
    1,
    "Maximum number of concurrent queries, previews and checks on this server. Others wait.",
  ),
  PLATFORM_QUERIES_PER_CALLER: integer(
    3,
    1,
    "Maximum number of these for each identity. A caller who has more waiting than 32 gets 429.",
  ),
  PLATFORM_PREVIEW_TIMEOUT_SECONDS: integer(
    300,
    1,
    "Time limit of a preview or check of a connector, and of the plan of a pipeline or script.",
  ),
  PLATFORM_CONNECTOR_FOLDERS: names(
    "Folders of this machine where connectors may read and write files, separated by commas. Everything below them is included. None: one folder for exchange beside the data folder, `<data folder>-exchange`.",
  ),
  APPS_PORT: port(
    8001,
    "The port that serves apps to browsers, so that their origin differs from the API's. 0, and if it is in use: as for `PORT`.",
  ),
  PLATFORM_APPS_URL: checkedText(
    isOrigin,
    "be a URL without a path, such as https://apps.example.com",
    "The URL of that port for browsers if there is a proxy in front of it, such as `https://apps.example.com` (no path). With a domain, its scheme and port are those of the subdomains. Unset: the port's own address.",
  ),
  PLATFORM_APPS_DOMAIN: checkedText(
    isDomain,
    "be the name of a domain, such as apps.example.com",
    "A domain whose subdomains all lead to that port. Each app then has its own subdomain, `<app>.<domain>`, and no app shares its origin with another. Unset: apps differ by path.",
  ),
  PLATFORM_PROCESS_MEMORY_MB: integer(
    512,
    16,
    "Memory limit of an agent's or app's process and its child processes, if its `app.yaml` does not set one. A process above the limit is stopped and restarted. It is also the limit of a `python` or `shell` task, which then fails.",
  ),
  PLATFORM_PROGRAMS: oneOf(
    ["confined", "unconfined"],
    "confined",
    "How programs of callers run: agents, apps, `python` and `shell` tasks, Python libraries of pipelines on Spark. `confined`: in a sandbox, as another user, or both, whatever this machine allows ([which](../explanation/security.md#programs-of-callers)). Where none is possible, they are off in production, and in development they run as with `unconfined`: as the user of the server, with everything it can read. Then only an admin of the whole server may register their code.",
  ),
  PLATFORM_PROGRAMS_USERS: s
    .string()
    .refine((value) =>
      rangeIn(value)
        ? undefined
        : "must be two numbers of users with a hyphen between them, such as 60578-61183",
    )
    .transform((value) => rangeIn(value) ?? { first: 0, last: 0 })
    .default({ first: 60_578, last: 61_183 })
    .describe(
      "The numbers of the users that programs of callers run as if the server is root, as `first-last`: each program has one of its own, and the first is the group of all. Nobody else may have them; the default, `60578-61183`, is free on systems with systemd.",
    ),
  PLATFORM_PROGRAMS_FOLDERS: names(
    "Folders that confined programs of callers see besides those of the system, separated by commas, such as `/opt/dbt,/srv/out:rw`. With `:rw` they may also write there, as far as their user may. A part that belongs to the server stays hidden.",
  ).refine((entries) =>
    entries.every((entry) => entry.startsWith("/") && entry.replace(/:rw$/, "").replace(/\/+$/, "") !== "")
      ? undefined
      : "must have absolute paths, such as /opt/dbt, and not the root folder",
  ),
  PLATFORM_TASKS_NETWORK: oneOf(
    ["on", "off"],
    "on",
    "Whether `python` and `shell` tasks have a network. `off` needs a sandbox of namespaces or bubblewrap, and refuses tasks without one. Agents, apps and Python libraries of pipelines always have one, since they are called or call the cluster.",
  ),
  PLATFORM_PROCESS_TASKS: s
    .literal("on", "off")
    .message("must be on or off")
    .optional()
    .describe(
      "Whether admins may use `python` and `shell` tasks in automations. They run programs on the machine of the server. Unset: `on` in development, `off` in production.",
    ),
  PLATFORM_PYTHON: text("python3", "The program that runs the scripts of `python` tasks."),
  PLATFORM_SPARK_PYTHON: s
    .string()
    .transform((value): readonly string[] => value.split(":").flatMap((path) => path.trim() || []))
    .refine((paths) =>
      paths.every((path) => path.startsWith("/"))
        ? undefined
        : "must be an absolute path, such as /opt/spark-client/bin/python, or several separated by colons",
    )
    .default([])
    .describe(
      "A Python with `pyspark-client` and `PyYAML`, which runs Python libraries of pipelines in environments on Spark, as the user of the server: whoever may write files and pipelines there then runs programs here. Several are separated by colons: `configuration.python` of an environment names one of them, the first is used by the others. Unset: such pipelines are refused.",
    ),
  PLATFORM_PROCESS_START_SECONDS: integer(
    60,
    1,
    "Time limit for an agent's or app's process to respond after it was started.",
  ),
  PLATFORM_PRIVATE_ADDRESSES: names(
    "Private and loopback addresses that may be connected to on a caller's word: networks such as `10.0.0.0/8`, addresses, or host names, separated by commas. `*` allows all. It applies to connectors in production, and to `http` tasks, chat channels and webhooks always. In development, connectors reach every private address. Link-local and metadata addresses and the server's own ports are never allowed.",
  ),
  PLATFORM_MAIL_WEBHOOK_URL: url(
    "https://mail.example.com/send",
    "Sends emails: receives a POST with `to`, `subject` and `text` for each notification to an email address. Unset: no emails are sent.",
  ),
  PLATFORM_CHAT_ATTEMPTS: integer(
    8,
    1,
    "Number of attempts to deliver a message to a channel, with backoff, before it is dead.",
  ),
  PLATFORM_LEASE_SECONDS: integer(
    15,
    3,
    "Time without a heartbeat after which another server on the same PostgreSQL takes over the data folder.",
  ),
  PLATFORM_ADVERTISED_URL: checkedText(
    isOrigin,
    "be a URL without a path, such as https://lakehelm-1.example.com",
    "The URL where other servers on the same PostgreSQL reach this one, for requests that need the data folder. Unset: its own address.",
  ),
  OPENLINEAGE_URL: url(
    "https://lineage.internal:5000",
    "Receives an OpenLineage event for each start and end of a run, at `/api/v1/lineage`. Unset: none are sent.",
  ),
  OPENLINEAGE_API_KEY: optionalText("The bearer token for that URL."),
  OPENLINEAGE_NAMESPACE: text("lakehelm", "The namespace of jobs in these events."),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(
    "http://collector.internal:4318",
    "An OpenTelemetry collector that receives traces of requests and runs (OTLP over HTTP, JSON, at `/v1/traces`). Unset: none are made.",
  ),
  OTEL_EXPORTER_OTLP_HEADERS: s
    .string()
    .refine((value) => (headersIn(value) ? undefined : "must be a list such as api-key=secret,team=data"))
    .transform((value) => headersIn(value) ?? {})
    .default({})
    .describe(
      "Headers for the collector, such as `api-key=…`, separated by commas. Values may be percent-encoded.",
    ),
  OTEL_SERVICE_NAME: text("lakehelm", "The name of this server in traces."),
  OTEL_TRACES_SAMPLER_ARG: s
    .string()
    .refine((value) => (isShare(value) ? undefined : "must be a number from 0 to 1"))
    .transform(Number)
    .default(1)
    .describe("The share of traces that are collected. A request with `traceparent` follows its caller."),
  PLATFORM_LOG_LEVEL: oneOf(
    ["debug", "info", "warn", "error", "silent"],
    "info",
    "How much is logged: `debug` logs every request, `info` every rejected request.",
  ),
});

type SettingValues = Readonly<s.Infer<typeof settingsSchema>>;

/** A file or folder, and the setting that names it. */
export interface SettingPath {
  readonly setting: string;
  readonly path: string;
  /** A single word, such as the name of an environment, may be the name of a file by chance. */
  readonly isWord?: boolean;
}

export type Settings = SettingValues & {
  /** The names that had a value, also if it is the default. */
  readonly givenNames: ReadonlySet<string>;
  /** The files that gave credentials: their contents are settings, and their names are in no setting. */
  readonly credentialFiles: readonly SettingPath[];
};

/** The settings that name a folder of the server. No other setting ends in `_DIR`. */
export type FolderSetting = Extract<keyof Settings, `${string}_DIR`>;
export const folderSettings = Object.keys(settingsSchema.fields).filter((name): name is FolderSetting =>
  name.endsWith("_DIR"),
);

/** Reads all settings. The error lists every invalid or misspelled one. An empty value counts as unset. */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  credentialFiles: readonly SettingPath[] = [],
): Settings {
  const values = Object.fromEntries(
    Object.keys(settingsSchema.fields).flatMap((name) => {
      const value = environment[name];
      return value ? [[name, value]] : [];
    }),
  );
  const errors: s.ValidationError[] = [];
  const settings = settingsSchema.check(values, [], errors);
  const invalid = errors.map(({ loc, msg }) => `${loc.join(".")} ${msg}.`);
  const problems = [...invalid, ...misspelled(environment)];
  if (invalid.length === 0) problems.push(...contradictions(settings, values));
  if (problems.length > 0) throw new Error(`Lakehelm did not start. ${problems.join(" ")}`);
  return { ...settings, givenNames: new Set(Object.keys(values)), credentialFiles };
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1|\[::1\])$/i.test(host);

/** Memory that the engine needs in addition to DuckDB's. */
export const besideWarehouseMb = 512;

/** Settings that do not go together. */
function contradictions(settings: SettingValues, values: Readonly<Record<string, string>>): string[] {
  const { HOST, PLATFORM_WAREHOUSE_MEMORY_MB: warehouseMb, PLATFORM_ENGINE_MEMORY_MB: engineMb } = settings;
  const found: string[] = [];
  if (values.PLATFORM_ENV === undefined && !isLoopback(HOST))
    found.push(
      `HOST ${HOST} can be reached from other machines, and development has no protection for that. Set PLATFORM_ENV=production, or PLATFORM_ENV=development if you want this.`,
    );
  if (warehouseMb !== undefined && engineMb !== undefined && engineMb < warehouseMb + besideWarehouseMb)
    found.push(
      `PLATFORM_ENGINE_MEMORY_MB must be at least ${besideWarehouseMb} more than PLATFORM_WAREHOUSE_MEMORY_MB: ${warehouseMb + besideWarehouseMb}, not ${engineMb}.`,
    );
  return found;
}

const prefix = "PLATFORM_";

/**
 * A misspelled setting would be ignored, and its limit or role would not apply. Variables of other programs may have
 * our prefix.
 */
function misspelled(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known = Object.keys(settingsSchema.fields).flatMap((name) =>
    name.startsWith(prefix) ? name.slice(prefix.length) : [],
  );
  return Object.keys(environment).flatMap((name) => {
    const [start = "", ...words] = name.split("_");
    const rest = words.join("_").replace(/_FILE$/, "");
    if (!environment[name]) return [];
    const isClose = start !== "PLATFORM" && editDistance(start.toUpperCase(), "PLATFORM") <= 2;
    if (isClose && known.includes(rest)) return [`${name} is not a setting. Did you mean ${prefix}${rest}?`];
    if (!name.startsWith(prefix) || known.includes(rest)) return [];
    const close = suggestion(rest, known).replace("mean ", `mean ${prefix}`);
    return close ? [`${name} is not a setting.${close}`] : [];
  });
}
