import { type NameDefaults, quoteIdentifier, type TableName } from "@lakehelm/sql/names";
import type { Artifact } from "./artifact.ts";
import { parameterFunction } from "./notebook.ts";
import { catalogMark, pythonNames, schemaMark, splitAtMarks } from "./text/name-marks.ts";
import { pythonString } from "./text/python.ts";

/** The bundle's variables for the environment's catalog and schema. Job parameters pass their values to notebooks. */
const nameVariables = ["catalog", "schema"] as const;

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** The table's name with marks for the environment's catalog and schema. Names in other catalogs are unchanged. */
export function variableName(name: TableName, { catalog, schema }: NameDefaults): TableName {
  if (!same(name.catalog, catalog)) return name;
  return { ...name, catalog: catalogMark, schema: same(name.schema, schema) ? schemaMark : name.schema };
}

/**
 * The names that replace the marks in the environment's own target. `table` is the table that a flow publishes into.
 */
type ResolvedNames = NameDefaults & { readonly table?: string };

/** The text with these names, as it runs in that target. */
export const resolvedNames = (text: string, names: ResolvedNames): string =>
  splitAtMarks(text)
    .map((part) => {
      if (typeof part === "string") return part;
      const name = names[part.name] ?? "";
      return part.quoted ? quoteIdentifier(name) : name;
    })
    .join("");

/** The text with the marks replaced by references to the bundle's variables. */
export const bundleNames = (text: string): string =>
  splitAtMarks(text)
    .map((part) => {
      if (typeof part === "string") return part;
      return `\${var.${part.name}}`;
    })
    .join("");

/** A notebook whose strings contain marks. Its comments and its statements get the environment's own names. */
export const withNames = (notebook: Artifact, names: ResolvedNames): Artifact => ({
  ...notebook,
  about: resolvedNames(notebook.about, names),
  content: resolvedNames(notebook.content, names),
  ...(notebook.statements && {
    statements: notebook.statements.map((statement) => resolvedNames(statement, names)),
  }),
  variables: nameValues(names),
});

/** The values of the Python variables for names, for the checks. */
const nameValues = ({ catalog, schema, table }: ResolvedNames): Readonly<Record<string, string>> => ({
  [pythonNames.catalog.sql]: quoteIdentifier(catalog),
  [pythonNames.catalog.plain]: catalog,
  [pythonNames.schema.sql]: quoteIdentifier(schema),
  [pythonNames.schema.plain]: schema,
  ...(table !== undefined && { [pythonNames.table.sql]: quoteIdentifier(table) }),
});

/** The job parameters that a notebook reads. Their defaults are the bundle's variables. */
export const nameParameters = (...notebooks: readonly string[]): { name: string; default: string }[] =>
  nameVariables
    .filter((name) => notebooks.some((code) => code.includes(`parameter("${name}",`)))
    .map((name) => ({ name, default: `\${var.${name}}` }));

/** Python: the catalog and the schema, if `code` uses them. Code that is not empty requires `import argparse`. */
export function nameCode(
  code: string,
  defaults: NameDefaults,
  { hasParameters = false }: { hasParameters?: boolean } = {},
): string {
  const uses = (name: string) => code.includes(`{${name}}`);
  const used = nameVariables.filter((name) => uses(pythonNames[name].sql) || uses(pythonNames[name].plain));
  if (used.length === 0) return "";
  const quoted = used.filter((name) => uses(pythonNames[name].sql));
  const assignments = used.flatMap((name) => {
    const { sql, plain } = pythonNames[name];
    const value = `parameter("${name}", ${pythonString(defaults[name])})`;
    if (!uses(plain)) return [`${sql} = identifier(${value})`];
    return [`${plain} = ${value}`, ...(quoted.includes(name) ? [`${sql} = identifier(${plain})`] : [])];
  });
  return [
    ...(hasParameters ? [] : [parameterFunction]),
    ...(quoted.length > 0 ? [identifierFunction] : []),
    `# Where the tables are: variables of the bundle.\n${assignments.join("\n")}`,
  ].join("\n\n\n");
}

const identifierFunction = `
def identifier(name):
    """The name in SQL: in backticks, unless it is a plain word."""
    return name if name.isascii() and name.isidentifier() else "\`" + name.replace("\`", "\`\`") + "\`"
`.trim();
