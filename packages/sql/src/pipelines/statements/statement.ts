import { UnexpectedToken } from "../../grammar/token-cursor.ts";
import type { SqlToken } from "../../lexer/token.ts";
import type { NameDefaults } from "../../names/table-name.ts";
import { namePartProblem, type TableName } from "../../names/table-name.ts";
import type { FileLocation } from "../plan.ts";
import { locateInFile, type SourceText } from "../source-text.ts";

/** A `:name` in a text, by offsets that include the colon. */
export interface SqlParameter {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** A statement of a source and its session. */
export interface SourceStatement {
  /** The text that contains the tokens. It can contain other statements, too. */
  readonly source: SourceText;
  /** The same text with numbers in place of parameters, which the parser does not know. */
  readonly readable: string;
  readonly parameters: readonly SqlParameter[];
  readonly tokens: readonly SqlToken[];
  readonly defaults: NameDefaults;
  /** The defaults of the pipeline, to which `LIVE.` refers; a script has none. */
  readonly pipelineDefaults: NameDefaults | undefined;
  /** Adds a problem at an offset of the text. */
  report(at: number, message: string): void;
}

export const locationAt = (
  { source: { text, segments: pieces } }: SourceStatement,
  at: number,
): FileLocation => locateInFile(text, pieces, at);

/** The location of a statement's first token. */
export const statementLocation = (statement: SourceStatement): FileLocation =>
  locationAt(statement, statement.tokens[0]?.start ?? 0);

/** The table of a name with one to three parts. `at` is its offset. */
export function tableOf(parts: readonly string[], at: number, statement: SourceStatement): TableName {
  if (parts.length > 3) throw new UnexpectedToken(at, "a table name has at most three parts.");
  const table = qualifiedName(parts, statement);
  const problem = Object.values(table)
    .map(namePartProblem)
    .find((found) => found !== undefined);
  if (problem !== undefined) throw new UnexpectedToken(at, problem);
  return table;
}

/** Like `tableOf`, without checks. */
export function qualifiedName(
  parts: readonly string[],
  { defaults, pipelineDefaults: home }: SourceStatement,
): TableName {
  const isLive = home && parts.length === 2 && parts[0]?.toLowerCase() === "live";
  const own = isLive ? home : defaults;
  const [table = "", schema = own.schema, catalog = own.catalog] = parts.slice(isLive ? 1 : 0).toReversed();
  return { catalog, schema, table };
}
