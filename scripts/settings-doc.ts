/** Prints docs/settings.md from the table of settings: `node run.js scripts/settings-doc.ts`. */
import { resolve } from "node:path";
import { settingTable } from "../packages/server/src/settings.ts";

const intro = `# Settings

Every setting is an environment variable. They are read once, at the start; a wrong one ends the start, and all
wrong ones are named at once. An empty value counts as unset.

This page is printed from \`packages/server/src/settings.ts\`, and a test holds it to that. To print it again:

\`\`\`sh
node_modules/.bin/node run.js scripts/settings-doc.ts > docs/settings.md
\`\`\`
`;

export function settingsDoc(): string {
  const rows = Object.entries(settingTable).map(([name, { shown, meaning }]) => [
    `\`${name}\``,
    shown === "unset" || shown === "none" ? shown : `\`${shown}\``,
    meaning,
  ]);
  return `${intro}\n${table(["setting", "default", "meaning"], rows)}`;
}

/** Columns of one width, as the formatter wants them. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  const padded = (row: readonly string[]) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0));
  return [padded(head), widths.map((width) => "-".repeat(width)), ...rows.map(padded)].map(line).join("");
}

const [, , started] = process.argv;
if (started !== undefined && resolve(started) === import.meta.filename) process.stdout.write(settingsDoc());
