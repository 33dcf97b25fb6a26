import { columnNameProblem } from "@lakehelm/contract/connections";
import { shown } from "@lakehelm/contract/text";
import { quoteIdentifier } from "@lakehelm/sql/names";

/** The parsed type of a column. `sql` is generated, so that no text of a request becomes part of a statement. */
export interface ColumnType {
  readonly sql: string;
  /** The name without parameters: `DECIMAL`, `ARRAY` … */
  readonly name: string;
  /** The length of a CHAR or VARCHAR. */
  readonly length?: number;
  /** The names of all types that the type contains, including its own name. */
  readonly within: ReadonlySet<string>;
  /** The number of stored columns: each field of a STRUCT counts. */
  readonly leaves: number;
}

const plain: Readonly<Record<string, string>> = {
  BOOLEAN: "BOOLEAN",
  TINYINT: "TINYINT",
  BYTE: "TINYINT",
  SMALLINT: "SMALLINT",
  SHORT: "SMALLINT",
  INT: "INT",
  INTEGER: "INT",
  BIGINT: "BIGINT",
  LONG: "BIGINT",
  FLOAT: "FLOAT",
  REAL: "FLOAT",
  DOUBLE: "DOUBLE",
  STRING: "STRING",
  BINARY: "BINARY",
  DATE: "DATE",
  TIMESTAMP: "TIMESTAMP",
  TIMESTAMP_LTZ: "TIMESTAMP",
  TIMESTAMP_NTZ: "TIMESTAMP_NTZ",
  VARIANT: "VARIANT",
};
const decimals = new Set(["DECIMAL", "DEC", "NUMERIC"]);
const texts: Readonly<Record<string, string>> = { CHAR: "CHAR", CHARACTER: "CHAR", VARCHAR: "VARCHAR" };

const expected = `Expected ${[...new Set(Object.values(plain))].join(", ")}, DECIMAL(p, s), CHAR(n), VARCHAR(n), ARRAY<type>, MAP<type, type> or STRUCT<name: type, …>.`;

/** Deeper than any real type, and shallow enough for every parser. */
const maxDepth = 20;

export function parseColumnType(text: string): ColumnType | { readonly problem: string } {
  const tokens = text.match(/[A-Za-z_]\w*|`(?:[^`]|``)*`|\d+|\S/g) ?? [];
  let at = 0;
  const peek = () => tokens[at] ?? "";
  const take = (token: string) => {
    if (peek() !== token)
      throw new ColumnTypeError(
        `${at < tokens.length ? `has ${shown(peek())}` : "ends"} where "${token}" is expected`,
      );
    at++;
  };
  const next = () => tokens[at++] ?? "";

  const number = (what: string, from: number, to: number): number => {
    const found = next();
    const value = /^\d{1,10}$/.test(found) ? Number(found) : Number.NaN;
    if (value >= from && value <= to) return value;
    throw new ColumnTypeError(`has ${shown(found)} as its ${what}, which must be from ${from} to ${to}`);
  };

  const type = (depth: number): ColumnType => {
    if (depth > maxDepth) throw new ColumnTypeError(`is nested more than ${maxDepth} times`);
    const name = next().toUpperCase();
    const known = plain[name];
    if (known) return single(known, known);
    if (decimals.has(name)) return decimal();
    const characters = texts[name];
    if (characters) {
      take("(");
      const length = number("length", 1, characters === "CHAR" ? 255 : 65535);
      take(")");
      return { ...single(characters, `${characters}(${length})`), length };
    }
    if (name === "ARRAY") return nested(name, () => [type(depth + 1)]);
    if (name === "MAP") {
      return nested(name, () => {
        const key = type(depth + 1);
        if (key.within.has("MAP")) throw new ColumnTypeError("has a MAP as a key of a MAP");
        take(",");
        return [key, type(depth + 1)];
      });
    }
    if (name === "STRUCT") return struct(depth);
    throw new ColumnTypeError(name === "" ? "ends too early" : `contains ${shown(name)}`);
  };

  const decimal = (): ColumnType => {
    if (peek() !== "(") return single("DECIMAL", "DECIMAL(10, 0)");
    take("(");
    const precision = number("precision", 1, 38);
    let scale = 0;
    if (peek() === ",") {
      take(",");
      scale = number("scale", 0, precision);
    }
    take(")");
    return single("DECIMAL", `DECIMAL(${precision}, ${scale})`);
  };

  const nested = (name: string, innerTypes: () => ColumnType[]): ColumnType => {
    take("<");
    const inner = innerTypes();
    take(">");
    return composite(
      name,
      inner,
      inner.map(({ sql }) => sql),
    );
  };

  const struct = (depth: number): ColumnType => {
    const fields: { name: string; type: ColumnType }[] = [];
    take("<");
    do {
      if (fields.length > 0) take(",");
      const name = fieldName(next());
      if (peek() === ":") take(":");
      fields.push({ name, type: type(depth + 1) });
    } while (peek() === ",");
    take(">");
    const names = fields.map(({ name }) => name.toLowerCase());
    if (new Set(names).size < names.length) throw new ColumnTypeError("has two fields of the same name");
    return composite(
      "STRUCT",
      fields.map((field) => field.type),
      fields.map((field) => `${quoteIdentifier(field.name)}: ${field.type.sql}`),
    );
  };

  try {
    const read = type(1);
    if (at < tokens.length) throw new ColumnTypeError(`continues with ${shown(peek())} where it should end`);
    return read;
  } catch (error) {
    if (error instanceof ColumnTypeError)
      return { problem: `${shown(text)} is not a type: it ${error.message}. ${expected}` };
    throw error;
  }
}

class ColumnTypeError extends Error {}

function fieldName(token: string): string {
  const name = token.startsWith("`") && token.length > 1 ? token.slice(1, -1).replaceAll("``", "`") : token;
  const isName = token.startsWith("`") || /^[A-Za-z_]/.test(token);
  const problem = isName ? columnNameProblem(name) : "a field needs a name";
  if (problem) throw new ColumnTypeError(`has an invalid field: ${problem.replace(/\.$/, "")}`);
  return name;
}

const single = (name: string, sql: string): ColumnType => ({ name, sql, within: new Set([name]), leaves: 1 });

const composite = (name: string, inner: readonly ColumnType[], written: readonly string[]): ColumnType => ({
  name,
  sql: `${name}<${written.join(", ")}>`,
  within: new Set([name, ...inner.flatMap((part) => [...part.within])]),
  leaves: name === "STRUCT" ? inner.reduce((sum, part) => sum + part.leaves, 0) : 1,
});

export const isNested = ({ name }: ColumnType): boolean =>
  name === "ARRAY" || name === "MAP" || name === "STRUCT" || name === "VARIANT";

/** `<=>` and ORDER BY do not accept a MAP or a VARIANT anywhere in the type. */
export const isComparable = ({ within }: ColumnType): boolean => !within.has("MAP") && !within.has("VARIANT");
