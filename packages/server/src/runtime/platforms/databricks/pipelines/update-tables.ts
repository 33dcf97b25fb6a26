import type { UpdatedTable } from "@lakehelm/contract";

/** An event of a pipeline's log: the fields that we read. */
export interface PipelineLogEvent {
  readonly event_type?: string;
  readonly timestamp?: string;
  readonly level?: string;
  readonly message?: string;
  readonly origin?: {
    readonly dataset_name?: string;
    readonly flow_name?: string;
    readonly update_id?: string;
  };
  readonly error?: { readonly exceptions?: readonly { readonly message?: string }[] };
  readonly details?: {
    readonly flow_definition?: {
      readonly output_dataset?: string;
      readonly input_datasets?: readonly string[];
      readonly flow_type?: string;
    };
    readonly dataset_definition?: { readonly dataset_type?: string };
    readonly flow_progress?: {
      readonly status?: string;
      readonly metrics?: {
        readonly num_output_rows?: number;
        readonly num_upserted_rows?: number;
        readonly num_deleted_rows?: number;
      };
      readonly data_quality?: {
        readonly dropped_records?: number;
        readonly expectations?: readonly {
          readonly name?: string;
          readonly passed_records?: number;
          readonly failed_records?: number;
        }[];
      };
    };
  };
}

/** Completes a name of fewer than three parts. */
export type Complete = (name: string) => string;

type Table = { -readonly [Key in keyof UpdatedTable]: UpdatedTable[Key] };

const states: Readonly<Record<string, UpdatedTable["state"]>> = {
  QUEUED: "waiting",
  PLANNING: "waiting",
  STARTING: "running",
  RUNNING: "running",
  IDLE: "completed",
  COMPLETED: "completed",
  FAILED: "failed",
  SKIPPED: "skipped",
  STOPPED: "skipped",
  EXCLUDED: "excluded",
};

const count = (number: unknown): number =>
  typeof number === "number" && Number.isSafeInteger(number) && number > 0 ? number : 0;

/** The tables of an update, by what its events say. The events are in order, the oldest first. */
export function tablesOf(events: readonly PipelineLogEvent[], complete: Complete): UpdatedTable[] {
  const tables = new Map<string, Table>();
  for (const event of events) {
    const { flow_progress, dataset_definition } = event.details ?? {};
    const name = event.origin?.dataset_name ?? event.origin?.flow_name;
    if (!name || (!flow_progress && !dataset_definition)) continue;
    const table = tables.get(complete(name)) ?? waiting(complete(name));
    tables.set(table.name, table);
    const kind = kindOf(dataset_definition?.dataset_type);
    if (kind) table.kind = kind;
    if (flow_progress) apply(table, flow_progress, event);
  }
  return [...tables.values()];
}

type Progress = NonNullable<NonNullable<PipelineLogEvent["details"]>["flow_progress"]>;

function apply(table: Table, { status, metrics, data_quality }: Progress, event: PipelineLogEvent): void {
  const { timestamp = null } = event;
  table.state = states[status ?? ""] ?? table.state;
  if (table.state === "running") table.start_time ??= timestamp;
  if (table.state === "completed" || table.state === "failed" || table.state === "skipped") {
    table.end_time = timestamp;
  }
  if (table.state === "failed") table.error = errorIn(event) ?? event.message ?? null;
  if (table.start_time !== null && table.end_time !== null) {
    const ms = Date.parse(table.end_time) - Date.parse(table.start_time);
    table.seconds = Number.isFinite(ms) ? Math.max(0, ms) / 1000 : 0;
  }
  table.rows_added += count(metrics?.num_output_rows);
  table.rows_updated += count(metrics?.num_upserted_rows);
  table.rows_removed += count(metrics?.num_deleted_rows);
  const dropped = count(data_quality?.dropped_records);
  table.rows_dropped += dropped;
  for (const { name = "", passed_records, failed_records } of data_quality?.expectations ?? []) {
    const known = table.expectations.find((one) => one.name === name);
    // The log does not say what happens to a row that violates it, only whether rows were dropped.
    const action = dropped > 0 ? ("drop" as const) : (known?.action ?? ("keep" as const));
    const passed = (known?.passed ?? 0) + count(passed_records);
    const failed = (known?.failed ?? 0) + count(failed_records);
    table.expectations = [
      ...table.expectations.filter((one) => one !== known),
      { name, action, passed, failed },
    ];
  }
}

const waiting = (name: string): Table => ({
  name,
  kind: "materialized_view",
  state: "waiting",
  rows_added: 0,
  rows_updated: 0,
  rows_removed: 0,
  rows_dropped: 0,
  expectations: [],
  seconds: 0,
  error: null,
  start_time: null,
  end_time: null,
});

function kindOf(type = ""): UpdatedTable["kind"] | undefined {
  if (/STREAMING/i.test(type)) return "streaming_table";
  if (/MATERIALIZED|TABLE/i.test(type)) return "materialized_view";
  return /VIEW/i.test(type) ? "view" : undefined;
}

const longestText = 4_000;

/** Why a table failed, in the words of the exceptions. */
function errorIn({ error }: PipelineLogEvent): string | undefined {
  const texts = (error?.exceptions ?? []).flatMap(({ message }) => message?.trim() || []);
  return texts.length > 0 ? [...new Set(texts)].join("\n").slice(0, longestText) : undefined;
}

/** Why an update failed: the last errors of its log. */
export function failureOf(events: readonly PipelineLogEvent[]): string {
  const errors = events.filter(({ level }) => level === "ERROR");
  const texts = errors.flatMap((event) => errorIn(event) ?? event.message ?? []);
  return [...new Set(texts)].slice(-5).join("\n").slice(0, longestText) || "The workspace says: FAILED.";
}

/** What each table reads, by the definitions in the log. */
export function readsOf(
  events: readonly PipelineLogEvent[],
  complete: Complete,
): ReadonlyMap<string, ReadonlySet<string>> {
  const reads = new Map<string, Set<string>>();
  for (const { details, origin } of events) {
    const { output_dataset = origin?.dataset_name, input_datasets = [] } = details?.flow_definition ?? {};
    if (!details?.flow_definition || !output_dataset) continue;
    const name = complete(output_dataset);
    const known = reads.get(name) ?? new Set();
    reads.set(name, known);
    for (const input of input_datasets) if (typeof input === "string") known.add(complete(input));
  }
  return reads;
}
