/** Prints docs/reference/settings.md from the settings table: `node run.js scripts/settings-doc.ts`. */
import { resolve } from "node:path";
import type { AnySchema } from "@lakehelm/contract/schema";
import { credentialSettings } from "../packages/server/src/credentials.ts";
import { settingsSchema } from "../packages/server/src/settings.ts";

const intro = `# Settings

You configure Lakehelm with environment variables. The server reads them once, when it starts. An empty value counts as
unset. If values are invalid or a name is misspelled, the server says which and exits.

A credential can come from a file instead, as containers mount secrets: where the table says so, set \`<setting>_FILE\` to
the path of the file. The server removes credentials from its own environment when it starts, so that other processes
cannot read them there ([how](../how-to/run-in-production.md#start-in-production)).

This page is generated from \`packages/server/src/settings.ts\`, and a test checks that it is up to date. To generate it
again:

\`\`\`sh
node_modules/.bin/node run.js scripts/settings-doc.ts > docs/reference/settings.md
\`\`\`
`;

const credentials: ReadonlySet<string> = new Set(credentialSettings);

export function settingsDoc(): string {
  const rows = settingsSchema.fieldEntries.map(([name, schema]) => [
    `\`${name}\``,
    defaultText(schema),
    `${schema.jsonSchema(new Map()).description}${credentials.has(name) ? ` Or \`${name}_FILE\`.` : ""}`,
  ]);
  return `${intro}\n${table(["setting", "default", "meaning"], rows)}`;
}

function defaultText({ presence, fallback }: AnySchema): string {
  if (presence === "optional") return "unset";
  return typeof fallback === "object" ? "none" : `\`${fallback}\``;
}

/** Pads all cells of a column to the same width, as the formatter does. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  const padded = (row: readonly string[]) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0));
  return [padded(head), widths.map((width) => "-".repeat(width)), ...rows.map(padded)].map(line).join("");
}

const [, , started] = process.argv;
if (started !== undefined && resolve(started) === import.meta.filename) process.stdout.write(settingsDoc());
