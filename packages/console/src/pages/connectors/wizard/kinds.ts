/** A field of the connection form. Its name is its place in `connection.config`, or of an export in `target_config`. */
interface ConnectionField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly isSecret?: true;
  readonly isRequired?: true;
  readonly isNumber?: true;
  readonly options?: readonly string[];
}

export interface ConnectorKind {
  /** In the address. */
  readonly id: string;
  readonly type: string;
  readonly direction: "import" | "export";
  readonly title: string;
  readonly about: string;
  readonly fields: readonly ConnectionField[];
}

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
const databases = [
  { type: "postgresql", title: "PostgreSQL", fields: server("5432") },
  { type: "mysql", title: "MySQL, MariaDB", fields: server("3306") },
];
const files = [
  { type: "sqlite", title: "SQLite", fields: file },
  { type: "duckdb", title: "DuckDB", fields: file },
];

const imports: readonly Omit<ConnectorKind, "id" | "direction">[] = [
  ...databases.map((one) => ({ ...one, about: "Tables and views of a database" })),
  {
    type: "files",
    title: "Files",
    about: "CSV, JSON and Parquet, in a folder or in object storage",
    fields: [
      folder,
      { name: "format", label: "Format", isRequired: true, options: ["csv", "json", "parquet"] },
    ],
  },
  ...files.map((one) => ({ ...one, about: "Tables of a database file" })),
  {
    type: "rest",
    title: "REST API",
    about: "Lists of JSON records of an HTTP API",
    fields: [
      { name: "url", label: "URL", hint: "Such as https://api.example.com/v1", isRequired: true },
      header,
      {
        name: "records_path",
        label: "Place of the records",
        hint: "In the answer, such as data or result.items. Empty: the whole answer",
      },
      {
        name: "paging",
        label: "Pages",
        hint: "How to get the next page. Cursors are set up with the API.",
        options: ["none", "page", "offset", "link"],
      },
      { name: "page_size", label: "Records of a page", isNumber: true },
      {
        name: "watermark_param",
        label: "Parameter for the watermark",
        hint: "Such as updated_since: the API returns records from its value on",
      },
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
      { name: "method", label: "Method", options: ["post", "put", "patch"] },
      { name: "batch_size", label: "Rows of a request", hint: "Default: 500", isNumber: true },
    ],
  },
  ...["csv", "jsonl", "parquet"].map((type) => ({
    type,
    title: `${type.toUpperCase()} files`,
    about: "Writes tables of the warehouse to a folder",
    fields: [folder],
  })),
  ...files.map((one) => ({ ...one, about: "Writes tables of the warehouse to a database file" })),
];

/** What the wizard can import from, and export to. */
export const connectorKinds: readonly ConnectorKind[] = [
  ...imports.map((one) => ({ ...one, id: one.type, direction: "import" as const })),
  ...exports.map((one) => ({ ...one, id: `to-${one.type}`, direction: "export" as const })),
];

/** The fields of the request that say where rows come from or go to. */
export function targetOf(kind: ConnectorKind, values: Readonly<Record<string, string>>) {
  const config = configOf(kind, values);
  return kind.direction === "import"
    ? { target_type: "warehouse", target_config: { connection: { type: kind.type, config } } }
    : { target_type: kind.type, target_config: config };
}

/** Where the error of a field is. */
export const pathOf = ({ direction }: ConnectorKind, field: string): string =>
  direction === "import" ? `target_config.connection.config.${field}` : `target_config.${field}`;

/** What was entered for a stored connector. */
export function valuesOf(
  { direction }: ConnectorKind,
  target: Readonly<Record<string, unknown>> | null,
): Record<string, string> {
  const { connection } = (target ?? {}) as { connection?: { config?: Record<string, unknown> } };
  const config = (direction === "import" ? connection?.config : target) ?? {};
  return Object.fromEntries(
    Object.entries(config).flatMap(([key, value]) =>
      typeof value === "object" && value !== null
        ? Object.entries(value).map(([inner, text]) => [`${key}.${inner}`, String(text)])
        : [[key, String(value)]],
    ),
  );
}

/** Empty fields are left out, numbers are numbers, and `headers.Authorization` is a field of `headers`. */
function configOf(
  kind: Pick<ConnectorKind, "fields">,
  values: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const config: Record<string, unknown> = {};
  for (const { name, isNumber, options } of kind.fields) {
    const value = (values[name] ?? options?.[0] ?? "").trim();
    if (value === "") continue;
    const [outer = name, inner] = name.split(".");
    const typed = isNumber && /^\d+$/.test(value) ? Number(value) : value;
    config[outer] = inner === undefined ? typed : { ...(config[outer] as object), [inner]: typed };
  }
  return config;
}
