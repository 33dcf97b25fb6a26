import { type TokenCursor, UnexpectedToken } from "../../grammar/token-cursor.ts";

export interface Clauses {
  readonly comment: string | null;
  readonly properties: Readonly<Record<string, string>>;
  readonly clusterBy: readonly string[];
}

/** The clauses between the columns and the query of a table, each at most once, in any order. */
export function clausesOf(cursor: TokenCursor): Clauses {
  const given = new Set<string>();
  let comment: string | null = null;
  let properties: Readonly<Record<string, string>> = {};
  let clusterBy: readonly string[] = [];
  const once = (...words: readonly string[]): boolean => {
    const at = cursor.at();
    if (!cursor.takes(...words)) return false;
    const what = words.join(" ");
    if (given.has(what)) throw new UnexpectedToken(at, `${what} appears twice.`);
    given.add(what);
    return true;
  };
  for (;;) {
    rejectUnsupported(cursor);
    if (once("COMMENT")) comment = cursor.text();
    else if (once("TBLPROPERTIES")) properties = propertiesOf(cursor);
    else if (once("CLUSTER", "BY")) clusterBy = clustering(cursor);
    else if (once("PARTITIONED", "BY")) cursor.list(() => cursor.name());
    else if (once("USING")) cursor.expect("DELTA");
    else return { comment, properties, clusterBy };
  }
}

const unsupported: readonly (readonly [string, string])[] = [
  ["SCHEDULE", "SCHEDULE is not supported: schedule the pipeline with an automation."],
  ["TRIGGER", "TRIGGER is not supported: start the pipeline with an automation."],
  ["LOCATION", "LOCATION is not supported: the platform decides where a table is stored."],
  ["WITH", "row filters are not supported: write the condition in the SELECT."],
];

function rejectUnsupported(cursor: TokenCursor): void {
  const found = unsupported.find(([word]) => cursor.sees(word));
  if (found) throw new UnexpectedToken(cursor.at(), found[1]);
}

function clustering(cursor: TokenCursor): readonly string[] {
  if (cursor.takes("AUTO") || cursor.takes("NONE")) return [];
  const at = cursor.at();
  const columns = cursor.list(() => cursor.name());
  if (columns.length > 4) throw new UnexpectedToken(at, "a table can be clustered by at most four columns.");
  return columns;
}

/** `('key' = 'value', a.b = true, …)` */
function propertiesOf(cursor: TokenCursor): Readonly<Record<string, string>> {
  const found = new Map<string, string>();
  cursor.list(() => {
    const at = cursor.at();
    const key = cursor.string() ?? cursor.names().join(".");
    cursor.takes("=");
    const value = cursor.string() ?? literal(cursor);
    if (found.has(key)) throw new UnexpectedToken(at, `${JSON.stringify(key)} appears twice.`);
    found.set(key, value);
  });
  return Object.fromEntries(found);
}

function literal(cursor: TokenCursor): string {
  for (const word of ["true", "false"]) if (cursor.takes(word)) return word;
  return String(cursor.number());
}
