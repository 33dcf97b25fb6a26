import type { Connector, RunCause } from "@lakehelm/contract";
import { isMap } from "@lakehelm/contract/connections";
import { conflict } from "../../../../core/errors.ts";
import type { StoredJob } from "../../../jobs/job-rows.ts";
import type { InstalledSettings } from "../../installed-settings.ts";

type Parameters = NonNullable<RunCause["parameters"]>;

/** Why the generated code of connectors does not take a parameter of their runs. */
const missing: Readonly<Record<string, string>> = {
  window: "cannot replace a window of rows. Use reset_watermark, which reads everything again",
  full_refresh:
    "does not delete rows that the source no longer has. Use reset_watermark, which reads everything again",
  retry_rejects: "moves no rejected rows by themselves. Mend them in the source, and run it again",
};

/** Throws 409 for parameters that the code in the workspace does not read. */
export async function requireKnownParameters(
  { subject, environmentId, name }: Pick<StoredJob, "subject" | "environmentId" | "name">,
  parameters: Parameters,
  installed: Pick<InstalledSettings, "get">,
): Promise<void> {
  const sent = Object.keys(parameters).filter((key) => parameters[key] !== false);
  const refused = sent.find((key) => key in missing);
  if (refused !== undefined)
    throw conflict(
      `${refused} is not available in a Databricks workspace: the generated code of a connector ${missing[refused]}.`,
    );
  if (sent.length === 0) return;
  const declared = (await installed.get(environmentId, subject, "job"))?.settings.parameters;
  const known = Array.isArray(declared) ? declared.map((one) => (isMap(one) ? one.name : undefined)) : [];
  const unknown = sent.find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw conflict(
    unknown === "reset_watermark"
      ? `The job of "${name}" reads no watermarks, so there is none to reset: only imports with a watermark_column have some.`
      : `The job of "${name}" was installed by a version that had no parameters. Update the connector once, and start the run again.`,
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
