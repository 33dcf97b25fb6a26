/** Problems that the definition of a connector shows by itself: no run could succeed. */
import { suggestion } from "../text/nearest.ts";
import { type Config, configProblems, isMap } from "./config.ts";
import { datasetSettingProblems } from "./dataset-settings.ts";
import { connectionKind, kindsFor, namesOf } from "./kinds/index.ts";
import { readTables } from "./table-settings.ts";

export interface ConnectorProblem {
  /** The location in the connector's definition. For a missing field, this is the map that must contain it. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** The problem concerns the last key of the path, not its value. */
  readonly ofKey?: true;
}

/** Keys that at least one platform reads. */
const otherKeys = [
  ...["columns", "checkpoint_path", "batch_size", "max_reject_share", "unity_connection"],
  ...["partition_columns", "partition_bounds", "num_partitions", "fetch_size"],
];

interface Definition {
  readonly target_type?: unknown;
  readonly target_config?: unknown;
  readonly datasets?: unknown;
}

/** The problems of a definition whose fields have the right types. */
export function connectorProblems({ target_type, target_config, datasets }: Definition): ConnectorProblem[] {
  const type = String(target_type).toLowerCase();
  const target = isMap(target_config) ? target_config : {};
  const isImport = type === "warehouse";
  const unknown = isImport ? [] : unknownKind(type, "target", ["target_type"]);
  if (unknown.length > 0) return unknown;
  const { connection } = target;
  const config = isImport ? (isMap(connection) && isMap(connection.config) ? connection.config : {}) : target;
  return [
    ...(isImport ? importProblems(connection) : configAt("target", type, target, ["target_config"])),
    ...datasetProblems(datasets, isImport ? "in" : "out", config),
  ];
}

/** A connector without a source is incomplete, not wrong: it may get its source later. */
function importProblems(connection: unknown): ConnectorProblem[] {
  if (!isMap(connection)) return [];
  const path = ["target_config", "connection"];
  const type = String(connection.type ?? "").toLowerCase();
  const unknown = unknownKind(type, "source", [...path, "type"]);
  if (unknown.length > 0) return unknown;
  return configAt("source", type, isMap(connection.config) ? connection.config : {}, [...path, "config"]);
}

/** A name without a similar known kind may be a kind that only some platform knows. */
function unknownKind(type: string, role: "source" | "target", path: readonly string[]): ConnectorProblem[] {
  const named = kindsFor(role).flatMap(namesOf);
  const known = role === "target" ? ["warehouse", ...named] : named;
  const close = known.includes(type) ? "" : suggestion(type, known);
  return close === "" ? [] : [{ path, message: `${path.join(".")}: ${type} is not known.${close}` }];
}

/** Checks what all platforms have in common. Each platform checks the rest when it receives the connector. */
function configAt(
  role: "source" | "target",
  type: string,
  config: Config,
  path: readonly string[],
): ConnectorProblem[] {
  const kind = connectionKind(type);
  const used = kind?.[role];
  if (!kind || !used) return [];
  const fields = { ...kind.fields, ...used.fields };
  // With `unity_connection`, the connection in Unity Catalog has the address and the login.
  const named = typeof config.unity_connection === "string" && "host" in fields;
  const { host: _, ...others } = fields;
  return configProblems(named ? others : fields, config, path.join("."), [...otherKeys, "host"]).map(
    ({ key, ...problem }) => ({ ...problem, path: Object.hasOwn(config, key) ? [...path, key] : path }),
  );
}

function datasetProblems(datasets: unknown, direction: "in" | "out", config: Config): ConnectorProblem[] {
  const known = (Array.isArray(datasets) ? datasets : []).filter(isMap);
  return known.flatMap((dataset, at) => {
    const custom = isMap(dataset.custom_config) ? dataset.custom_config : {};
    const { tables, problems } = readTables(
      [
        {
          source_dataset: String(dataset.source_dataset),
          target_name: String(dataset.target_name),
          pii_suppressed: false,
          primary_keys: dataset.primary_keys,
          write_strategy: dataset.write_strategy,
          watermark_column: custom.watermark_column,
        },
      ],
      config,
      "config",
    );
    const ofTable = problems.flatMap((problem) => problem.split(/^table_configs\[0\]: /)[1] ?? []);
    return [...ofTable, ...datasetSettingProblems(custom, tables[0], direction, config)].map((problem) => ({
      path: ["datasets", at],
      message: `datasets[${at}].${problem}`,
    }));
  });
}
