import type { GlossaryUpdateInput } from "@lakehelm/contract";
import { shown } from "@lakehelm/contract/text";
import type { MetadataStatement } from "@lakehelm/sql";
import { readMetadataStatement, readSqlFile } from "@lakehelm/sql";
import type { Artifact } from "../artifact.ts";
import { notebookStatements } from "./notebook-statements.ts";

/** The new value of one description or tag; null clears or removes it. */
interface ChangedValue {
  readonly column: string | undefined;
  readonly tag: string | undefined;
  readonly value: string | null;
}

/**
 * Parses the files and compares their changes with the request, without the generator's code. Only descriptions and
 * tags of the requested table pass, because no other statement can be parsed here.
 */
export function metadataFailures(request: GlossaryUpdateInput, artifacts: readonly Artifact[]): string[] {
  const file = (name: string) => artifacts.find(({ path }) => path.endsWith(`/${name}`));
  const sql = file("alter.sql");
  const notebook = file("alter.py");
  const undo = file("undo.sql");
  if (!sql || !notebook) return ["alter.sql or alter.py was not generated."];

  const requested = requestedChanges(request);
  const alter = readFile(request, sql);
  const back = undo ? readFile(request, undo) : { changes: [], failures: [] };
  const touched = new Set(requested.map(describeObject));
  return [
    ...alter.failures,
    ...(alter.failures.length > 0 ? [] : difference(sql.path, requested, alter.changes)),
    ...notebookFailures(notebook, sql),
    ...back.failures,
    ...back.changes
      .filter((change) => !touched.has(describeObject(change)))
      .map(
        (change) => `${undo?.path}: ${describeObject(change)} is changed, but alter.sql does not change it.`,
      ),
  ];
}

/**
 * The requested changes in the order of the artifacts: for each object its description, then removed tags, then new
 * tags.
 */
function requestedChanges({ change }: GlossaryUpdateInput): ChangedValue[] {
  const table = { column: undefined, description: change.table_description, column_tags: change.table_tags };
  return [table, ...change.columns].flatMap(({ column, description, column_tags }) => {
    const tags = Object.entries(column_tags ?? {}).map(([tag, value]): ChangedValue => {
      return { column, tag, value: value === null ? null : String(value) };
    });
    return [
      ...(description === null || description === undefined
        ? []
        : [{ column, tag: undefined, value: description || null }]),
      ...tags.filter(({ value }) => value === null),
      ...tags.filter(({ value }) => value !== null),
    ];
  });
}

function readFile(request: GlossaryUpdateInput, { path, content }: Artifact) {
  const { statements, problems } = readSqlFile(content);
  const failures = problems.map(({ message }) => `${path}: ${message}`);
  const changes: ChangedValue[] = [];
  for (const { text } of statements) {
    const { meaning, problem } = readMetadataStatement(text);
    if (problem !== undefined) failures.push(`${path}: ${shown(text)} is not allowed: ${problem}`);
    else if (!isTable(request, meaning.table))
      failures.push(`${path}: ${shown(text)} is about another table.`);
    else changes.push(...changedValues(meaning));
  }
  return { changes, failures };
}

const isTable = (
  request: GlossaryUpdateInput,
  [catalog, schema, table, ...more]: readonly string[],
): boolean =>
  catalog === request.catalog_name &&
  schema === request.schema_name &&
  table === request.table_name &&
  more.length === 0;

function changedValues(meaning: MetadataStatement): ChangedValue[] {
  const column = "column" in meaning ? meaning.column : undefined;
  switch (meaning.kind) {
    case "tableComment":
    case "columnComment":
      return [{ column, tag: undefined, value: meaning.text || null }];
    case "tableTags":
    case "columnTags":
      return meaning.set.map(({ key, value }) => ({ column, tag: key, value }));
    case "tableTagsUnset":
    case "columnTagsUnset":
      return meaning.unset.map((tag) => ({ column, tag, value: null }));
  }
}

/** Only the first difference, because later ones usually follow from it. */
function difference(
  path: string,
  requested: readonly ChangedValue[],
  actual: readonly ChangedValue[],
): string[] {
  const length = Math.max(requested.length, actual.length);
  for (let at = 0; at < length; at += 1) {
    const [expected, found] = [describeChange(requested[at]), describeChange(actual[at])];
    if (expected !== found) return [`${path}: expected ${expected}, found ${found}.`];
  }
  return [];
}

const describeObject = ({ column, tag }: ChangedValue): string => {
  const object = column === undefined ? "the table" : `the column ${JSON.stringify(column)}`;
  return tag === undefined ? `the description of ${object}` : `the tag ${JSON.stringify(tag)} of ${object}`;
};

const describeChange = (change: ChangedValue | undefined): string =>
  change ? `${describeObject(change)} as ${JSON.stringify(change.value)}` : "nothing more";

function notebookFailures(notebook: Artifact, sql: Artifact): string[] {
  const expected = readSqlFile(sql.content).statements.map(({ text }) => text);
  const found = notebookStatements(notebook.content);
  const same = found.length === expected.length && found.every((text, at) => text === expected[at]);
  return same ? [] : [`${notebook.path}: its statements are not those of alter.sql.`];
}
