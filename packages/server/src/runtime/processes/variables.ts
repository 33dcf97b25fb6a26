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
  /** What this start is known by. */
  readonly mark: string;
}

/** The variable that tells our processes from others: also those that nobody has written down yet. */
export const markVariable = "LAKEHELM_PROCESS";

/** How the marks of a data folder begin. A copy of the folder, with the same id in it, has others: its processes are its own. */
export const markPrefix = (dataFolderId: string, dataDir: string): string =>
  `${hash("sha256", `${dataFolderId} ${dataDir}`).slice(0, 16)}.`;

/** What is the machine's and no secret: of the server's own variables, a process gets these alone. */
const ofTheMachine = ["LANG", "TZ"] as const;

/** The whole environment of a process. What its `app.yaml` says comes on top. */
export async function variablesOf(
  env: Place,
  declared: readonly Variable[],
  secretOf: (scope: string, key: string) => Promise<string | undefined>,
): Promise<Record<string, string>> {
  const variables: Record<string, string> = {
    // The Node that runs the server runs its apps, unless they bring another.
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
