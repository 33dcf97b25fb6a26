/** DuckDB types and their Databricks names. */
const databricksNames: Readonly<Record<string, string>> = {
  BOOLEAN: "BOOLEAN",
  TINYINT: "TINYINT",
  SMALLINT: "SMALLINT",
  INTEGER: "INT",
  BIGINT: "BIGINT",
  FLOAT: "FLOAT",
  DOUBLE: "DOUBLE",
  VARCHAR: "STRING",
  BLOB: "BINARY",
  DATE: "DATE",
  TIMESTAMP: "TIMESTAMP_NTZ",
  "TIMESTAMP WITH TIME ZONE": "TIMESTAMP",
  INTERVAL: "INTERVAL",
  VARIANT: "VARIANT",
};

/** For DuckDB types without an equivalent: the Databricks type that holds every value. One way only. */
const wider: Readonly<Record<string, string>> = {
  HUGEINT: "DECIMAL(38,0)",
  UTINYINT: "SMALLINT",
  USMALLINT: "INT",
  UINTEGER: "BIGINT",
  UBIGINT: "DECIMAL(20,0)",
  JSON: "STRING",
  UUID: "STRING",
  TIMESTAMPTZ: "TIMESTAMP",
  TIMESTAMP_S: "TIMESTAMP_NTZ",
  TIMESTAMP_MS: "TIMESTAMP_NTZ",
  TIMESTAMP_NS: "TIMESTAMP_NTZ",
};

const duckdbNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(databricksNames).map(([ours, shown]) => [shown, ours])),
  INTEGER: "INTEGER",
  LONG: "BIGINT",
  SHORT: "SMALLINT",
  BYTE: "TINYINT",
  REAL: "FLOAT",
  TIMESTAMP_LTZ: "TIMESTAMP WITH TIME ZONE",
  DECIMAL: "DECIMAL(10,0)",
};

/** `VARCHAR[]` → `ARRAY<STRING>`. A type without a Databricks name keeps its DuckDB name. */
export function databricksType(type: string): string {
  const text = type.trim();
  const list = /^(.*)\[\d*\]$/s.exec(text)?.[1];
  if (list !== undefined) return `ARRAY<${databricksType(list)}>`;
  const [, kind = "", inside = ""] = /^(STRUCT|MAP)\((.*)\)$/s.exec(text) ?? [];
  if (kind === "MAP") return `MAP<${split(inside, ",").map(databricksType).join(", ")}>`;
  if (kind === "STRUCT") {
    const fields = split(inside, ",").map((field) => {
      const [, name = "", of = ""] = /^("(?:[^"]|"")*"|\S+)\s+(.*)$/s.exec(field) ?? [];
      return `${shownName(name)}: ${databricksType(of)}`;
    });
    return `STRUCT<${fields.join(", ")}>`;
  }
  if (text.startsWith("ENUM(")) return "STRING";
  return databricksNames[text] ?? wider[text] ?? text;
}

/** `ARRAY<STRING>` → `VARCHAR[]`; undefined if there is no such type. */
export function parseDatabricksType(shown: string): string | undefined {
  const text = shown.trim();
  const upper = text.toUpperCase();
  const plain = duckdbNames[upper];
  if (plain !== undefined) return plain;
  if (/^(?:VARCHAR|CHAR)\(\d+\)$/.test(upper)) return "VARCHAR";
  const [, precision, scale = "0"] =
    /^(?:DECIMAL|NUMERIC|DEC)\s*\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)$/.exec(upper) ?? [];
  if (precision !== undefined) return `DECIMAL(${precision},${scale})`;
  const [, kind = "", inside = ""] = /^(ARRAY|MAP|STRUCT)\s*<(.*)>$/is.exec(text) ?? [];
  const parts = split(inside, ",");
  if (kind.toUpperCase() === "STRUCT") return storedStruct(parts);
  const types = parts.map(parseDatabricksType);
  if (types.includes(undefined)) return undefined;
  if (kind.toUpperCase() === "ARRAY" && types.length === 1) return `${types[0]}[]`;
  return kind.toUpperCase() === "MAP" && types.length === 2 ? `MAP(${types.join(", ")})` : undefined;
}

/** The parts of an array, a map or a struct, as they are written, with the names of a struct's fields. */
export function typeParts(shown: string): {
  readonly kind: string;
  readonly names: readonly string[];
  readonly types: readonly string[];
} {
  const [, kind = "", inside = ""] = /^(ARRAY|MAP|STRUCT)\s*<(.*)>$/is.exec(shown.trim()) ?? [];
  const parts = split(inside, ",");
  if (kind.toUpperCase() !== "STRUCT") return { kind: kind.toUpperCase(), names: [], types: parts };
  const fields = parts.map((part) => /^(`(?:[^`]|``)*`|\w+)\s*[:\s]\s*(.*)$/s.exec(part.trim()) ?? []);
  const bare = (name: string) => (name.startsWith("`") ? name.slice(1, -1).replaceAll("``", "`") : name);
  return {
    kind: "STRUCT",
    names: fields.map(([, name = ""]) => bare(name)),
    types: fields.map(([, , type = ""]) => type),
  };
}

function storedStruct(fields: readonly string[]): string | undefined {
  const stored = fields.map((field) => {
    const [, name = "", of = ""] = /^(`(?:[^`]|``)*`|\w+)\s*[:\s]\s*(.*)$/s.exec(field.trim()) ?? [];
    const type = parseDatabricksType(of);
    const bare = name.startsWith("`") ? name.slice(1, -1).replaceAll("``", "`") : name;
    return type === undefined ? undefined : `"${bare.replaceAll('"', '""')}" ${type}`;
  });
  return stored.includes(undefined) ? undefined : `STRUCT(${stored.join(", ")})`;
}

function shownName(name: string): string {
  const bare = name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
  return /^\w+$/.test(bare) ? bare : `\`${bare.replaceAll("`", "``")}\``;
}

/** The types, or fields, in the parentheses of a nested type. */
export const splitTypes = (inside: string): string[] => split(inside, ",");

/** Splits at separators outside brackets and quotes. */
function split(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (const { 0: piece, index } of text.matchAll(/"(?:[^"]|"")*"|`(?:[^`]|``)*`|'(?:[^']|'')*'|[\s\S]/g)) {
    if ("(<[".includes(piece)) depth += 1;
    else if (")>]".includes(piece)) depth -= 1;
    else if (piece === separator && depth === 0) {
      parts.push(text.slice(from, index).trim());
      from = index + 1;
    }
  }
  return [...parts, text.slice(from).trim()].filter((part) => part !== "");
}
