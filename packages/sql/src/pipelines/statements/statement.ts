import type { NameDefaults } from "../../names.ts";
import { namePartProblem, type TableName } from "../../names.ts";
import { Unexpected } from "../../statements/cursor.ts";
import type { Token } from "../../token.ts";
import type { SourcePlace } from "../plan.ts";
import { placeIn, type Written } from "../written.ts";

/** A `:name` in a text, by offsets; the colon is part of it. */
export interface Parameter {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** One statement of a library, and what is known where it stands. */
export interface Statement {
  /** The text that its words are from: they may be some of it. */
  readonly written: Written;
  /** The same with a number in the place of each parameter: whoever reads a statement does not know these. */
  readonly readable: string;
  readonly parameters: readonly Parameter[];
  readonly tokens: readonly Token[];
  readonly within: NameDefaults;
  /** The pipeline's own, which `LIVE.` stands for; a script has none. */
  readonly home: NameDefaults | undefined;
  /** Notes a mistake at an offset of the text. */
  complain(at: number, message: string): void;
}

export const placeAt = ({ written: { text, pieces } }: Statement, at: number): SourcePlace =>
  placeIn(text, pieces, at);

/** Where a statement begins. */
export const placeOfStatement = (statement: Statement): SourcePlace =>
  placeAt(statement, statement.tokens[0]?.start ?? 0);

/** The table of a name of one to three parts, which begins at an offset. */
export function tableOf(parts: readonly string[], at: number, statement: Statement): TableName {
  if (parts.length > 3) throw new Unexpected(at, "expected a name of at most three parts.");
  const table = completed(parts, statement);
  const problem = Object.values(table)
    .map(namePartProblem)
    .find((found) => found !== undefined);
  if (problem !== undefined) throw new Unexpected(at, problem);
  return table;
}

/** The same for whatever may be a name. */
export function completed(parts: readonly string[], { within, home }: Statement): TableName {
  const isLive = home && parts.length === 2 && parts[0]?.toLowerCase() === "live";
  const own = isLive ? home : within;
  const [table = "", schema = own.schema, catalog = own.catalog] = parts.slice(isLive ? 1 : 0).toReversed();
  return { catalog, schema, table };
}
