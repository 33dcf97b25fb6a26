import { type Config, isMap, isTextList } from "../connections/config.ts";
import { connectionKind } from "../connections/kinds/index.ts";
import { readTables } from "../connections/table-settings.ts";
import type { ConnectorDataset } from "../endpoints/connectors.ts";
import { connectorRefreshCommand } from "./commands.ts";
import { type Consequence, hasName, isSame, listed } from "./consequence.ts";
import { type DatasetShape, decideDatasetRun } from "./dataset-run-decision.ts";
import { leftTable } from "./flow-change.ts";

/** The parts of a connector's definition that its tables depend on. */
export interface ConnectorDefinition {
  readonly name: string;
  readonly target_type: string;
  readonly target_config?: unknown;
  readonly datasets?: readonly DatasetDefinition[] | null;
}

type DatasetDefinition = Pick<
  ConnectorDataset,
  "source_dataset" | "target_name" | "primary_keys" | "write_strategy" | "custom_config"
>;

/** A dataset as a run would read it. */
interface ReadDataset {
  readonly shape: DatasetShape & { readonly strategy: NonNullable<DatasetShape["strategy"]> };
  readonly source: string;
  readonly target: string;
  readonly definition: DatasetDefinition;
  /** Whether runs apply the changes in the log of the source. */
  readonly readsLog: boolean;
}

export interface ConnectorChangeOptions {
  /** The full name of a table, by the definition before or after the change. */
  fullName(table: string, definition: ConnectorDefinition): string;
  /**
   * Whether a run has written the dataset; undefined: assume so, because the platform keeps no record. Absent: true.
   */
  hasRun?(target: string): boolean | undefined;
}

/** What the next run does because of a change of its connector. The apply itself moves no rows. */
export function connectorConsequences(
  before: ConnectorDefinition | undefined,
  after: ConnectorDefinition,
  { fullName, hasRun = () => true }: ConnectorChangeOptions,
): Consequence[] {
  const isImport = after.target_type === "warehouse";
  const nameAfter = (target: string) => (isImport ? fullName(target, after) : target);
  const nameBefore = (target: string) =>
    before?.target_type === "warehouse" ? fullName(target, before) : target;
  const [former, wanted] = [before ? readDatasets(before) : [], readDatasets(after)];
  const isElsewhere = before !== undefined && before.target_type !== after.target_type;
  const place = before && !isElsewhere ? placeChange(before, after, isImport) : undefined;
  // A connector may have thousands of datasets, so the former ones are looked up in a map.
  const formerByTable = new Map(former.toReversed().map((one) => [nameBefore(one.target), one]));
  const kept = wanted.map((dataset) => {
    const table = nameAfter(dataset.target);
    return { dataset, table, known: isElsewhere ? undefined : formerByTable.get(table) };
  });
  const keptTables = new Set(kept.map(({ table }) => table));
  const changes = kept.flatMap(({ dataset, table, known }) =>
    known
      ? ofDataset(after.name, table, known, dataset, {
          ...{ isImport, place, hasRun: hasRun(dataset.target) },
          // A table that exists has an index for its former key.
          isIndexed: connectionKind(after.target_type)?.target?.hasUniqueIndexes === true,
        })
      : [added(table, dataset)],
  );
  const left = former
    .map((dataset) => nameBefore(dataset.target))
    .filter((table) => isElsewhere || !keptTables.has(table))
    .map((table) => leftTable(table, after.name));
  if (changes.length + left.length > 0) return [...changes, ...left];
  if (!before || isSame(before, after)) return [];
  const sentence = "Its tables stay as they are, and so does the position up to which each was read.";
  return [{ table: null, kind: "metadata", effect: "none", sentence, command: null }];
}

const added = (table: string, { source }: ReadDataset): Consequence => ({
  table,
  kind: "additive",
  effect: "create",
  sentence: `Its next run reads all rows of ${source} into ${table}.`,
  command: null,
});

/** Whether what the connector reads or writes has changed, beyond its datasets. */
function placeChange(
  { target_config: before }: ConnectorDefinition,
  { target_config: after }: ConnectorDefinition,
  isImport: boolean,
): boolean {
  const placeOf = (config: unknown): unknown => {
    const place = isImport && isMap(config) ? config.connection : config;
    return isMap(place) && isMap(place.config)
      ? { ...place, config: withoutMaps(place.config) }
      : withoutMaps(place);
  };
  return !isSame(placeOf(before), placeOf(after));
}

/** A config without the maps that `readDatasets` applies to each dataset. */
function withoutMaps(config: unknown): unknown {
  if (!isMap(config)) return config;
  const { primary_keys: _, watermark_columns: __, pii_columns: ___, ...rest } = config;
  return rest;
}

function ofDataset(
  connector: string,
  table: string,
  before: ReadDataset,
  after: ReadDataset,
  about: {
    readonly isImport: boolean;
    readonly isIndexed: boolean;
    readonly place: boolean | undefined;
    readonly hasRun: boolean | undefined;
  },
): Consequence[] {
  const { isImport, isIndexed, place, hasRun } = about;
  const isOtherSource = before.source !== after.source;
  if (isSame(before.shape, after.shape) && isSame(before.definition, after.definition) && !place) return [];
  if (hasRun === false) return [added(table, after)];
  const command = connectorRefreshCommand(connector, after.target);
  const say = (
    kind: Consequence["kind"],
    effect: Consequence["effect"],
    sentence: string,
    next: string | null = null,
  ): Consequence => ({ table, kind, effect, sentence, command: next });
  if (hasRun === undefined)
    return [
      say(
        isSame(before.shape, after.shape) ? "additive" : "breaking",
        "apply",
        `Its next run applies the new settings. Rows that ${table} has stay until a run writes them again. To read all rows: ${command}`,
        command,
      ),
    ];
  const { action, reasons } = decideDatasetRun(before.shape, after.shape);
  const why = reasons.join("; ");
  const { source } = after;
  const index = isIndexed
    ? ` If ${table} has no unique index on ${listed(after.shape.keys)}, the run fails and names the statement that creates one.`
    : "";
  const personal = columnChanges(table, before.shape, after.shape, isImport, say);
  if (action === "refuse")
    return [
      say(
        "breaking",
        "refuse",
        `Its next run fails and writes nothing to ${table}: ${why}. To replace its rows by those of ${source}, without the rows that ${source} no longer has: ${command}${index && `\n${index.trim()}`}`,
        command,
      ),
    ];
  if (action === "rebuild")
    return [
      say(
        "breaking",
        "rebuild",
        `Its next run reads all rows of ${source}, and replaces those of ${table} by them: ${why}.${index}`,
      ),
      ...personal,
    ];
  if (after.shape.strategy === "replace" && (before.shape.strategy !== "replace" || isOtherSource))
    return [
      say("breaking", "rebuild", `Its next run replaces the rows of ${table} by those of ${source}.`),
      ...personal,
    ];
  if (isOtherSource)
    return [
      after.shape.equalsSource
        ? say(
            "breaking",
            "rebuild",
            `Its next run reads all rows of ${source} into ${table}, and removes those that ${source} does not have.`,
          )
        : say(
            "breaking",
            "reload",
            `Its next run reads all rows of ${source} into ${table}. Rows that only ${before.source} had stay. To remove them: ${command}`,
            command,
          ),
      ...personal,
    ];
  if (action === "reload" && after.shape.strategy !== "replace")
    return [
      say(
        "additive",
        "reload",
        `Its next run reads all rows of ${source} once, and writes those that differ: ${why}. Rows that ${source} no longer has ${after.shape.equalsSource ? "are removed" : "stay"}.`,
      ),
      ...personal,
    ];
  if (personal.length > 0) return personal;
  if (before.shape.equalsSource !== after.shape.equalsSource)
    return [
      say(
        "additive",
        "apply",
        after.shape.equalsSource
          ? `Its next run removes the rows of ${table} that ${source} no longer has.`
          : `From its next run on, rows that ${source} no longer has stay in ${table}.`,
      ),
    ];
  if (place)
    return [
      say(
        "breaking",
        "apply",
        isImport
          ? `Its next run uses the new connection. If that leads to other rows, such as those of another database or folder, all rows are read once; otherwise those from the position that ${table} has reached. To read all rows: ${command}`
          : `Its next run uses the new connection. What was written to ${table} where the former one led stays there.`,
        isImport ? command : null,
      ),
    ];
  return [
    say("additive", "apply", `Its next run applies the new settings. The rows of ${table} stay as they are.`),
  ];
}

function columnChanges(
  table: string,
  before: DatasetShape,
  after: DatasetShape,
  isImport: boolean,
  say: (kind: Consequence["kind"], effect: Consequence["effect"], sentence: string) => Consequence,
): Consequence[] {
  const [now, formerly] = [after.leftOut ?? [], before.leftOut ?? []];
  const left = now.filter((name) => !hasName(formerly, name));
  const back = formerly.filter((name) => !hasName(now, name));
  return [
    ...(left.length > 0
      ? [
          isImport
            ? say(
                "breaking",
                "drop_columns",
                `Its next run drops ${listed(left)} from ${table}, with all values, if it is there.`,
              )
            : say(
                "breaking",
                "apply",
                `From its next run on, ${listed(left)} is not written. Values that ${table} has stay there.`,
              ),
        ]
      : []),
    ...(back.length > 0
      ? [say("additive", "add_columns", `Its next run adds ${listed(back)} to ${table} if it is not there.`)]
      : []),
  ];
}

/**
 * The datasets, with the settings that they take from the connection. An invalid dataset is left out, because it does
 * not run.
 */
export function readDatasets({ target_type, target_config, datasets }: ConnectorDefinition): ReadDataset[] {
  const isImport = target_type === "warehouse";
  const connection = isMap(target_config) ? target_config.connection : undefined;
  const given = isImport ? isMap(connection) && connection.config : target_config;
  const config: Config = isMap(given) ? given : {};
  return (datasets ?? []).flatMap((definition) => {
    const custom = definition.custom_config ?? {};
    const isSuppressed = custom.pii_suppressed === true;
    const named = isTextList(config.pii_columns) ? config.pii_columns : [];
    const own = isTextList(custom.pii_columns) ? custom.pii_columns : [];
    const { tables } = readTables(
      [
        {
          source_dataset: definition.source_dataset,
          target_name: definition.target_name,
          pii_suppressed: isSuppressed,
          watermark_column: custom.watermark_column,
          primary_keys: definition.primary_keys,
          write_strategy: definition.write_strategy,
        },
      ],
      { ...config, pii_columns: [...named, ...own] },
      "",
    );
    return tables.map(({ source, target, strategy, keys, watermark, leftOut }) => ({
      source,
      target,
      definition,
      readsLog: config.capture === "log",
      shape: {
        ...{ strategy, keys, watermark, leftOut },
        equalsSource: strategy === "replace" || custom.deletes === true,
      },
    }));
  });
}
