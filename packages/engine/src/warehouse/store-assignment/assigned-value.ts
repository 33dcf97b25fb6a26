import { DataProblem } from "../../protocol/problem.ts";
import { parseDatabricksType, typeParts } from "../../protocol/types.ts";
import { literal, quote } from "../names.ts";
import { raise } from "../queries/raised-error.ts";
import { prefix } from "../queries/spark-functions.ts";
import { declaredLength, hasTextLength, type TextLength } from "./text-length.ts";
import { type TypeTree, typeName, typeTree } from "./type-tree.ts";

/** A column that values are written into. */
export interface AssignedColumn {
  readonly name: string;
  /** DuckDB's type. */
  readonly type: string;
  /** The declared type, if texts in it have a length. */
  readonly declared?: string | undefined;
}

export interface AssignmentRules {
  /** Fields of a struct are assigned by their names, or in their order, as the columns of the statement are. */
  readonly structs: "by name" | "by position";
  /** Converts what store assignment refuses, if Spark can cast it. */
  readonly cast?: (value: string, from: TypeTree, to: TypeTree) => string;
}

/**
 * The DuckDB expression that writes a value into a column as Spark does (`spark.sql.storeAssignmentPolicy = ANSI`): numbers lose
 * the digits after the decimal point, a value that does not fit is an error, a text is never taken for a number. `value` is a
 * DuckDB expression, `from` its type. Throws a DataProblem if Spark refuses the types.
 */
export function assignedValue(
  value: string,
  from: string,
  column: AssignedColumn,
  rules: AssignmentRules,
): string {
  const to = typeTree(column.type);
  const assigned =
    from === column.type ? value : assign(value, typeTree(from), to, { path: column.name, rules, depth: 0 });
  return column.declared ? fitted(assigned, column.declared, column.name) : assigned;
}

/** A DuckDB expression of a value in another type. */
type Conversion = (value: string) => string;

/**
 * The DuckDB expression that writes a value into a column of a dataset, whose author has declared the type: if store
 * assignment refuses the types, such as a text for a number, the value is cast if Spark has that cast. `castOf`
 * translates `CAST(… AS to)` for values of the type `from`, both as DuckDB types.
 */
export async function castValue(
  value: string,
  from: string,
  column: AssignedColumn,
  castOf: (from: string, to: string) => Promise<Conversion>,
): Promise<string> {
  const casts = new Map<
    string,
    { readonly from: TypeTree; readonly to: TypeTree; conversion?: Conversion }
  >();
  const stored = (): string =>
    assignedValue(value, from, column, {
      structs: "by name",
      cast(part, source, target) {
        const name = `${typeName(source)} ${typeName(target)}`;
        const known = casts.get(name);
        if (!known) casts.set(name, { from: source, to: target });
        return known?.conversion?.(part) ?? part;
      },
    });
  // The first pass tells which casts it needs.
  const withoutCasts = stored();
  if (casts.size === 0) return withoutCasts;
  for (const cast of casts.values())
    cast.conversion = await castOf(duckdbType(cast.from), duckdbType(cast.to));
  return stored();
}

interface Place {
  /** The column, or a part of it. */
  readonly path: string;
  readonly rules: AssignmentRules;
  /** How deeply lambdas are nested. */
  readonly depth: number;
}

function assign(value: string, from: TypeTree, to: TypeTree, place: Place): string {
  if (from.kind === "void") return `CAST(${value} AS ${duckdbType(to)})`;
  if (from.kind === "array" && to.kind === "array") return array(value, from, to, place);
  if (from.kind === "map" && to.kind === "map") return map(value, from, to, place);
  if (from.kind === "struct" && to.kind === "struct") return struct(value, from, to, place);
  if (typeName(from) === typeName(to)) return value;
  // Types that only DuckDB has.
  if (from.kind === "other" || to.kind === "other") return `CAST(${value} AS ${duckdbType(to)})`;
  if (isNumber(from) && isNumber(to)) return number(value, from, to, place);
  if (from.kind === "moment" && to.kind === "moment") return `CAST(${value} AS ${duckdbType(to)})`;
  if (to.kind === "text" && isAtomic(from)) return text(value, from);
  if (place.rules.cast && canCast(from, to)) return place.rules.cast(value, from, to);
  throw new DataProblem(
    `INCOMPATIBLE_DATA_FOR_TABLE: a value of the type ${typeName(from)} cannot be written into ${place.path}, which is ${typeName(to)}. Write CAST(… AS ${typeName(to)}) if that is what you mean.`,
  );
}

type NumberType = Extract<TypeTree, { kind: "integer" | "decimal" | "float" }>;

const isNumber = (type: TypeTree): type is NumberType =>
  type.kind === "integer" || type.kind === "decimal" || type.kind === "float";

const isAtomic = ({ kind }: TypeTree): boolean => kind !== "array" && kind !== "map" && kind !== "struct";

/** Whether Spark casts what store assignment refuses. */
function canCast(from: TypeTree, to: TypeTree): boolean {
  if (to.kind === "text") return true;
  if (from.kind === "text") return isAtomic(to);
  const isTimestamp = (type: TypeTree) => type.kind === "moment" && type.name === "TIMESTAMP";
  const [isToNumber, isFromNumber] = [isNumber(to), isNumber(from)];
  return (
    (isToNumber && (from.kind === "boolean" || isTimestamp(from))) ||
    (isFromNumber && (to.kind === "boolean" || isTimestamp(to)))
  );
}

function number(value: string, from: NumberType, to: NumberType, place: Place): string {
  const type = duckdbType(to);
  if (to.kind === "float")
    // Beyond the range of FLOAT, DuckDB fails.
    return from.name === "DOUBLE" || from.kind === "decimal"
      ? `coalesce(TRY_CAST(${value} AS ${type}), CAST(CASE WHEN ${value} < 0 THEN '-inf' WHEN ${value} IS NOT NULL THEN 'inf' END AS ${type}))`
      : `CAST(${value} AS ${type})`;
  if (holdsAll(from, to)) return `CAST(${value} AS ${type})`;
  // Spark converts a DOUBLE to a DECIMAL by its digits.
  const converted =
    to.kind === "integer"
      ? integer(value, from, type)
      : from.kind === "float"
        ? `TRY_CAST(CAST(CAST(${value} AS DOUBLE) AS VARCHAR) AS ${type})`
        : `TRY_CAST(${value} AS ${type})`;
  const fails =
    to.kind === "decimal" && from.kind === "float"
      ? `${value} IS NOT NULL AND isfinite(${value})`
      : `${value} IS NOT NULL`;
  const sentence = `CAST_OVERFLOW_IN_TABLE_INSERT: a value of the type ${from.name} does not fit into ${place.path}, which is ${to.name}.`;
  return `CASE WHEN ${converted} IS NULL AND ${fails} THEN ${raise(literal(sentence), `NULL::${type}`)} ELSE ${converted} END`;
}

function integer(value: string, from: NumberType, type: string): string {
  // 2^63 is the double that is nearest to the largest BIGINT: Spark stores the latter.
  if (from.kind === "float" && type === "BIGINT")
    return `CASE WHEN ${value} = 9223372036854775808::DOUBLE THEN 9223372036854775807 ELSE TRY_CAST(trunc(${value}) AS ${type}) END`;
  if (from.kind === "integer") return `TRY_CAST(${value} AS ${type})`;
  // Spark converts a DECIMAL with more digits than a long to an INT by way of a double.
  const isWide = from.kind === "decimal" && from.precision > 18 && type !== "BIGINT";
  return `TRY_CAST(trunc(${isWide ? `CAST(${value} AS DOUBLE)` : value}) AS ${type})`;
}

function holdsAll(from: NumberType, to: NumberType): boolean {
  if (from.kind === "float") return false;
  const [digits, scale] = from.kind === "integer" ? [from.digits, 0] : [from.precision, from.scale];
  if (to.kind === "integer") return from.kind === "integer" && from.digits < to.digits;
  return to.kind === "decimal" && scale <= to.scale && digits - scale <= to.precision - to.scale;
}

function text(value: string, from: TypeTree): string {
  if (from.kind === "float") return `${prefix}double_text(${value})`;
  if (from.kind === "binary") return `decode(${value})`;
  // The text of a moment has no time zone.
  return from.kind === "moment" && from.name === "TIMESTAMP"
    ? `CAST(CAST(${value} AS TIMESTAMP) AS VARCHAR)`
    : `CAST(${value} AS VARCHAR)`;
}

function array(
  value: string,
  from: Extract<TypeTree, { kind: "array" }>,
  to: Extract<TypeTree, { kind: "array" }>,
  place: Place,
): string {
  const item = `item${place.depth}`;
  const assigned = assign(item, from.element, to.element, inner(place, "element"));
  return assigned === item ? value : `list_transform(${value}, lambda ${item}: ${assigned})`;
}

function map(
  value: string,
  from: Extract<TypeTree, { kind: "map" }>,
  to: Extract<TypeTree, { kind: "map" }>,
  place: Place,
): string {
  const item = `item${place.depth}`;
  const key = assign(`${item}."key"`, from.key, to.key, inner(place, "key"));
  const content = assign(`${item}."value"`, from.value, to.value, inner(place, "value"));
  if (key === `${item}."key"` && content === `${item}."value"`) return value;
  return `map_from_entries(list_transform(map_entries(${value}), lambda ${item}: {'key': ${key}, 'value': ${content}}))`;
}

function struct(
  value: string,
  from: Extract<TypeTree, { kind: "struct" }>,
  to: Extract<TypeTree, { kind: "struct" }>,
  place: Place,
): string {
  const named = to.fields.map(({ name }) =>
    from.fields.find((field) => field.name.toLowerCase() === name.toLowerCase()),
  );
  // A cast takes the fields in their order.
  const isByPosition =
    place.rules.structs === "by position" || (place.rules.cast !== undefined && named.includes(undefined));
  const fields = to.fields.map(({ name, type }, at) => {
    const source = isByPosition ? from.fields[at] : named[at];
    if (!source || from.fields.length !== to.fields.length)
      throw new DataProblem(
        `INCOMPATIBLE_DATA_FOR_TABLE: ${place.path} is ${to.name}, and the value is ${from.name}: the fields do not match.`,
      );
    const part = `struct_extract(${value}, ${literal(source.name)})`;
    return `${quote(name)} := ${assign(part, source.type, type, inner(place, name))}`;
  });
  const isSame = typeName(from) === typeName(to);
  return isSame ? value : `CASE WHEN ${value} IS NOT NULL THEN struct_pack(${fields.join(", ")}) END`;
}

const inner = ({ path, rules, depth }: Place, part: string): Place => ({
  path: `${path}.${part}`,
  rules,
  depth: depth + 1,
});

/** A value whose texts have the declared lengths. */
export function fitted(value: string, declared: string, path: string, depth = 0): string {
  if (!hasTextLength(declared)) return value;
  const length = declaredLength(declared);
  if (length) return fitText(value, path, length);
  const { kind, names, types } = typeParts(declared);
  const item = `item${depth}`;
  const part = (at: number, text: string, name: string) =>
    fitted(text, types[at] ?? "", `${path}.${name}`, depth + 1);
  if (kind === "ARRAY") return `list_transform(${value}, lambda ${item}: ${part(0, item, "element")})`;
  if (kind === "MAP")
    return `map_from_entries(list_transform(map_entries(${value}), lambda ${item}: {'key': ${part(0, `${item}."key"`, "key")}, 'value': ${part(1, `${item}."value"`, "value")}}))`;
  const fields = names.map(
    (name, at) => `${quote(name)} := ${part(at, `struct_extract(${value}, ${literal(name)})`, name)}`,
  );
  return `CASE WHEN ${value} IS NOT NULL THEN struct_pack(${fields.join(", ")}) END`;
}

/**
 * Blanks at the end of a text are cut off if it is too long. Spark fills up CHAR with blanks and ignores them in comparisons; DuckDB
 * would compare them, so a CHAR has none.
 */
function fitText(value: string, column: string, { characters, isChar }: TextLength): string {
  const sentence = `EXCEED_LIMIT_LENGTH: a text is too long for ${column}, which holds ${characters} characters.`;
  const failure = raise(literal(sentence), "NULL::VARCHAR");
  const trimmed = `rtrim(${value}, ' ')`;
  if (isChar)
    return `CASE WHEN length(${trimmed}) <= ${characters} THEN ${trimmed} WHEN ${value} IS NOT NULL THEN ${failure} END`;
  return (
    `CASE WHEN length(${value}) <= ${characters} THEN ${value} ` +
    `WHEN length(${trimmed}) <= ${characters} THEN left(${value}, ${characters}) ` +
    `WHEN ${value} IS NOT NULL THEN ${failure} END`
  );
}

/** The name of a type in DuckDB. */
function duckdbType(type: TypeTree): string {
  if (type.kind === "other") return type.name;
  return parseDatabricksType(typeName(type)) ?? typeName(type);
}
