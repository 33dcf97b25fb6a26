import type { Suggest, Suggestion } from "../../editor/editor.ts";
import { functions, keywords } from "./words.ts";

interface KnownTable {
  readonly catalog: string;
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** Names in the catalog, for completion. */
export interface KnownNames {
  readonly catalogs: () => Promise<readonly string[]>;
  readonly schemas: () => Promise<readonly { readonly catalog: string; readonly name: string }[]>;
  /** Tables whose name begins with this text or contains it. */
  readonly tables: (text: string) => Promise<readonly KnownTable[]>;
  /** The tables that a name of one to three parts may refer to. */
  readonly named: (parts: readonly string[]) => Promise<readonly KnownTable[]>;
}

const name = '(?:`[^`]*`|"[^"]*"|[\\p{L}\\p{N}_$]+)';
/** Matches `from shop.sales.orders as o` and `join customers c`. */
const reference = new RegExp(
  `\\b(?:from|join)\\s+(${name}(?:\\.${name}){0,2})(?:\\s+(?:as\\s+)?([\\p{L}_][\\p{L}\\p{N}_$]*))?`,
  "giu",
);
const beforeTable = /\b(?:from|join|table|describe)\s+$/i;
const words = new Set(keywords.map((word) => word.toLowerCase()));
const plain = /^[a-z_][a-z0-9_]*$/i;

/** Names are case-insensitive. */
const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
const unquoted = (part: string) => part.replace(/^[`"]|[`"]$/g, "");
const partsOf = (text: string): readonly string[] => (text.match(new RegExp(name, "gu")) ?? []).map(unquoted);

/** The tables that a statement reads, with their aliases. */
function tablesIn(statement: string): readonly { parts: readonly string[]; alias: string }[] {
  return [...statement.matchAll(reference)].map(([, table = "", alias]) => {
    const parts = partsOf(table);
    const isAlias = alias !== undefined && !words.has(alias.toLowerCase());
    return { parts, alias: isAlias ? alias : (parts.at(-1) ?? "") };
  });
}

/** Completion of SQL: tables after FROM and JOIN, otherwise columns of the statement's tables, functions and keywords. */
export function suggestNames(known: KnownNames, quote: (text: string) => string): Suggest {
  const written = (text: string) => (plain.test(text) && !words.has(text.toLowerCase()) ? text : quote(text));
  const asTable = ({ catalog, schema, name: table }: KnownTable): Suggestion => ({
    text: written(table),
    kind: "class",
    note: `${catalog}.${schema}`,
  });
  const asColumns = (tables: readonly KnownTable[]): readonly Suggestion[] =>
    tables.flatMap(({ name: table, columns }) =>
      columns.map((column) => ({
        text: written(column.name),
        kind: "property" as const,
        note: tables.length > 1 ? `${column.type} · ${table}` : column.type,
      })),
    );
  const asNamespace = (text: string, note: string): Suggestion => ({
    text: written(text),
    kind: "namespace",
    note,
  });

  async function afterDot(path: readonly string[], statement: string): Promise<readonly Suggestion[]> {
    const last = path.at(-1) ?? "";
    const meant = tablesIn(statement).find(({ alias }) => path.length === 1 && isSame(alias, last));
    if (meant) return asColumns((await known.named(meant.parts)).slice(0, 1));
    const schemas = await known.schemas();
    const tables = await known.tables("");
    if (path.length === 1 && (await known.catalogs()).some((one) => isSame(one, last)))
      return schemas
        .filter(({ catalog }) => isSame(catalog, last))
        .map((one) => asNamespace(one.name, "schema"));
    const isSchema = (one: { readonly catalog: string; readonly name: string }) =>
      isSame(one.name, last) && (path.length === 1 || isSame(one.catalog, path[0] ?? ""));
    if (path.length < 3 && schemas.some(isSchema))
      return tables
        .filter(({ catalog, schema }) => isSchema({ catalog, name: schema }))
        .map((one) => ({ text: written(one.name), kind: "class" as const }));
    return asColumns((await known.named(path)).slice(0, 1));
  }

  return async (word, before, after) => {
    const statement = `${before.slice(before.lastIndexOf(";") + 1)}${word}${after.split(";", 1)[0]}`;
    const parts = word.split(".");
    const path = parts.slice(0, -1).map(unquoted);
    if (path.length > 0) return afterDot(path, statement);
    if (beforeTable.test(before))
      return [
        ...(await known.tables(unquoted(word))).map(asTable),
        ...(await known.schemas()).map((one) => asNamespace(one.name, "schema")),
        ...(await known.catalogs()).map((one) => asNamespace(one, "catalog")),
      ];
    const read = tablesIn(statement);
    const tables = await Promise.all(
      read.map(async ({ parts: named }) => (await known.named(named)).slice(0, 1)),
    );
    return [
      ...asColumns(tables.flat()),
      ...read.map(({ alias }) => ({ text: written(alias), kind: "class" as const, note: "table" })),
      ...functions.map((text) => ({ text, kind: "function" as const })),
      ...keywords.map((text) => ({
        text: isLower(word) ? text.toLowerCase() : text,
        kind: "keyword" as const,
      })),
    ];
  };
}

const isLower = (text: string) => text === text.toLowerCase();
