/** Every setting, once: its name, its default and what it means. docs/settings.md is printed from here. */

interface Setting<T> {
  readonly meaning: string;
  readonly shown: string;
  read(text: string | undefined): T;
}

const text = (shown: string, meaning: string): Setting<string> => ({
  meaning,
  shown,
  read: (value) => value ?? shown,
});
const maybe = (meaning: string): Setting<string | undefined> => ({
  meaning,
  shown: "unset",
  read: (value) => value,
});
const oneOf = <const T extends string>(values: readonly T[], shown: T, meaning: string): Setting<T> => ({
  meaning: `${meaning} One of: ${values.map((value) => `\`${value}\``).join(", ")}.`,
  shown,
  read(value) {
    if (value === undefined) return shown;
    const known = values.find((one) => one === value);
    if (known === undefined) throw new Error(`must be one of ${values.join(", ")}`);
    return known;
  },
});
const whole = (shown: number, least: number, meaning: string, most = 2 ** 31 - 1): Setting<number> => ({
  meaning,
  shown: String(shown),
  read(value) {
    if (value === undefined) return shown;
    if (!/^\d+$/.test(value) || Number(value) < least || Number(value) > most) {
      throw new Error(`must be a whole number from ${least} to ${most}`);
    }
    return Number(value);
  },
});
const names = (meaning: string): Setting<readonly string[]> => ({
  meaning,
  shown: "none",
  read: (value) => (value ?? "").split(",").flatMap((name) => name.trim() || []),
});

export const settingTable = {
  HOST: text("127.0.0.1", "The address to listen on."),
  PORT: whole(8000, 0, "The port to listen on; 0 takes any free one."),
  PLATFORM_DATA_DIR: text("data", "The folder for everything that Lakehelm keeps on this machine."),
  DATABASE_URL: maybe("A `postgres://` address for the control state. Unset: SQLite in the data folder."),
  PLATFORM_ENV: oneOf(
    ["development", "production"],
    "development",
    "In production the docs pages need a token, logs are JSON, and a start without any credential is refused.",
  ),
  PLATFORM_DEFAULT_ENVIRONMENT: text("local", "The environment of requests without `X-Environment-Id`."),
  PLATFORM_DEFAULT_PLATFORM: text("embedded", "The platform of environments that name none."),
  PLATFORM_SERVICE_AUTH_TOKEN: maybe("The static service token: identity `internal-service`, role admin."),
  PLATFORM_SERVICE_AUTH_TOKEN_PREVIOUS: maybe("The former service token, still accepted during a rotation."),
  PLATFORM_CLIENT_ID: maybe("The client that may exchange its secret for a JWT."),
  PLATFORM_CLIENT_SECRET: maybe("The secret of that client."),
  PLATFORM_WORKSPACE_URL: maybe(
    "A Databricks workspace, which then decides who its users are. Unset: the embedded workspace.",
  ),
  PLATFORM_WORKSPACE_TIMEOUT_MS: whole(5000, 1, "How long one current-user lookup may take."),
  PLATFORM_TOKEN_TTL_SECONDS: whole(3600, 1, "How long an issued JWT is good for."),
  PLATFORM_JWT_SECRET: maybe("The HS256 key of issued JWTs. Unset: made once and kept in the store."),
  PLATFORM_SECRET_KEY: maybe(
    "What encrypts secrets and seals the event log (at least 16 characters). Unset: made once and kept in the data folder; servers that share a PostgreSQL must share it.",
  ),
  PLATFORM_ADMIN_USERS: names("Workspace users with the role admin, separated by commas."),
  PLATFORM_DEFAULT_ROLE: oneOf(["viewer", "operator"], "operator", "The role of every other user."),
  PLATFORM_RATE_LIMIT_PER_MINUTE: whole(0, 0, "Requests a minute for each identity; 0 sets no limit."),
  PLATFORM_BODY_LIMIT_BYTES: whole(1024 * 1024, 1024, "The largest request body."),
  PLATFORM_CODEGEN_BODY_LIMIT_BYTES: whole(
    16 * 1024 * 1024,
    1024,
    "The same, for code generation and files.",
  ),
  PLATFORM_CODEGEN_TIMEOUT_MS: whole(30_000, 10, "How long generating code for one request may take."),
  PLATFORM_RUNS_AT_ONCE: whole(
    4,
    1,
    "How many runs this server works on at once. Runs of automations, which mostly wait for others, do not count.",
  ),
  PLATFORM_RUN_TIMEOUT_SECONDS: whole(
    6 * 3600,
    1,
    "How long one attempt of a run may take, where its job does not say.",
  ),
  PLATFORM_RUNS_KEPT: whole(200, 1, "How many runs of a job are kept, with their logs."),
  PLATFORM_RUNS_KEPT_DAYS: whole(30, 1, "For how long at the most. The last run of a job is always kept."),
  PLATFORM_FILE_LOOK_SECONDS: whole(5, 1, "How often a job that waits for files looks for them."),
  PLATFORM_TABLE_LOOK_SECONDS: whole(
    30,
    1,
    "How often jobs that wait for tables look at them, besides being told of changes.",
  ),
  PLATFORM_REQUEST_TIMEOUT_MS: whole(60_000, 10, "How long a request may take to arrive, its body included."),
  PLATFORM_WAREHOUSE_MEMORY_MB: whole(
    128,
    64,
    "What the warehouse's DuckDB may use; what needs more is spilled to disk. The engine's process takes about 200 MB besides.",
  ),
  PLATFORM_WAREHOUSE_THREADS: whole(
    0,
    0,
    "How many threads it works with; 0: as many as the machine has cores.",
  ),
  PLATFORM_QUERY_TIMEOUT_SECONDS: whole(30, 1, "How long a query of a caller may take at the most."),
  PLATFORM_CONNECTOR_FOLDERS: names(
    "The folders of this machine where connectors may read and write files, separated by commas. None: anywhere but in the data folder, as far as the server's user may.",
  ),
  APPS_PORT: whole(
    8001,
    0,
    "The port where apps are served to browsers: another origin than the API. 0 takes any free one.",
  ),
  PLATFORM_APPS_URL: maybe(
    "Where browsers reach that port, such as `https://apps.example.com` (no path), where something stands in front of it; with a domain, its scheme and port are those of the subdomains. Unset: its own address.",
  ),
  PLATFORM_APPS_DOMAIN: maybe(
    "A domain whose subdomains all lead to that port: each app is then served at one of its own, `<app>.<domain>`, and no app shares its origin with another. Unset: apps are told apart by their paths.",
  ),
  PLATFORM_PROCESS_MEMORY_MB: whole(
    512,
    16,
    "What the process of an agent or app may use, those that it starts included, where its `app.yaml` does not say; above it, it is ended and started again.",
  ),
  PLATFORM_PROCESS_START_SECONDS: whole(
    60,
    1,
    "How long the process of an agent or app may take until it answers.",
  ),
  PLATFORM_PRIVATE_ADDRESSES: names(
    "What may be called in private networks by `http` tasks, chat channels and webhooks: networks such as `10.0.0.0/8`, or names of hosts, separated by commas; `*` allows all. Requests to any other private address are refused.",
  ),
  PLATFORM_MAIL_WEBHOOK_URL: maybe(
    "Who sends mails: gets a POST with `to`, `subject` and `text` for notifications to mail addresses. Unset: none are sent.",
  ),
  PLATFORM_CHAT_ATTEMPTS: whole(
    8,
    1,
    "How often a message to a channel is tried, with growing pauses, until it is put aside as undeliverable.",
  ),
  PLATFORM_LEASE_SECONDS: whole(
    15,
    3,
    "After how long of silence another server on the same PostgreSQL takes over the data folder.",
  ),
  PLATFORM_ADVERTISED_URL: maybe(
    "Where other servers on the same PostgreSQL reach this one, for what needs the data folder it holds. Unset: its own address.",
  ),
  PLATFORM_LOG_LEVEL: oneOf(
    ["debug", "info", "warn", "error", "silent"],
    "info",
    "How much is logged: `debug` has a line for every request, `info` for every refused one.",
  ),
} as const;

export type Settings = {
  readonly [Name in keyof typeof settingTable]: ReturnType<(typeof settingTable)[Name]["read"]>;
};

/** Reads all settings; every wrong one is named at once. An empty value counts as unset. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const problems: string[] = [];
  const entries = Object.entries(settingTable).map(([name, setting]) => {
    try {
      return [name, setting.read(environment[name] || undefined)];
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}`);
      return [name, undefined];
    }
  });
  const settings = Object.fromEntries(entries) as Settings;
  if (settings.PLATFORM_SECRET_KEY !== undefined && settings.PLATFORM_SECRET_KEY.length < 16) {
    problems.push("PLATFORM_SECRET_KEY must have at least 16 characters");
  }
  if (settings.PLATFORM_WORKSPACE_URL !== undefined && !URL.canParse(settings.PLATFORM_WORKSPACE_URL)) {
    problems.push("PLATFORM_WORKSPACE_URL must be an address such as https://my.workspace");
  }
  if (settings.PLATFORM_MAIL_WEBHOOK_URL !== undefined && !URL.canParse(settings.PLATFORM_MAIL_WEBHOOK_URL)) {
    problems.push("PLATFORM_MAIL_WEBHOOK_URL must be an address such as https://mail.example.com/send");
  }
  if (settings.PLATFORM_APPS_URL !== undefined && !isOrigin(settings.PLATFORM_APPS_URL)) {
    problems.push("PLATFORM_APPS_URL must be an address without a path, such as https://apps.example.com");
  }
  if (settings.PLATFORM_APPS_DOMAIN !== undefined && !isDomain(settings.PLATFORM_APPS_DOMAIN)) {
    problems.push("PLATFORM_APPS_DOMAIN must be the name of a domain, such as apps.example.com");
  }
  if (problems.length > 0) throw new Error(`Settings: ${problems.join("; ")}.`);
  return settings;
}

const isOrigin = (text: string): boolean => /^https?:\/\/[^/?#@]+\/?$/i.test(text) && URL.canParse(text);

const isDomain = (text: string): boolean =>
  /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i.test(text);
