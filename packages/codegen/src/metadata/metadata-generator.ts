import { createHash } from "node:crypto";
import type { GlossaryUpdateInput } from "@lakehelm/contract";
import { shown } from "@lakehelm/contract/text";
import { fileSlug, plainName, sqlName, type TableName } from "@lakehelm/sql/names";
import type { Artifact, GenerationResult } from "../artifact.ts";
import type { GenerationContext } from "../generation-context.ts";
import { alterNotebook } from "./alter-notebook.ts";
import { changesOf, type ObjectChange, objectChanges, withStatement } from "./change.ts";
import { metadataProblems } from "./metadata-problems.ts";
import { type StatementGroup, sqlFile } from "./sql-file.ts";
import type { TableMetadata } from "./table-metadata.ts";
import { undoOf } from "./undo.ts";

/** Generates statements that change only descriptions and tags of a table and its columns. */
export function generateMetadata(
  request: GlossaryUpdateInput,
  context: GenerationContext,
  known: TableMetadata | undefined,
): GenerationResult {
  const errors = metadataProblems(request, known);
  if (errors.length > 0) return { errors };

  const table: TableName = {
    catalog: request.catalog_name,
    schema: request.schema_name,
    table: request.table_name,
  };
  // Tables often have the same name in every environment, so a file says which environment it is for: a user may run it
  // by hand.
  const where = `For the environment ${shown(context.environment)}.`;
  const objects = objectChanges(request);
  const earlier = undoOf(objects, known);
  const folder = `src/metadata/${plainName(table).split(".").map(fileSlug).join(".")}/${changeId(objects, earlier)}`;
  const groups = objects
    .map(
      (object): StatementGroup => ({
        column: object.column,
        changes: changesOf(object).map((change) => withStatement(table, change)),
      }),
    )
    .filter(({ changes }) => changes.length > 0);
  const changes = groups.flatMap((group) => group.changes);
  const alter = sqlArtifact(`${folder}/alter.sql`, table, groups, {
    about: "Changes descriptions and tags: the table's, then each column's.",
    header: [`Descriptions and tags of ${sqlName(table)}. Running this again changes nothing.`, where],
  });
  const notebook: Artifact = {
    path: `${folder}/alter.py`,
    content: alterNotebook(table, changes, where),
    fileType: "python",
    about: "The statements of alter.sql as a notebook for a job; tags are skipped where they do not exist.",
    statements: changes.map(({ sql }) => sql),
  };
  const undo = earlier.map(
    (state): StatementGroup => ({
      ...state,
      changes: state.changes.map((change) => withStatement(table, change)),
    }),
  );
  if (!undo.some((group) => group.changes.length > 0)) return { artifacts: [alter, notebook] };

  const back = sqlArtifact(`${folder}/undo.sql`, table, undo, {
    about: "Restores the earlier descriptions and tags, as far as the catalog knows them.",
    header: [`Undoes alter.sql: descriptions and tags of ${sqlName(table)} as they were before.`, where],
  });
  return { artifacts: [alter, notebook, back] };
}

/**
 * Two changes of one table are in two folders, so that neither overwrites the other's files. The same change gets the
 * same folder again, unless the catalog has changed since, because then its undo differs.
 */
const changeId = (objects: readonly ObjectChange[], undo: readonly object[]): string =>
  createHash("sha256")
    .update(JSON.stringify([objects.map(changesOf), undo]), "utf8")
    .digest("hex")
    .slice(0, 8);

const removal = "Databricks may fail to remove a tag that does not exist. You can ignore that error.";

function sqlArtifact(
  path: string,
  table: TableName,
  groups: readonly StatementGroup[],
  { about, header }: { about: string; header: readonly string[] },
): Artifact {
  const changes = groups.flatMap((group) => group.changes);
  const removes = changes.some(({ kind }) => kind === "unset tag");
  return {
    path,
    content: sqlFile(table, removes ? [...header, removal] : header, groups),
    fileType: "sql",
    about,
    statements: changes.map(({ sql }) => sql),
  };
}
