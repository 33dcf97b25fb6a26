import type { Client } from "@lakehelm/contract/client";

/** A Spark cluster on this machine: `npm run spark` starts one. */
export interface SparkCluster {
  /** `sc://host:port` */
  readonly remote: string;
  readonly token: string;
  readonly staging: string;
}

const name = "spark";

/** Creates or updates the environment for the cluster. Returns its name. */
export async function sparkEnvironment(
  client: Client,
  { remote, token, staging }: SparkCluster,
): Promise<string> {
  const configuration = { remote, token, staging, catalog: "shop", schema: "sales" };
  const known = (await Array.fromAsync(client.all.listEnvironments())).find((one) => one.name === name);
  if (known) {
    await client.updateEnvironment({ params: { environment_id: known.id }, body: { configuration } });
  } else {
    await client.createEnvironment({ body: { name, platform: "spark", configuration } });
  }
  const { ok, findings } = await client.checkEnvironment({
    params: { environment_id: name },
    // The first answers of a new cluster take a minute.
    timeoutMs: 120_000,
  });
  if (ok) return name;
  const failed = findings.filter(({ status }) => status === "failed");
  throw new Error(failed.map(({ message, action }) => `${message} ${action ?? ""}`).join(" "));
}
