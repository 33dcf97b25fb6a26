import type { DataType } from "./protocol/spark_connect_pb.ts";

/** A column of a result or a table. */
export interface SparkColumn {
  readonly name: string;
  /** The type in SQL: `DECIMAL(12,2)`, `ARRAY<STRING>`. */
  readonly type: string;
  readonly nullable: boolean;
  readonly comment: string | null;
}

const plainTypes: Readonly<Record<string, string>> = {
  null: "VOID",
  binary: "BINARY",
  boolean: "BOOLEAN",
  byte: "TINYINT",
  short: "SMALLINT",
  integer: "INT",
  long: "BIGINT",
  float: "FLOAT",
  double: "DOUBLE",
  string: "STRING",
  date: "DATE",
  timestamp: "TIMESTAMP",
  timestampNtz: "TIMESTAMP_NTZ",
  calendarInterval: "INTERVAL",
  variant: "VARIANT",
  geometry: "GEOMETRY",
  geography: "GEOGRAPHY",
};

const yearMonthFields = ["YEAR", "MONTH"];
const dayTimeFields = ["DAY", "HOUR", "MINUTE", "SECOND"];

/** The name of a type in SQL. */
function typeName(type: DataType | undefined): string {
  const { kind } = type ?? { kind: { case: undefined } as const };
  switch (kind.case) {
    case "decimal":
      return `DECIMAL(${kind.value.precision ?? 10},${kind.value.scale ?? 0})`;
    case "char":
      return `CHAR(${kind.value.length})`;
    case "varChar":
      return `VARCHAR(${kind.value.length})`;
    case "time":
      return `TIME(${kind.value.precision ?? 6})`;
    case "array":
      return `ARRAY<${typeName(kind.value.elementType)}>`;
    case "map":
      return `MAP<${typeName(kind.value.keyType)},${typeName(kind.value.valueType)}>`;
    case "struct":
      return `STRUCT<${kind.value.fields.map(({ name, dataType }) => `${quoted(name)}:${typeName(dataType)}`).join(",")}>`;
    case "yearMonthInterval":
      return intervalName(yearMonthFields, kind.value.startField ?? 0, kind.value.endField ?? 1);
    case "dayTimeInterval":
      return intervalName(dayTimeFields, kind.value.startField ?? 0, kind.value.endField ?? 3);
    default:
      return (kind.case && plainTypes[kind.case]) ?? "UNKNOWN";
  }
}

const quoted = (name: string): string => (/^\w+$/.test(name) ? name : `\`${name.replaceAll("`", "``")}\``);

const intervalName = (fields: readonly string[], from: number, to: number): string =>
  from === to ? `INTERVAL ${fields[from]}` : `INTERVAL ${fields[from]} TO ${fields[to]}`;

export function columnsOf(schema: DataType | undefined): SparkColumn[] {
  if (schema?.kind.case !== "struct") return [];
  return schema.kind.value.fields.map(({ name, dataType, nullable, metadata }) => ({
    name,
    type: typeName(dataType),
    nullable,
    comment: commentIn(metadata),
  }));
}

function commentIn(metadata: string | undefined): string | null {
  if (!metadata) return null;
  const { comment } = JSON.parse(metadata) as { comment?: unknown };
  return typeof comment === "string" ? comment : null;
}
