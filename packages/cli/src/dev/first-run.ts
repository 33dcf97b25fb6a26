import { environmentName } from "../commands/plan.ts";
import { type Io, write } from "../io.ts";
import { printRows } from "../output/print.ts";
import type { Project } from "../project/project.ts";
import { applyOnce, devSession } from "./apply-once.ts";
import { runOnce } from "./first-runs.ts";
import type { DevServer } from "./server.ts";

/** Applies a project made from the example, runs everything once, and shows the table that this computes. */
export async function firstRun(io: Io, server: DevServer, project: Project): Promise<void> {
  const session = await devSession(io, server, project);
  await applyOnce(io, session, project);
  await runOnce(io, server.client, environmentName(project, session));
  const sql = "select day, orders, revenue from shop.marts.revenue order by day";
  const { columns, rows } = await server.client.runQuery({ body: { sql }, signal: io.signal });
  await write(io.stdout, `\nshop.marts.revenue:\n`);
  const items = rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at]])));
  await printRows(
    io,
    items,
    columns.map(({ name }) => name),
  );
}
