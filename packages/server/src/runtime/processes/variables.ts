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
/** The mark variable of task programs, which the supervisor of agents and apps must not end. */
export const taskMarkVariable = "LAKEHELM_TASK_PROCESS";
export const markVariables: readonly string[] = [markVariable, taskMarkVariable];

/**
 * The prefix of the marks of a data folder. A copy of the folder has the same id but gets another prefix, because its
 * processes are separate.
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

/** The value of a secret, or the message if there is none. */
type SecretOf = (
  scope: string,
  key: string,
) => Promise<{ readonly value: string } | { readonly missing: string }>;

/** The complete environment of a process. The variables of its `app.yaml` are added to it. */
export async function variablesOf(
  details: ProcessDetails,
  declared: readonly Variable[],
  secretOf: SecretOf,
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

async function resolved(one: Variable, secretOf: SecretOf): Promise<string> {
  if ("value" in one) return one.value;
  const { scope, key } = one.secret;
  const found = await secretOf(scope, key);
  if ("value" in found) return found.value;
  throw new Error(`The variable ${one.name}: ${found.missing}`);
}
