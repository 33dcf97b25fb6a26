import type { AutomationTask } from "@lakehelm/contract";
import { maxForEachItems } from "@lakehelm/contract";
import { encodeJson, has } from "@lakehelm/contract/schema";
import { counted } from "@lakehelm/contract/text";
import { createSemaphore } from "../../../core/concurrency/semaphore.ts";
import { Stopped } from "../../../runtime/jobs/attempt-outcome.ts";
import { type DefinitionTree, fillTree, placeholdersIn, type TemplateValues } from "../templates.ts";
import { PermanentError } from "./permanent-error.ts";
import type { ItemState, TaskOutput } from "./task-state.ts";

/** The list of a `for_each`, and the column types of its items if they are rows of a query. */
export interface ItemList {
  readonly items: readonly unknown[];
  readonly types: Readonly<Record<string, string>>;
}

/** The items of a run: the same after a crash, because parameters and outputs of ended tasks do not change. */
export function itemsOf(
  { items }: NonNullable<AutomationTask["for_each"]>,
  values: TemplateValues,
): ItemList {
  const list = rowsAt(items, values) ?? { items: fillTree(items, values), types: {} };
  if (!Array.isArray(list.items)) {
    throw new PermanentError(`The items of for_each are ${kindOf(list.items)}, not a list.`);
  }
  const { length } = list.items;
  if (length > maxForEachItems) {
    throw new PermanentError(
      `The list of for_each has ${counted(length, "item")}, and at most ${maxForEachItems} are possible. Process several values with each item, for example a range.`,
    );
  }
  return { items: list.items, types: list.types };
}

const kindOf = (value: unknown) =>
  value === null ? "null" : typeof value === "object" ? "a map" : `a ${typeof value}`;

/** `{{tasks.find.output.rows}}`: the rows of a query as maps by column. */
function rowsAt(
  items: unknown,
  { tasks }: TemplateValues,
): { items: unknown; types: Record<string, string> } | undefined {
  const [only] = typeof items === "string" ? placeholdersIn(items) : [];
  const [root, name = "", ...rest] = only?.path ?? [];
  if (root !== "tasks" || rest.join(".") !== "output.rows" || !Object.hasOwn(tasks, name)) return undefined;
  const output = tasks[name]?.output;
  const { columns, rows, count, left_out: left } = (output ?? {}) as DefinitionTree;
  if (Array.isArray(left) && left.includes("rows")) {
    throw new PermanentError(
      `The rows of the task "${name}" are too large for a run to keep. Select fewer columns.`,
    );
  }
  if (!Array.isArray(rows) || !Array.isArray(columns)) return undefined;
  if (Number(count) > rows.length) {
    throw new PermanentError(
      `The query of the task "${name}" returned ${counted(count, "row")}, and at most ${maxForEachItems} items are possible. Add a limit, or process several rows with each item.`,
    );
  }
  const names = columns.map((column: unknown) => (has(column, "name") ? String(column.name) : ""));
  const types = columns.map((column: unknown) => (has(column, "type") ? String(column.type) : ""));
  return {
    items: rows.map((row: readonly unknown[]) =>
      Object.fromEntries(names.map((column, at) => [column, row[at]])),
    ),
    types: Object.fromEntries(names.map((column, at) => [column, types[at] ?? ""])),
  };
}

interface ItemRun {
  readonly attempt: number;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** The states that an earlier attempt has written, if any. */
  readonly before: readonly ItemState[];
  /** Redacts secrets. */
  readonly text: (text: string) => string;
  /** Stores the item states: they are durable when the promise resolves. */
  readonly keep: (states: readonly ItemState[]) => Promise<void>;
  readonly failed: (at: number, error: string) => void;
}

const longestItem = 200;
const longestError = 500;
/** The number of failed items in an error message. */
const maxShown = 3;

/**
 * Executes the items that have not succeeded yet, some at the same time. One that fails does not stop the others. After
 * a crash, items that this attempt has ended are not repeated.
 */
export async function runItems(
  items: readonly unknown[],
  { attempt, concurrency, signal, before, text, keep, failed }: ItemRun,
  execute: (item: unknown, at: number, found: (runId: string) => Promise<void>) => Promise<void>,
): Promise<TaskOutput> {
  const states: ItemState[] = items.map(
    (item, at) => before[at] ?? { item: labelOf(item, text), status: "waiting", attempt: 0 },
  );
  const slots = createSemaphore(concurrency);
  const set = (at: number, change: Partial<ItemState>) => {
    states[at] = { ...(states[at] as ItemState), ...change };
  };

  async function executeOne(item: unknown, at: number): Promise<void> {
    const { item: label, attempt: last, run_id } = states[at] as ItemState;
    const isSame = last === attempt && run_id !== undefined;
    states[at] = { item: label, status: "running", attempt, ...(isSame && { run_id }) };
    try {
      await execute(item, at, (runId) => {
        set(at, { run_id: runId });
        return keep(states);
      });
      set(at, { status: "succeeded" });
    } catch (error) {
      if (signal.aborted) {
        if (isLeft(signal)) throw error;
        set(at, { status: "cancelled" });
      } else {
        const sentence = text(error instanceof Error ? error.message : String(error));
        set(at, {
          status: "failed",
          error:
            sentence.length > longestError ? `${sentence.slice(0, longestError).toWellFormed()}…` : sentence,
          ...(error instanceof PermanentError && { permanent: true }),
        });
        failed(at, sentence);
      }
    }
    await keep(states);
  }

  const open = items.flatMap((item, at) => (isOpen(states[at] as ItemState, attempt) ? [{ item, at }] : []));
  const ended = await Promise.allSettled(
    open.map(({ item, at }) => slots(signal, () => executeOne(item, at))),
  );
  signal.throwIfAborted();
  const broken = ended.find((one) => one.status === "rejected");
  if (broken) throw broken.reason;
  const wrong = states.filter(({ status }) => status === "failed");
  const output = { count: states.length, succeeded: states.length - wrong.length, failed: wrong.length };
  if (wrong.length === 0) {
    await keep(states);
    return output;
  }
  const shown = wrong.slice(0, maxShown).map(({ item, error }) => `${item}: ${error}`);
  const more = wrong.length > maxShown ? ` And ${wrong.length - maxShown} more.` : "";
  const sentence = `${wrong.length} of ${counted(states.length, "item")} failed. ${shown.join(" ")}${more}`;
  throw wrong.every(({ permanent }) => permanent) ? new PermanentError(sentence) : new Error(sentence);
}

/** The next attempt, here or on another server, continues with what is in progress. */
const isLeft = ({ reason }: AbortSignal) =>
  reason instanceof Stopped && (reason.reason === "stopping" || reason.reason === "lost");

function isOpen({ status, attempt: last, permanent }: ItemState, attempt: number): boolean {
  if (status === "succeeded") return false;
  return status !== "failed" || (last < attempt && !permanent);
}

function labelOf(item: unknown, text: (text: string) => string): string {
  const label = text(typeof item === "string" ? item : encodeJson(item));
  return label.length > longestItem ? `${label.slice(0, longestItem).toWellFormed()}…` : label;
}
