import { type TokenCursor, UnexpectedToken } from "./token-cursor.ts";

interface MetadataTag {
  readonly key: string;
  readonly value: string;
}

/**
 * A statement about descriptions and tags. Names are lists of parts; `text` is the value that the engine will store.
 */
export type MetadataStatement =
  | { readonly kind: "tableComment"; readonly table: readonly string[]; readonly text: string | null }
  | { readonly kind: "tableTags"; readonly table: readonly string[]; readonly set: readonly MetadataTag[] }
  | { readonly kind: "tableTagsUnset"; readonly table: readonly string[]; readonly unset: readonly string[] }
  | {
      readonly kind: "columnComment";
      readonly table: readonly string[];
      readonly column: string;
      readonly text: string | null;
    }
  | {
      readonly kind: "columnTags";
      readonly table: readonly string[];
      readonly column: string;
      readonly set: readonly MetadataTag[];
    }
  | {
      readonly kind: "columnTagsUnset";
      readonly table: readonly string[];
      readonly column: string;
      readonly unset: readonly string[];
    };

/** `COMMENT ON TABLE t IS …` and `COMMENT ON COLUMN t.c IS …`, after COMMENT. */
export function commentOn(cursor: TokenCursor): MetadataStatement {
  cursor.expect("ON");
  if (cursor.takes("TABLE")) {
    const table = tableName(cursor);
    cursor.expect("IS");
    return { kind: "tableComment", table, text: textOrNull(cursor) };
  }
  cursor.expect("COLUMN");
  const at = cursor.at();
  const parts = cursor.names();
  const column = parts.at(-1) ?? "";
  const table = parts.slice(0, -1);
  if (table.length === 0 || table.length > 3)
    throw new UnexpectedToken(at, "expected a column name with its table, such as schema.table.column.");
  cursor.expect("IS");
  return { kind: "columnComment", table, column, text: textOrNull(cursor) };
}

/** After the name in `ALTER TABLE t`: tags or the description of a column; undefined for other changes. */
export function alterMetadata(cursor: TokenCursor, table: readonly string[]): MetadataStatement | undefined {
  if (cursor.takes("SET", "TAGS")) return { kind: "tableTags", table, set: tags(cursor) };
  if (cursor.takes("UNSET", "TAGS")) return { kind: "tableTagsUnset", table, unset: keys(cursor) };
  if (!cursor.takes("ALTER", "COLUMN")) return undefined;
  const column = cursor.name();
  if (cursor.takes("COMMENT")) return { kind: "columnComment", table, column, text: cursor.text() };
  if (cursor.takes("SET", "TAGS")) return { kind: "columnTags", table, column, set: tags(cursor) };
  if (cursor.takes("UNSET", "TAGS")) return { kind: "columnTagsUnset", table, column, unset: keys(cursor) };
  return cursor.fail("COMMENT, SET TAGS or UNSET TAGS");
}

export function tableName(cursor: TokenCursor): readonly string[] {
  const at = cursor.at();
  const parts = cursor.names();
  if (parts.length > 3) throw new UnexpectedToken(at, "a table name has at most three parts.");
  return parts;
}

const textOrNull = (cursor: TokenCursor): string | null => (cursor.takes("NULL") ? null : cursor.text());

function tags(cursor: TokenCursor): readonly MetadataTag[] {
  const at = cursor.at();
  const all = cursor.list(() => {
    const key = cursor.text();
    cursor.expect("=");
    return { key, value: cursor.text() };
  });
  distinct(
    at,
    all.map(({ key }) => key),
  );
  return all;
}

function keys(cursor: TokenCursor): readonly string[] {
  const at = cursor.at();
  const all = cursor.list(() => cursor.text());
  distinct(at, all);
  return all;
}

export function distinct(at: number, names: readonly string[]): void {
  const given = new Set<string>();
  for (const name of names) {
    if (given.has(name)) throw new UnexpectedToken(at, `${JSON.stringify(name)} appears twice.`);
    given.add(name);
  }
}
