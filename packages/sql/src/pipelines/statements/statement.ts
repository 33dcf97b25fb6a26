import { UnexpectedToken } from "../../grammar/token-cursor.ts";
import type { SqlToken } from "../../lexer/token.ts";
import type { NameDefaults } from "../../names.ts";
import { namePartProblem, type TableName } from "../../names.ts";
import type { FileLocation } from "../plan.ts";
import { locateInFile, type SourceText } from "../source-text.ts";

/** A `:name` in a text, by offsets; the colon is part of it. */
export interface SqlParameter {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** One statement of a library, and what is known where it stands. */
export interface SourceStatement {
  /** The text that its words are from: they may be some of it. */
  readonly source: SourceText;
  /** The same with a number in the place of each parameter: whoever reads a statement does not know these. */
  readonly readable: string;
  readonly parameters: readonly SqlParameter[];
  readonly tokens: readonly SqlToken[];
  readonly defaults: NameDefaults;
  /** The pipeline's own, which `LIVE.` stands for; a script has none. */
  readonly pipelineDefaults: NameDefaults | undefined;
  /** Notes a mistake at an offset of the text. */
  report(at: number, message: string): void;
}

export const locationAt = (
  { source: { text, segments: pieces } }: SourceStatement,
  at: number,
): FileLocation => locateInFile(text, pieces, at);

/** Where a statement begins. */
export const statementLocation = (statement: SourceStatement): FileLocation =>
  locationAt(statement, statement.tokens[0]?.start ?? 0);

/** The table of a name of one to three parts, which begins at an offset. */
export function tableOf(parts: readonly string[], at: number, statement: SourceStatement): TableName {
  if (parts.length > 3) throw new UnexpectedToken(at, "expected a name of at most three parts.");
  const table = qualifiedName(parts, statement);
  const problem = Object.values(table)
    .map(namePartProblem)
    .find((found) => found !== undefined);
  if (problem !== undefined) throw new UnexpectedToken(at, problem);
  return table;
}

/** The same for whatever may be a name. */
export function qualifiedName(
  parts: readonly string[],
  { defaults, pipelineDefaults: home }: SourceStatement,
): TableName {
  const isLive = home && parts.length === 2 && parts[0]?.toLowerCase() === "live";
  const own = isLive ? home : defaults;
  const [table = "", schema = own.schema, catalog = own.catalog] = parts.slice(isLive ? 1 : 0).toReversed();
  return { catalog, schema, table };
}
