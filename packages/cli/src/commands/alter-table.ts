import type { TableAlteration } from "@lakehelm/contract";
import { openSession } from "../connection/session.ts";
import { Failure } from "../failure.ts";
import { type GlobalOptions, outputOf } from "../globals.ts";
import { confirm } from "../input/prompt.ts";
import { type Io, note, write } from "../io.ts";
import { oneLine } from "../output/escape.ts";
import { printValue } from "../output/print.ts";
import type { TableChange } from "../table-change.ts";
import { UsageError } from "../usage-error.ts";

interface AlterOptions {
  readonly force?: boolean;
  readonly yes?: boolean;
  readonly plan?: boolean;
}

/** Plans the changes, shows the plan, asks for confirmation, and applies them. */
export async function alterTable(
  io: Io,
  table: string,
  changes: TableChange[],
  { force = false, yes = false, plan: isPlanOnly = false }: AlterOptions,
  globals: GlobalOptions,
): Promise<void> {
  if (changes.length === 0)
    throw new UsageError("Say what to change: --set-type, --drop, --rename, --first or --after.");
  const { client } = await openSession(io, globals);
  const output = outputOf(globals);
  const isForPeople = output.output === "table" && output.query === undefined;
  const plan = await client.planTableAlteration({ body: { table, changes }, signal: io.signal });
  if (isForPeople) await write(io.stdout, planText(plan));
  if (isPlanOnly || plan.changes.length === 0) {
    if (!isForPeople) await printValue(io, plan, output);
    return;
  }
  if (plan.problems.length > 0)
    throw new Failure(`${plan.table} was not changed. ${plan.problems.join(" ")}`);
  if (plan.breaking && !force) {
    const isFound = plan.readers.length > 0 || plan.writers.some(({ level }) => level === "breaking");
    throw new Failure(
      `${plan.table} was not changed, because something ${isFound ? "depends" : "may depend"} on what it has now. To change it nevertheless: --force`,
    );
  }
  if (!yes) await ask(io);
  const done = await client.alterTable({
    body: { table, changes, force, digest: plan.digest },
    signal: io.signal,
  });
  if (isForPeople) note(io, `${oneLine(done.table)} is changed.`);
  else await printValue(io, done, output);
}

async function ask(io: Io): Promise<void> {
  if (!io.stdin.isTTY || io.env.CI) throw new UsageError("Nobody can confirm here. Use --yes.");
  if (!(await confirm(io, "Change the table?"))) throw new Failure("Nothing was changed.");
}

/** The text of a plan. Names come from other users, so their control characters are escaped. */
function planText({ table, changes, writers, readers, unknown, problems }: TableAlteration): string {
  const lines = [
    table,
    ...(changes.length === 0 ? ["  It has these columns already: nothing changes."] : []),
    ...changes.map((text) => `  ~ ${text}`),
    ...writers
      .filter(({ level }) => level !== "refused")
      .map(
        ({ kind, name, level, sentence }) =>
          `  ${level === "breaking" ? "!" : " "} ${kind} ${name}: ${sentence}`,
      ),
    ...readers.map(({ kind, name, via }) => `  ! ${kind} ${name}: ${via}`),
    ...unknown.map((name) => `    The tables of ${name} are not all known.`),
    ...problems.map((text) => `  × ${text}`),
  ];
  return `${lines.map(oneLine).join("\n")}\n`;
}
