import { suggestion } from "@lakehelm/contract/text";
import type { Diagnostic } from "../lexer/token.ts";

/**
 * What can follow a dot after a column: the fields of a STRUCT, or of an ARRAY of STRUCTs, by their names in lower
 * case. `none`: the type has no fields. `any`: any field is accepted, because the keys of a MAP or VARIANT depend on
 * its rows, and other types are unknown.
 */
type FieldAccess = "any" | "none" | ReadonlyMap<string, StructField>;

interface StructField {
  readonly name: string;
  readonly type: string;
  readonly fields: FieldAccess;
}

const scalars =
  /^(?:BOOLEAN|TINYINT|SMALLINT|INT|INTEGER|BIGINT|FLOAT|DOUBLE|DECIMAL|STRING|VARCHAR|CHAR|BINARY|DATE|TIMESTAMP|TIMESTAMP_NTZ)$/;

/** Real types are not nested as deeply. Deeper fields are not checked. */
const maxDepth = 20;

/** The problem of the field path after a column, as in `address.city.name`: the first field that does not exist. */
export function fieldProblem(
  column: string,
  type: string,
  path: readonly { readonly name: string; readonly at: number }[],
): Diagnostic | undefined {
  let owner = column;
  let now = { type, fields: fieldsOf(type) };
  for (const { name, at } of path) {
    if (now.fields === "any") return undefined;
    if (now.fields === "none")
      return { at, message: `${owner} is ${now.type}, not a struct, so it has no field ${name}.` };
    const field = now.fields.get(name.toLowerCase());
    if (!field) {
      const names = [...now.fields.values()].map((one) => one.name);
      const some = `${names.slice(0, 10).join(", ")}${names.length > 10 ? ", …" : ""}`;
      return {
        at,
        message: `${owner} has no field ${name}.${suggestion(name, names) || ` Fields: ${some}.`}`,
      };
    }
    owner = `${owner}.${field.name}`;
    now = field;
  }
  return undefined;
}

/** Reads a type as catalogs write it: `STRUCT<a: INT, b: ARRAY<STRUCT<c: STRING>>>`. Linear in its length. */
function fieldsOf(text: string): FieldAccess {
  const tokens = [...text.matchAll(/`(?:[^`]|``)*`|'(?:[^'\\]|\\.)*'|[^\s<>,:()`]+|[<>,:()]/g)].map(
    ([token]) => token,
  );
  let at = 0;
  const start = (index: number) => tokens.slice(index, at).join("");

  const parameters = () => {
    for (let depth = 0; at < tokens.length; at++) {
      if (tokens[at] === "(") depth++;
      else if (tokens[at] === ")") depth--;
      if (depth === 0) return void at++;
    }
  };

  const type = (depth: number): FieldAccess => {
    const name = (tokens[at++] ?? "").toUpperCase();
    if (tokens[at] === "(") parameters();
    if (tokens[at] !== "<") return scalars.test(name) ? "none" : "any";
    at++;
    const fields = new Map<string, StructField>();
    const inner: FieldAccess[] = [];
    while (at < tokens.length && tokens[at] !== ">") {
      if (tokens[at] === ",") at++;
      const field = name === "STRUCT" ? unquoted(tokens[at++] ?? "") : "";
      if (name === "STRUCT" && tokens[at] === ":") at++;
      const from = at;
      if (depth >= maxDepth) return skip();
      const access = type(depth + 1);
      inner.push(access);
      if (name === "STRUCT")
        fields.set(field.toLowerCase(), { name: field, type: start(from), fields: access });
      // Skips what follows a field, such as NOT NULL or a comment.
      while (at < tokens.length && tokens[at] !== "," && tokens[at] !== ">") at++;
    }
    at++;
    if (name === "STRUCT") return fields;
    // For an array of structs, `items.price` is the array of the prices.
    return name === "ARRAY" ? (inner[0] ?? "any") : "any";
  };
  const skip = (): FieldAccess => {
    at = tokens.length;
    return "any";
  };
  return type(1);
}

const unquoted = (token: string) =>
  token.startsWith("`") ? token.slice(1, -1).replaceAll("``", "`") : token;
