import type { Connector, RunCause } from "@lakehelm/contract";
import { isMap } from "@lakehelm/contract/connections";
import { conflict } from "../../../../core/errors.ts";
import type { StoredJob } from "../../../jobs/job-rows.ts";
import type { InstalledSettings } from "../../installed-settings.ts";

type Parameters = NonNullable<RunCause["parameters"]>;

/** The connectors whose generated code takes a parameter, if not all do. */
const needs: Readonly<Record<string, string>> = {
  reset_watermark: "imports with a watermark_column",
  window: "imports with a watermark_column",
  full_refresh: "imports from a database or an API that do not replace all rows anyway",
};

/** Throws 409 for parameters that the code in the workspace does not read. */
export async function requireKnownParameters(
  { subject, environmentId, name }: Pick<StoredJob, "subject" | "environmentId" | "name">,
  parameters: Parameters,
  installed: Pick<InstalledSettings, "get">,
): Promise<void> {
  const sent = Object.keys(parameters).filter((key) => parameters[key] !== false);
  if (sent.includes("retry_rejects"))
    throw conflict(
      "retry_rejects is not available in a Databricks workspace: the generated code keeps no rejected rows. Mend them in the source, and run it again.",
    );
  if (sent.length === 0) return;
  const declared = (await installed.get(environmentId, subject, "job"))?.settings.parameters;
  const known = Array.isArray(declared) ? declared.map((one) => (isMap(one) ? one.name : undefined)) : [];
  const unknown = sent.find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const needed = needs[unknown];
  const old = `If it is one, an earlier version installed it: update the connector once, and start the run again.`;
  throw conflict(
    needed === undefined
      ? `The job of "${name}" was installed by a version that had no parameters. Update the connector once, and start the run again.`
      : `The job of "${name}" does not take ${unknown}: only ${needed} do. ${old}`,
  );
}

/** The parameters of a job there, which are texts: datasets by the names of their targets, as the code knows them. */
export function jobParameters(
  parameters: Parameters,
  connector: Pick<Connector, "datasets"> | undefined,
): Readonly<Record<string, unknown>> {
  const { datasets, ...others } = parameters;
  const known = connector?.datasets ?? [];
  const nameOf = (wanted: unknown) => known.find(({ id }) => id === wanted)?.target_name ?? wanted;
  const kept = Object.entries(others).filter(([, value]) => value !== false);
  return {
    ...Object.fromEntries(kept),
    ...(Array.isArray(datasets) && { datasets: datasets.map(nameOf) }),
  };
}
