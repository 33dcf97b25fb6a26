/** A field of the connection form. Its name is that in `connection.config`. */
interface ConnectionField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly isSecret?: true;
  readonly isRequired?: true;
  readonly isNumber?: true;
  readonly options?: readonly string[];
}

export interface SourceKind {
  readonly type: string;
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

/** What the wizard can import from. */
export const sourceKinds: readonly SourceKind[] = [
  {
    type: "postgresql",
    title: "PostgreSQL",
    about: "Tables and views of a database",
    fields: server("5432"),
  },
  { type: "mysql", title: "MySQL, MariaDB", about: "Tables and views of a database", fields: server("3306") },
  {
    type: "files",
    title: "Files",
    about: "CSV, JSON and Parquet, in a folder or in object storage",
    fields: [
      {
        name: "path",
        label: "Folder",
        hint: "An absolute path that the server may use, or s3://bucket/prefix",
        isRequired: true,
      },
      { name: "format", label: "Format", isRequired: true, options: ["csv", "json", "parquet"] },
    ],
  },
  { type: "sqlite", title: "SQLite", about: "Tables of a database file", fields: file },
  { type: "duckdb", title: "DuckDB", about: "Tables of a database file", fields: file },
];

/** The value of `connection.config`: empty fields are left out, numbers are numbers. */
export function configOf(
  kind: SourceKind,
  values: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const entries = kind.fields.flatMap(({ name, isNumber, options }) => {
    const value = (values[name] ?? options?.[0] ?? "").trim();
    if (value === "") return [];
    return [[name, isNumber && /^\d+$/.test(value) ? Number(value) : value] as const];
  });
  return Object.fromEntries(entries);
}
