import { hash } from "node:crypto";
import { delimiter, dirname } from "node:path";
import type { Variable } from "./manifest.ts";

interface ProcessDetails {
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
const inherited = ["LANG", "TZ"] as const;

export const inheritedVariables = (): Record<string, string> =>
  Object.fromEntries(
    inherited.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** The complete environment of a process. The variables of its `app.yaml` are added to it. */
export async function variablesOf(
  details: ProcessDetails,
  declared: readonly Variable[],
  secretOf: (scope: string, key: string) => Promise<string | undefined>,
): Promise<Record<string, string>> {
  const variables: Record<string, string> = {
    // Apps run with the Node of the server unless they bring another.
    PATH: [dirname(process.execPath), process.env.PATH ?? "/usr/local/bin:/usr/bin:/bin"].join(delimiter),
    HOME: details.home,
    TMPDIR: details.temporary,
    PORT: String(details.port),
    DATABRICKS_APP_PORT: String(details.port),
    DATABRICKS_APP_NAME: details.name,
    LAKEHELM_URL: details.url,
    LAKEHELM_ENVIRONMENT: details.environmentId,
    LAKEHELM_TOKEN_FILE: details.tokenFile,
    [markVariable]: details.mark,
    ...inheritedVariables(),
  };
  for (const one of declared) variables[one.name] = await resolved(one, secretOf);
  return variables;
}

async function resolved(
  one: Variable,
  secretOf: (scope: string, key: string) => Promise<string | undefined>,
): Promise<string> {
  if ("value" in one) return one.value;
  const { scope, key } = one.secret;
  const value = await secretOf(scope, key);
  if (value !== undefined) return value;
  throw new Error(`There is no secret ${scope}/${key} in this environment, for its variable ${one.name}.`);
}
