import type { Connector, ConnectorDataset, RunCause } from "@lakehelm/contract";
import { connectionKind, isMap } from "@lakehelm/contract/connections";
import * as s from "@lakehelm/contract/schema";
import { DataProblem, type Dataset, type TransferRequest, type WatermarkWindow } from "@lakehelm/engine";
import { InvalidRequest } from "../../core/errors.ts";

/** A value of the watermark column: text or a number. */
const bound = () =>
  s
    .coercedString()
    .rule((text) =>
      /^[^\0]{1,200}$/u.test(text) ? undefined : "a bound of a window has 1 to 200 characters, without NUL",
    );

const closed = { closed: () => "The parameter is not known" } as const;

/** The parameters of a run of a connector. */
const ConnectorRunParameters = s.model(
  "",
  {
    datasets: s.list(s.string({ min: 1 })).optional(),
    full_refresh: s.boolean().optional(),
    max_delete_share: s
      .number()
      .rule((share) => (share >= 0 && share <= 1 ? undefined : "a share is a number from 0 to 1"))
      .optional(),
    reset_watermark: s.boolean().optional(),
    retry_rejects: s.boolean().optional(),
    window: s.model("", { from: bound(), to: bound() }, closed).optional(),
  },
  closed,
);
type ConnectorRunParameters = s.Infer<typeof ConnectorRunParameters>;

/** What a run of a connector does differently from a scheduled run. */
export interface ConnectorRunOptions {
  /** The ids of the chosen datasets; undefined: all. */
  readonly chosen: ReadonlySet<string> | undefined;
  readonly retryRejects: boolean;
  readonly fromStart: boolean;
  readonly isFullRefresh: boolean;
  /** Replaces the `max_delete_share` of each dataset for this run. */
  readonly maxDeleteShare: number | undefined;
  readonly window: WatermarkWindow | undefined;
}

type Fail = (loc: readonly (string | number)[], sentence: string, input: unknown) => never;

const place = ["body", "parameters"] as const;

/** Throws InvalidRequest, with the location of the wrong parameter. */
export function readParameters(
  connector: Pick<Connector, "name" | "target_type" | "target_config" | "datasets">,
  sent: Readonly<Record<string, unknown>>,
): ConnectorRunOptions {
  const fail: Fail = (loc, sentence, input) => {
    throw new InvalidRequest([...place, ...loc], sentence, input);
  };
  const errors: s.ValidationError[] = [];
  const read = ConnectorRunParameters.check(sent, [], errors);
  const [first] = errors;
  if (first) {
    const known = first.type === "extra_forbidden" ? ` Known are ${String(first.ctx?.expected)}.` : "";
    return fail(first.loc, `${first.msg}.${known}`, first.input);
  }
  requireOneKind(read, fail);
  const all = connector.datasets ?? [];
  const chosen = read.datasets && chosenDatasets(connector.name, all, read.datasets, fail);
  const moved = chosen ?? all;
  if (read.window) requireWindow(connector, moved, read.window, fail);
  if (read.full_refresh || read.reset_watermark) {
    requireRereadable(connector, read.full_refresh ? "full_refresh" : "reset_watermark", moved, fail);
  }
  return {
    chosen: chosen && new Set(chosen.map(({ id }) => id)),
    retryRejects: read.retry_rejects === true,
    fromStart: read.full_refresh === true || read.reset_watermark === true,
    isFullRefresh: read.full_refresh === true,
    maxDeleteShare: read.max_delete_share,
    window: read.window,
  };
}

function requireOneKind(read: ConnectorRunParameters, fail: Fail): void {
  const kinds = (["window", "full_refresh", "reset_watermark"] as const).filter((name) => read[name]);
  const [one, other] = kinds;
  if (one !== undefined && other !== undefined) {
    fail([other], `${one} and ${other} exclude each other. Start two runs.`, read[other]);
  }
  if (read.window && read.retry_rejects) {
    fail(["retry_rejects"], "retry_rejects and window exclude each other. Start two runs.", true);
  }
}

function chosenDatasets(
  name: string,
  all: readonly ConnectorDataset[],
  sent: readonly string[],
  fail: Fail,
): readonly ConnectorDataset[] {
  if (sent.length === 0) {
    fail(["datasets"], "Name at least one dataset, or leave the parameter out to run all.", sent);
  }
  const names = new Map(
    all.flatMap((dataset) => [[dataset.target_name, dataset] as const, [dataset.id, dataset] as const]),
  );
  const chosen = new Set<ConnectorDataset>();
  for (const [at, wanted] of sent.entries()) {
    const found = names.get(wanted);
    if (found) chosen.add(found);
    else {
      const known = all.slice(0, 20).map(({ target_name }) => target_name);
      const has = known.length === 0 ? "It has none." : `It has ${known.join(", ")}.`;
      fail(
        ["datasets", at],
        `The connector "${name}" has no dataset ${JSON.stringify(wanted.slice(0, 200))}. ${has}`,
        wanted,
      );
    }
  }
  return all.filter((dataset) => chosen.has(dataset));
}

function requireWindow(
  connector: Pick<Connector, "target_type" | "target_config">,
  datasets: readonly ConnectorDataset[],
  { from, to }: WatermarkWindow,
  fail: Fail,
): void {
  const [first, last] = [positionOf(from), positionOf(to)];
  if (from === to || (first !== undefined && last !== undefined && first >= last)) {
    fail(["window", "to"], `It must be greater than "from". The window ends before it.`, to);
  }
  const { connection } = connector.target_config;
  if (isMap(connection) && isMap(connection.config) && connection.config.capture === "log") {
    fail(["window"], "The connector reads the log of its source, which has no windows. Use full_refresh.", {
      from,
      to,
    });
  }
  for (const dataset of datasets) {
    const { target_name, write_strategy } = dataset;
    const refuse = (reason: string) =>
      fail(["window"], `The dataset "${target_name}" ${reason}`, { from, to });
    const column = watermarkOf(connector, dataset);
    if (column === undefined) {
      refuse("has no watermark_column, so it has no windows. Choose others with `datasets`.");
    }
    const { watermark_type: known } = dataset;
    // The type of any other column is not known yet: the engine compares the bounds during the run.
    if (known && known.column.toLowerCase() === column?.toLowerCase()) {
      for (const [bound, text] of [["from", from] as const, ["to", to] as const]) {
        if (mayBeOfType(text, known.type)) continue;
        const sentence = `It is not a value of the watermark "${known.column}" of the dataset "${target_name}", which had the type ${known.type} in its last run.`;
        fail(["window", bound], sentence, text);
      }
    }
    if (write_strategy === "replace") refuse("is replaced by every run, so it has no windows.");
    if (connector.target_type === "warehouse") continue;
    if (connectionKind(connector.target_type)?.target?.holds !== "tables") {
      refuse("is not written to a database, and only rows of a database can be replaced by a window.");
    }
    if (write_strategy !== "upsert") {
      refuse('appends rows to another system. A window of an export needs the write_strategy "upsert".');
    }
  }
}

const numeric = /^(?:(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|UINTEGER|FLOAT|DOUBLE|NUMERIC)$|DECIMAL)/;
const writtenNumber =
  /^\s*[+-]?(?:0[xb][\da-f_]+|(?:[\d_]+(?:\.[\d_]*)?|\.\d[\d_]*)(?:e[+-]?\d+)?|nan|inf(?:inity)?)\s*$/i;
const writtenTime = /^\s*(?:[+-]?\d{1,7}[-/\\ ]\d{1,2}[-/\\ ]\d{1,2}|epoch|[+-]?inf(?:inity)?\b)/i;

/** Whether the engine may read a text as a value of a type. If false, the engine would refuse the text too. */
function mayBeOfType(text: string, type: string): boolean {
  if (numeric.test(type)) return writtenNumber.test(text);
  return !/^(?:DATE|TIMESTAMP)/.test(type) || writtenTime.test(text);
}

/** A number or a time that is written in the usual form; undefined: the engine compares it. */
function positionOf(text: string): number | undefined {
  if (/^-?\d{1,15}(\.\d{1,9})?$/.test(text)) return Number(text);
  if (!/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/.test(text))
    return undefined;
  const position = Date.parse(text.replace(" ", "T"));
  return Number.isNaN(position) ? undefined : position;
}

/** The watermark column of a dataset: its own, or the one that the connection's config names. */
function watermarkOf(
  { target_type, target_config }: Pick<Connector, "target_type" | "target_config">,
  { source_dataset, target_name, custom_config }: ConnectorDataset,
): string | undefined {
  if (typeof custom_config?.watermark_column === "string") return custom_config.watermark_column;
  const { connection } = target_config;
  const config = target_type === "warehouse" ? isMap(connection) && connection.config : target_config;
  const named = isMap(config) && isMap(config.watermark_columns) ? config.watermark_columns : {};
  const column = named[source_dataset] ?? named[target_name];
  return typeof column === "string" ? column : undefined;
}

function requireRereadable(
  { target_type }: Pick<Connector, "target_type">,
  parameter: "full_refresh" | "reset_watermark",
  datasets: readonly ConnectorDataset[],
  fail: Fail,
): void {
  const kind = connectionKind(target_type);
  if (kind?.target?.holds === "requests") {
    fail([parameter], `Rows that were sent to ${kind.title} cannot be taken back or compared.`, true);
  }
  const appended = datasets.find(({ write_strategy }) => write_strategy === "append");
  if (parameter === "full_refresh" && kind?.target?.holds === "files" && appended) {
    fail(
      [parameter],
      `The dataset "${appended.target_name}" appends files, which other programs may have read. Use the write_strategy "replace".`,
      true,
    );
  }
}

/** The parameters of a stored run. They were valid when the run was requested; if they no longer are, the run fails. */
export function optionsOf(connector: Connector, { parameters = {} }: Pick<RunCause, "parameters">) {
  try {
    return readParameters(connector, parameters);
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    const where = error.loc.slice(place.length).join(".");
    throw new DataProblem(`The parameters of this run: ${where}: ${error.message}`);
  }
}

/**
 * The request of a run with these options. A full refresh also removes rows that the source no longer has: by their keys, or
 * by replacing all of them.
 */
export function withOptions(
  request: TransferRequest,
  { retryRejects, fromStart, isFullRefresh, maxDeleteShare, window }: ConnectorRunOptions,
): TransferRequest {
  const dataset = isFullRefresh ? refreshed(request.dataset) : request.dataset;
  return {
    ...request,
    dataset: maxDeleteShare === undefined ? dataset : { ...dataset, maxDeleteShare },
    retryRejects,
    fromStart,
    ...(isFullRefresh && { changesTypes: true }),
    ...(window && { window }),
  };
}

const refreshed = (dataset: Dataset): Dataset =>
  dataset.strategy === "upsert" ? { ...dataset, deletes: true } : { ...dataset, strategy: "replace" };
