import type { Connector, RunCause } from "@lakehelm/contract";
import { isMap } from "@lakehelm/contract/connections";
import { conflict } from "../../../../core/errors.ts";
import type { StoredJob } from "../../../jobs/job-rows.ts";
import type { InstalledSettings } from "../../installed-settings.ts";

type Parameters = NonNullable<RunCause["parameters"]>;

/** Throws 409 for parameters that the code in the workspace does not read. */
export async function requireKnownParameters(
  { subject, environmentId, name }: Pick<StoredJob, "subject" | "environmentId" | "name">,
  parameters: Parameters,
  connector: Direction & Pick<Connector, "datasets">,
  installed: Pick<InstalledSettings, "get">,
): Promise<void> {
  const sent = Object.keys(jobParameters(parameters, connector));
  if (sent.length === 0) return;
  const declared = (await installed.get(environmentId, subject, "job"))?.settings.parameters;
  const known = Array.isArray(declared) ? declared.map((one) => (isMap(one) ? one.name : undefined)) : [];
  const unknown = sent.find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw conflict(
      `The job of "${name}" was installed by a version that had no parameter ${unknown}. Update the connector once, and start the run again.`,
    );
  if (sent.includes("reset_watermark")) requireComparable(connector, parameters.datasets);
}

/** Throws 409 for parameters of a run of a flow that its job in the workspace does not have: it would ignore them. */
export async function requireFlowJobParameters(
  { subject, environmentId, name }: Pick<StoredJob, "subject" | "environmentId" | "name">,
  parameters: Parameters,
  installed: Pick<InstalledSettings, "get">,
): Promise<void> {
  const declared = (await installed.get(environmentId, subject, "job"))?.settings.parameters;
  // The parameters of a job of an earlier version are not known.
  if (!Array.isArray(declared)) return;
  const unknown = Object.keys(parameters).find(
    (key) => !declared.some((one) => isMap(one) && one.name === key),
  );
  if (unknown === undefined) return;
  const close = unknown === "max_delete_share" ? " Set max_delete_share of the flow for this run." : "";
  throw conflict(`The job of the flow "${name}" in the workspace has no parameter ${unknown}.${close}`);
}

type Direction = Pick<Connector, "target_type">;

/** The code in the workspace does not read the rows of a target, so it cannot know which appended rows are missing. */
function requireComparable(
  { target_type, datasets }: Direction & Pick<Connector, "datasets">,
  chosen: unknown,
): void {
  if (isImport({ target_type })) return;
  const names = Array.isArray(chosen) ? chosen : undefined;
  const appended = datasets?.find(
    ({ id, target_name, write_strategy }) =>
      write_strategy === "append" && (!names || names.includes(id) || names.includes(target_name)),
  );
  if (appended)
    throw conflict(
      `reset_watermark is not available for the dataset "${appended.target_name}" in a Databricks workspace: it would append all of its rows again. Use full_refresh, which replaces them.`,
    );
}

const isImport = ({ target_type }: Direction) => target_type === "warehouse";

/**
 * The parameters of a job in the workspace, which are texts: datasets by the names of their targets, as the code knows
 * them.
 */
export function jobParameters(
  parameters: Parameters,
  connector: (Direction & Pick<Connector, "datasets">) | undefined,
): Readonly<Record<string, unknown>> {
  const { datasets, ...others } = parameters;
  const known = connector?.datasets ?? [];
  const nameOf = (wanted: unknown) => known.find(({ id }) => id === wanted)?.target_name ?? wanted;
  // The code of an import keeps no rejected rows: a row that does not fit fails the run, so there are none to repeat.
  const isMeant = (name: string) => name !== "retry_rejects" || !connector || !isImport(connector);
  const kept = Object.entries(others).filter(([name, value]) => value !== false && isMeant(name));
  return {
    ...Object.fromEntries(kept),
    ...(Array.isArray(datasets) && { datasets: datasets.map(nameOf) }),
  };
}
