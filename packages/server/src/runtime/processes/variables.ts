import { hash } from "node:crypto";
import { delimiter, dirname } from "node:path";
import type { Variable } from "./manifest.ts";

interface Place {
  readonly home: string;
  readonly temporary: string;
  readonly tokenFile: string;
  readonly name: string;
  readonly environmentId: string;
  readonly port: number;
  readonly url: string;
  /** Identifies this start. */
  readonly mark: string;
}

/** The variable that distinguishes our processes from others, including those that are not recorded yet. */
export const markVariable = "LAKEHELM_PROCESS";

/**
 * The prefix of the marks of a data folder. A copy of the folder with the same id gets another prefix: its processes
 * are its own.
 */
export const markPrefix = (dataFolderId: string, dataDir: string): string =>
  `${hash("sha256", `${dataFolderId} ${dataDir}`).slice(0, 16)}.`;

/** Machine settings without secrets: the only variables of the server that a process gets. */
const ofTheMachine = ["LANG", "TZ"] as const;

/** The complete environment of a process. The variables of its `app.yaml` are added to it. */
export async function variablesOf(
  env: Place,
  declared: readonly Variable[],
  secretOf: (scope: string, key: string) => Promise<string | undefined>,
): Promise<Record<string, string>> {
  const variables: Record<string, string> = {
    // Apps run with the Node of the server unless they bring another.
    PATH: [dirname(process.execPath), process.env.PATH ?? "/usr/local/bin:/usr/bin:/bin"].join(delimiter),
    HOME: env.home,
    TMPDIR: env.temporary,
    PORT: String(env.port),
    DATABRICKS_APP_PORT: String(env.port),
    DATABRICKS_APP_NAME: env.name,
    LAKEHELM_URL: env.url,
    LAKEHELM_ENVIRONMENT: env.environmentId,
    LAKEHELM_TOKEN_FILE: env.tokenFile,
    [markVariable]: env.mark,
  };
  for (const name of ofTheMachine) {
    const value = process.env[name];
    if (value !== undefined) variables[name] = value;
  }
  for (const one of declared) variables[one.name] = await settled(one, secretOf);
  return variables;
}

async function settled(
  one: Variable,
  secretOf: (scope: string, key: string) => Promise<string | undefined>,
): Promise<string> {
  if ("value" in one) return one.value;
  const { scope, key } = one.secret;
  const value = await secretOf(scope, key);
  if (value !== undefined) return value;
  throw new Error(`There is no secret ${scope}/${key} in this environment, for its variable ${one.name}.`);
}
