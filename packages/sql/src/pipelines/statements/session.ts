import type { NameDefaults } from "../../names.ts";
import { type Cursor, Unexpected } from "../../statements/cursor.ts";
import type { Statement } from "./statement.ts";

/** What earlier statements of a file have set for later ones. */
export interface Session {
  within: NameDefaults;
  readonly configuration: Map<string, string>;
}

/** After USE: a catalog, a schema, or both. */
export function readUse(cursor: Cursor, session: Session): undefined {
  const { catalog, schema } = session.within;
  if (cursor.takes("CATALOG")) {
    session.within = { catalog: cursor.name(), schema };
    return;
  }
  if (!cursor.takes("SCHEMA")) cursor.takes("DATABASE");
  const at = cursor.at();
  const parts = cursor.names();
  if (parts.length > 2) throw new Unexpected(at, "expected a name of at most two parts.");
  const [used = schema, owner = catalog] = parts.toReversed();
  session.within = { catalog: owner, schema: used };
}

/** After SET: `key = value`. The value is text, as it stands; quotes are part of it. */
export function readSet(cursor: Cursor, { written: { text } }: Statement, session: Session): undefined {
  const at = cursor.at();
  if (cursor.takes("CATALOG")) {
    session.within = { ...session.within, catalog: cursor.name() };
    return;
  }
  cursor.names();
  const key = text.slice(at, cursor.past());
  cursor.expect("=");
  const words = cursor.until("a value");
  session.configuration.set(key, text.slice(words[0]?.start, words.at(-1)?.end));
}
