import type { PlanStep } from "@lakehelm/contract";
import type { Session } from "../connection/session.ts";
import { exitCodes } from "../exit-codes.ts";
import { Exit, Failure } from "../failure.ts";
import { type GlobalOptions, outputOf } from "../globals.ts";
import { type Io, note, write } from "../io.ts";
import { oneLine } from "../output/escape.ts";
import { printValue } from "../output/print.ts";
import { short } from "../plan/plan-text.ts";
import { UsageError } from "../usage-error.ts";
import { comparedWith, type MadePlan, type PlanOptions } from "./plan.ts";

/** A resource that another caller has changed or deleted since the project was applied. */
export interface Drift {
  /** Identifies a difference that the server lists; null: it no longer exists, or there are too many to list. */
  readonly id: string | null;
  readonly kind: PlanStep["kind"];
  readonly name: string;
  readonly is_gone: boolean;
  readonly changes: PlanStep["drift"];
  /**
   * The last caller who changed the resource, and when; null: the event log has no such change, so it was made outside.
   */
  readonly by: string | null;
  readonly at: string | null;
}

/** The differences between the last applied state and the live state. */
async function driftOf({ plan, session }: MadePlan): Promise<Drift[]> {
  const { client, io } = session;
  const { signal } = io;
  const environment = plan.environment_id;
  await client.checkDrift({ environment, signal });
  const { drift: all } = await client.listDrift({ environment, query: { limit: 1000 }, signal });
  const known = new Map(
    all.filter(({ seen_in }) => seen_in === "project").map((one) => [`${one.kind} ${one.name}`, one]),
  );
  const found: Drift[] = [];
  for (const { kind, name, action, drift, resource_id } of plan.steps) {
    const own = known.get(`${kind} ${name}`);
    const is_gone = action === "create" && own?.change === "gone";
    if (drift.length === 0 && !is_gone) continue;
    const by = own?.changed_by ?? null;
    const last =
      by === null || resource_id === null ? undefined : await lastChange(session, `${kind}/${resource_id}`);
    found.push({
      id: own?.id ?? null,
      kind,
      name,
      is_gone,
      changes: drift,
      by,
      at: last?.actor === by ? (last?.time ?? null) : null,
    });
  }
  return found;
}

/** The drift of the named resources, or of all resources. */
export async function chosenDrift(made: MadePlan, names: readonly string[]): Promise<Drift[]> {
  const unknown = names.find((name) => !made.project.resources.some((one) => one.name === name));
  if (unknown !== undefined) throw new UsageError(`The project has no resource named ${short(unknown)}.`);
  const drifted = await driftOf(made);
  return names.length === 0 ? drifted : drifted.filter(({ name }) => names.includes(name));
}

async function lastChange({ client, io }: Session, subject: string) {
  const query = { subject, sort: "-created", limit: 20 } as const;
  const { events } = await client.readEvents({ query, signal: io.signal });
  return (
    events.find(({ kind }) =>
      /\.(?:updated|created|changed|defined|paused|resumed|dataset_\w+)$/.test(kind),
    ) ?? events[0]
  );
}

export async function showDrift(io: Io, options: PlanOptions, globals: GlobalOptions): Promise<void> {
  const output = outputOf(globals);
  const found = await driftOf(await comparedWith(io, options, globals));
  if (output.output !== "table" || output.query !== undefined) await printValue(io, found, output);
  else {
    for (const { kind, name, is_gone, changes, by, at } of found) {
      const who = by === null ? "outside" : `by ${by}${at === null ? "" : ` at ${at}`}`;
      await write(
        io.stdout,
        `${oneLine(`${kind} ${name}, ${is_gone ? "deleted" : "last changed"} ${who}`)}\n`,
      );
      for (const { path, before, after, sensitive } of changes) {
        const what = sensitive ? "(secret)" : `${short(before)} → ${short(after)}`;
        await write(io.stdout, `    ${oneLine(path)}: ${what}\n`);
      }
    }
    if (found.length === 0) await write(io.stdout, "Nothing differs from what the project has applied.\n");
    else
      note(io, "To keep it in the files: lakehelm adopt. To put it back as it was applied: lakehelm revert");
  }
  if (options.detailedExitcode && found.length > 0) throw new Exit(exitCodes.changes);
}

/** Reverts changes and deletions by other callers to the state that the project applied last. */
export async function revert(
  io: Io,
  names: readonly string[],
  options: PlanOptions,
  globals: GlobalOptions,
): Promise<void> {
  const made = await comparedWith(io, options, globals);
  const drifted = await chosenDrift(made, names);
  if (drifted.length === 0) return write(io.stdout, "Nothing differs from what the project has applied.\n");
  let left = 0;
  for (const { id, kind, name } of drifted) {
    if (id === null) {
      left += 1;
      note(io, oneLine(`${kind} ${name}: the server does not list this difference.`));
      continue;
    }
    await made.session.client.revertDrift({ params: { drift_id: id }, signal: io.signal });
    await write(io.stdout, `${oneLine(`${kind} ${name} was put back`)}\n`);
  }
  if (left > 0) {
    const what = left === 1 ? "1 resource was" : `${left} resources were`;
    throw new Failure(`${what} not put back. Try again: lakehelm revert`);
  }
}
