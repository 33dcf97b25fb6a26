import type { GlossaryUpdateInput } from "@lakehelm/contract";
import { shown } from "@lakehelm/contract/text";
import type { MetadataStatement } from "@lakehelm/sql";
import { readMetadataStatement, readSqlFile } from "@lakehelm/sql";
import type { Artifact } from "../artifact.ts";
import { notebookStatements } from "./notebook-statements.ts";

/** One description or tag, and its new value; null clears or removes it. */
interface ChangedValue {
  readonly column: string | undefined;
  readonly tag: string | undefined;
  readonly value: string | null;
}

/**
 * Reads the files back and compares what they say with what was asked, without knowing how they were made. Nothing
 * but descriptions and tags of the request's table can pass: every other statement is one that cannot be read here.
 */
export function metadataFailures(request: GlossaryUpdateInput, artifacts: readonly Artifact[]): string[] {
  const file = (name: string) => artifacts.find(({ path }) => path.endsWith(`/${name}`));
  const sql = file("alter.sql");
  const notebook = file("alter.py");
  const undo = file("undo.sql");
  if (!sql || !notebook) return ["alter.sql or alter.py was not generated."];

  const asked = requestedChanges(request);
  const alter = readFile(request, sql);
  const back = undo ? readFile(request, undo) : { touches: [], failures: [] };
  const touched = new Set(asked.map(describeObject));
  return [
    ...alter.failures,
    ...(alter.failures.length > 0 ? [] : difference(sql.path, asked, alter.touches)),
    ...notebookFailures(notebook, sql),
    ...back.failures,
    ...back.touches
      .filter((touch) => !touched.has(describeObject(touch)))
      .map((touch) => `${undo?.path}: ${describeObject(touch)} is changed, but alter.sql leaves it alone.`),
  ];
}

/** In the order of the artifacts: each description, the tags that go, the tags that come. */
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
  const touches: ChangedValue[] = [];
  for (const { text } of statements) {
    const { meaning, problem } = readMetadataStatement(text);
    if (problem !== undefined) failures.push(`${path}: ${shown(text)} cannot be handed out: ${problem}`);
    else if (!isTable(request, meaning.table))
      failures.push(`${path}: ${shown(text)} is about another table.`);
    else touches.push(...touchesOf(meaning));
  }
  return { touches, failures };
}

const isTable = (
  request: GlossaryUpdateInput,
  [catalog, schema, table, ...more]: readonly string[],
): boolean =>
  catalog === request.catalog_name &&
  schema === request.schema_name &&
  table === request.table_name &&
  more.length === 0;

function touchesOf(meaning: MetadataStatement): ChangedValue[] {
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

/** The first difference is told: after it nothing stands in its place. */
function difference(path: string, asked: readonly ChangedValue[], said: readonly ChangedValue[]): string[] {
  const length = Math.max(asked.length, said.length);
  for (let at = 0; at < length; at += 1) {
    const [wanted, found] = [describeChange(asked[at]), describeChange(said[at])];
    if (wanted !== found) return [`${path}: expected ${wanted}, found ${found}.`];
  }
  return [];
}

const describeObject = ({ column, tag }: ChangedValue): string => {
  const object = column === undefined ? "the table" : `the column ${JSON.stringify(column)}`;
  return tag === undefined ? `the description of ${object}` : `the tag ${JSON.stringify(tag)} of ${object}`;
};

const describeChange = (touch: ChangedValue | undefined): string =>
  touch ? `${describeObject(touch)} as ${JSON.stringify(touch.value)}` : "nothing more";

function notebookFailures(notebook: Artifact, sql: Artifact): string[] {
  const expected = readSqlFile(sql.content).statements.map(({ text }) => text);
  const found = notebookStatements(notebook.content);
  const same = found.length === expected.length && found.every((text, at) => text === expected[at]);
  return same ? [] : [`${notebook.path}: its statements are not those of alter.sql.`];
}
