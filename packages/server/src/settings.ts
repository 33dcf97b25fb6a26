import * as s from "@lakehelm/contract/schema";

const text = (fallback: string, description: string) => s.string().default(fallback).describe(description);

const optionalText = (description: string) => s.string().optional().describe(description);

/** A text that is valid if the check holds. */
const checkedText = (isValid: (value: string) => boolean, requirement: string, description: string) =>
  s
    .string()
    .refine((value) => (isValid(value) ? undefined : `must ${requirement}`))
    .optional()
    .describe(description);

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

const names = (description: string) =>
  s
    .string()
    .transform((value): readonly string[] => value.split(",").flatMap((name) => name.trim() || []))
    .default([])
    .describe(description);

const isOrigin = (value: string) => /^https?:\/\/[^/?#@]+\/?$/i.test(value) && URL.canParse(value);

const isDomain = (value: string) =>
  /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i.test(value);

/** Every setting with its default and its description. docs/settings.md is generated from here. */
export const settingsSchema = s.object({
  HOST: text("127.0.0.1", "The address to listen on."),
  PORT: integer(8000, 0, "The port to listen on. 0: any free port."),
  PLATFORM_DATA_DIR: text("data", "The folder for everything that Lakehelm stores on this machine."),
  DATABASE_URL: optionalText("A `postgres://` URL for the control state. Unset: SQLite in the data folder."),
  PLATFORM_ENV: oneOf(
    ["development", "production"],
    "development",
    "In production the docs pages require a token, logs are JSON, and the server does not start without a credential.",
  ),
  PLATFORM_DEFAULT_ENVIRONMENT: text("local", "The environment of requests without `X-Environment-Id`."),
  PLATFORM_DEFAULT_PLATFORM: text("embedded", "The platform of environments that specify none."),
  PLATFORM_SERVICE_AUTH_TOKEN: optionalText(
    "The static service token: identity `internal-service`, role admin.",
  ),
  PLATFORM_SERVICE_AUTH_TOKEN_PREVIOUS: optionalText(
    "The previous service token, still accepted during a rotation.",
  ),
  PLATFORM_CLIENT_ID: optionalText("The client that may exchange its secret for a JWT."),
  PLATFORM_CLIENT_SECRET: optionalText("The secret of that client."),
  PLATFORM_WORKSPACE_URL: url(
    "https://my.workspace",
    "The URL of a Databricks workspace, which then manages the users. Unset: the embedded workspace.",
  ),
  PLATFORM_WORKSPACE_TIMEOUT_MS: integer(5000, 1, "Time limit of one current-user lookup."),
  PLATFORM_TOKEN_TTL_SECONDS: integer(3600, 1, "How long an issued JWT is valid."),
  PLATFORM_JWT_SECRET: optionalText(
    "The HS256 key of issued JWTs. Unset: generated once and kept in the store.",
  ),
  PLATFORM_SECRET_KEY: checkedText(
    (value) => value.length >= 16,
    "have at least 16 characters",
    "Encrypts secrets and seals the event log (at least 16 characters). Unset: generated once and kept in the data folder. Servers that share a PostgreSQL must share it.",
  ),
  PLATFORM_ADMIN_USERS: names("Workspace users with the role admin, separated by commas."),
  PLATFORM_DEFAULT_ROLE: oneOf(["viewer", "operator"], "operator", "The role of all other users."),
  PLATFORM_RATE_LIMIT_PER_MINUTE: integer(0, 0, "Requests per minute for each identity. 0: no limit."),
  PLATFORM_BODY_LIMIT_BYTES: integer(1024 * 1024, 1024, "Maximum size of a request body."),
  PLATFORM_CODEGEN_BODY_LIMIT_BYTES: integer(
    16 * 1024 * 1024,
    1024,
    "Maximum size of a request body of code generation and of a file.",
  ),
  PLATFORM_CODEGEN_TIMEOUT_MS: integer(30_000, 10, "Time limit of code generation for one request."),
  PLATFORM_RUNS_AT_ONCE: integer(
    4,
    1,
    "Maximum number of concurrent runs on this server. Runs of automations do not count, because they mostly wait for other runs.",
  ),
  PLATFORM_RUN_TIMEOUT_SECONDS: integer(
    6 * 3600,
    1,
    "Time limit of one attempt of a run, if its job does not set one.",
  ),
  PLATFORM_RUNS_KEPT: integer(200, 1, "Number of runs to keep for each job, with their logs."),
  PLATFORM_RUNS_KEPT_DAYS: integer(
    30,
    1,
    "Maximum age of a run in days. The last run of a job is always kept.",
  ),
  PLATFORM_FILE_LOOK_SECONDS: integer(5, 1, "How often jobs with a file arrival trigger look for files."),
  PLATFORM_TABLE_LOOK_SECONDS: integer(
    30,
    1,
    "How often jobs with a table update trigger look for changes, in addition to notifications.",
  ),
  PLATFORM_REQUEST_TIMEOUT_MS: integer(60_000, 10, "Time limit to receive a request, including its body."),
  PLATFORM_WAREHOUSE_MEMORY_MB: integer(
    128,
    64,
    "Memory limit of the warehouse's DuckDB. Larger operations spill to disk. The engine process needs about 200 MB more.",
  ),
  PLATFORM_WAREHOUSE_THREADS: integer(0, 0, "Number of DuckDB threads. 0: the number of cores."),
  PLATFORM_QUERY_TIMEOUT_SECONDS: integer(30, 1, "Maximum time limit of a query."),
  PLATFORM_CONNECTOR_FOLDERS: names(
    "Folders of this machine where connectors may read and write files, separated by commas. None: every folder that the server's user can access, except the data folder.",
  ),
  APPS_PORT: integer(
    8001,
    0,
    "The port that serves apps to browsers, so that their origin differs from the API's. 0: any free port.",
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
    "Memory limit of an agent's or app's process and its child processes, if its `app.yaml` does not set one. A process above the limit is stopped and restarted.",
  ),
  PLATFORM_PROCESS_START_SECONDS: integer(
    60,
    1,
    "Time limit for an agent's or app's process to respond after it was started.",
  ),
  PLATFORM_PRIVATE_ADDRESSES: names(
    "Private addresses that `http` tasks, chat channels and webhooks may call: networks such as `10.0.0.0/8`, or host names, separated by commas. `*` allows all. Requests to any other private address are rejected.",
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
  PLATFORM_ADVERTISED_URL: optionalText(
    "The URL where other servers on the same PostgreSQL reach this one, for requests that need the data folder. Unset: its own address.",
  ),
  PLATFORM_LOG_LEVEL: oneOf(
    ["debug", "info", "warn", "error", "silent"],
    "info",
    "How much is logged: `debug` logs every request, `info` every rejected request.",
  ),
});

export type Settings = Readonly<s.Infer<typeof settingsSchema>>;

/** Reads all settings. The error lists every invalid one. An empty value counts as unset. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const values = Object.fromEntries(
    Object.keys(settingsSchema.fields).flatMap((name) => {
      const value = environment[name];
      return value ? [[name, value]] : [];
    }),
  );
  const errors: s.ValidationError[] = [];
  const settings = settingsSchema.check(values, [], errors);
  if (errors.length > 0) {
    throw new Error(`Settings: ${errors.map(({ loc, msg }) => `${loc.join(".")} ${msg}`).join("; ")}.`);
  }
  return settings;
}
