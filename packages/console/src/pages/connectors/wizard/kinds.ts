/** A field of the connection form. Its name is its place in `connection.config`, or of an export in `target_config`. */
export interface ConnectionField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly isSecret?: true;
  readonly isRequired?: true;
  readonly isNumber?: true;
  /** The first one is meant if nothing is chosen. */
  readonly options?: readonly { readonly value: string; readonly text: string }[];
  /** Only if another field has one of these values. */
  readonly when?: { readonly field: string; readonly is: readonly string[] };
}

export interface ConnectorKind {
  /** In the address. */
  readonly id: string;
  readonly type: string;
  readonly direction: "import" | "export";
  readonly title: string;
  readonly about: string;
  readonly fields: readonly ConnectionField[];
  /** Settings that only the YAML view has. */
  readonly more: readonly string[];
}

const choices = (...values: readonly string[]) => values.map((value) => ({ value, text: value }));

const server = (port: string): readonly ConnectionField[] => [
  { name: "host", label: "Host", isRequired: true },
  { name: "port", label: "Port", hint: `Default: ${port}`, isNumber: true },
  { name: "database", label: "Database", isRequired: true },
  { name: "user", label: "User" },
  {
    name: "password",
    label: "Password",
    hint: "Stored encrypted. Or a reference to a secret: {{secrets/scope/key}}",
    isSecret: true,
  },
];
const file: readonly ConnectionField[] = [
  { name: "path", label: "Path", hint: "Absolute, in a folder that the server may use", isRequired: true },
];

const header: ConnectionField = {
  name: "headers.Authorization",
  label: "Authorization header",
  hint: "Such as: Bearer {{secrets/shop/api-token}}. Stored encrypted.",
  isSecret: true,
};
const folder: ConnectionField = {
  name: "path",
  label: "Folder",
  hint: "An absolute path that the server may use, or s3://bucket/prefix",
  isRequired: true,
};
const storage = ["region", "endpoint", "path_style", "access_key_id", "secret_access_key", "session_token"];
const databases = [
  {
    type: "postgresql",
    title: "PostgreSQL",
    fields: server("5432"),
    more: ["schema", "options", "capture", "warn_log_mb", "replication_slot", "publication"],
  },
  { type: "mysql", title: "MySQL, MariaDB", fields: server("3306"), more: ["schema", "options"] },
];
const files = [
  { type: "sqlite", title: "SQLite", fields: file, more: [] },
  { type: "duckdb", title: "DuckDB", fields: file, more: [] },
];

const oauth = { field: "auth.type", is: ["client_credentials"] };
const paged = (...types: readonly string[]) => ({ field: "paging.type", is: types });
const rest: readonly ConnectionField[] = [
  { name: "url", label: "URL", hint: "Such as https://api.example.com/v1", isRequired: true },
  {
    name: "auth.type",
    label: "Sign-in",
    options: [
      { value: "none", text: "None, or a header" },
      { value: "client_credentials", text: "OAuth client credentials" },
    ],
  },
  { ...header, when: { field: "auth.type", is: ["none"] } },
  {
    name: "auth.token_url",
    label: "Token URL",
    hint: "Such as https://login.example.com/oauth/token",
    isRequired: true,
    when: oauth,
  },
  { name: "auth.client_id", label: "Client id", isRequired: true, when: oauth },
  {
    name: "auth.client_secret",
    label: "Client secret",
    hint: "Stored encrypted. Or a reference to a secret: {{secrets/scope/key}}",
    isSecret: true,
    isRequired: true,
    when: oauth,
  },
  { name: "auth.scope", label: "Scope", hint: "If the token needs one, such as orders:read", when: oauth },
  { name: "auth.audience", label: "Audience", hint: "If the token needs one", when: oauth },
  {
    name: "auth.client_authentication",
    label: "Client id and secret are sent",
    options: [
      { value: "basic", text: "in the Authorization header" },
      { value: "body", text: "in the body" },
    ],
    when: oauth,
  },
  {
    name: "records_path",
    label: "Place of the records",
    hint: "In the answer, such as data or result.items. Empty: the whole answer",
  },
  {
    name: "paging.type",
    label: "Pages",
    options: [
      { value: "none", text: "One answer has all records" },
      { value: "page", text: "By number" },
      { value: "offset", text: "By offset" },
      { value: "cursor", text: "By a cursor in the answer" },
      { value: "link", text: "By a link to the next page" },
    ],
  },
  {
    name: "paging.next_path",
    label: "Place of the next cursor",
    hint: "In the answer, such as meta.next_cursor. Without one, the page is the last",
    isRequired: true,
    when: paged("cursor"),
  },
  {
    name: "paging.next_path",
    label: "Place of the link",
    hint: "In the answer, such as links.next. Empty: in the Link header",
    when: paged("link"),
  },
  {
    name: "paging.parameter",
    label: "Parameter for the page",
    hint: "Default: page, offset or cursor",
    when: paged("page", "offset", "cursor"),
  },
  {
    name: "page_size",
    label: "Records of a page",
    hint: "Sent as the parameter limit, or as the next field says",
    isNumber: true,
  },
  {
    name: "paging.size_parameter",
    label: "Parameter for the records of a page",
    hint: "Default: limit",
    when: paged("page", "offset", "cursor", "link"),
  },
  {
    name: "watermark_param",
    label: "Parameter for the watermark",
    hint: "Such as updated_since: the API returns records from its value on",
  },
];

const imports: readonly Omit<ConnectorKind, "id" | "direction">[] = [
  ...databases.map((one) => ({ ...one, about: "Tables and views of a database" })),
  {
    type: "files",
    title: "Files",
    about: "CSV, JSON and Parquet, in a folder or in object storage",
    fields: [
      folder,
      { name: "format", label: "Format", isRequired: true, options: choices("csv", "json", "parquet") },
    ],
    more: ["columns", "options", ...storage],
  },
  ...files.map((one) => ({ ...one, about: "Tables of a database file" })),
  {
    type: "rest",
    title: "REST API",
    about: "Lists of JSON records of an HTTP API",
    fields: rest,
    more: [
      "headers",
      "timeout",
      "retries",
      "requests_per_second",
      "requests",
      "paging.first",
      "paging.more_path",
    ],
  },
];

const exports: readonly Omit<ConnectorKind, "id" | "direction">[] = [
  ...databases.map((one) => ({ ...one, about: "Writes tables of the warehouse to a database" })),
  {
    type: "http",
    title: "HTTP endpoint",
    about: "Sends rows of the warehouse in batches of JSON",
    fields: [
      { name: "url", label: "URL", hint: "http or https", isRequired: true },
      header,
      { name: "method", label: "Method", options: choices("post", "put", "patch") },
      { name: "batch_size", label: "Rows of a request", hint: "Default: 500", isNumber: true },
    ],
    more: ["headers"],
  },
  ...Object.entries({ csv: "CSV", jsonl: "JSONL", parquet: "Parquet" }).map(([type, name]) => ({
    type,
    title: `${name} files`,
    about: "Writes tables of the warehouse to a folder",
    fields: [folder],
    more: storage,
  })),
  ...files.map((one) => ({ ...one, about: "Writes tables of the warehouse to a database file" })),
];

/** What the wizard can import from, and export to. */
export const connectorKinds: readonly ConnectorKind[] = [
  ...imports.map((one) => ({ ...one, id: one.type, direction: "import" as const })),
  ...exports.map((one) => ({ ...one, id: `to-${one.type}`, direction: "export" as const })),
];
