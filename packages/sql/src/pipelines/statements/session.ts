import { type TokenCursor, UnexpectedToken } from "../../grammar/token-cursor.ts";
import type { NameDefaults } from "../../names/table-name.ts";
import type { SourceStatement } from "./statement.ts";

/** The defaults and values that the statements of a file set for later statements. */
export interface SqlSession {
  defaults: NameDefaults;
  readonly configuration: Map<string, string>;
}

/** Reads what follows USE: a catalog, a schema, or both. */
export function readUse(cursor: TokenCursor, session: SqlSession): undefined {
  const { catalog, schema } = session.defaults;
  if (cursor.takes("CATALOG")) {
    session.defaults = { catalog: cursor.name(), schema };
    return;
  }
  if (!cursor.takes("SCHEMA")) cursor.takes("DATABASE");
  const at = cursor.at();
  const parts = cursor.names();
  if (parts.length > 2) throw new UnexpectedToken(at, "a schema name has at most two parts.");
  const [used = schema, owner = catalog] = parts.toReversed();
  session.defaults = { catalog: owner, schema: used };
}

/** Reads what follows SET: `key = value`. The value is the text as written, including quotes. */
export function readSet(
  cursor: TokenCursor,
  { source: { text } }: SourceStatement,
  session: SqlSession,
): undefined {
  const at = cursor.at();
  if (cursor.takes("CATALOG")) {
    session.defaults = { ...session.defaults, catalog: cursor.name() };
    return;
  }
  cursor.names();
  const key = text.slice(at, cursor.past());
  cursor.expect("=");
  const words = cursor.until("a value");
  session.configuration.set(key, text.slice(words[0]?.start, words.at(-1)?.end));
}
