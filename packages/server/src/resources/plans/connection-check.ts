import { connectionRule, type PlanFinding } from "@lakehelm/contract";
import { withEnvironment } from "@lakehelm/contract/changes";
import { connectorProblems, isMap } from "@lakehelm/contract/connections";
import { suggestion } from "@lakehelm/contract/text";
import { turns } from "../../core/concurrency/turns.ts";
import { referencesIn, type SecretReference } from "../../core/secrets/references.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type { Definition } from "../planned-definition.ts";
import type { SecretStore } from "../secrets/secret-store.ts";
import type { PlannedStep } from "./planner.ts";

const maxFindings = 200;
const maxProblems = 5;
/** The maximum number of secret scopes that a plan reads, each once. */
const maxScopes = 200;

/** Warnings about changed resources whose runs cannot succeed: settings of their connections or secrets are missing. */
export async function connectionFindings(
  steps: readonly PlannedStep[],
  secrets: Pick<SecretStore, "names">,
  open: () => Promise<EnvironmentContext>,
  role: string | undefined,
): Promise<PlanFinding[]> {
  const turn = turns();
  const changed: Changed[] = [];
  for (const { step, desired } of steps) {
    if (step.action === "none" || !desired) continue;
    await turn();
    changed.push({ step, definition: desired.masked, uses: secretsOf(desired.masked) });
  }
  const missing = await missingSecrets(changed, secrets, open, role);
  const findings: PlanFinding[] = [];
  for (const { step, definition, uses } of changed) {
    await turn();
    const { kind, name, position } = step;
    const problems = kind === "connector" ? connectorProblems(definition) : [];
    const messages = [...problems.map(({ message }) => message), ...missing(uses)];
    for (const message of messages.slice(0, maxProblems))
      findings.push({ policy: connectionRule, level: "warn", position, kind, name, message });
    if (findings.length >= maxFindings) break;
  }
  return findings.slice(0, maxFindings);
}

interface Changed {
  readonly step: PlannedStep["step"];
  readonly definition: Definition;
  readonly uses: readonly SecretReference[];
}

async function missingSecrets(
  changed: readonly Changed[],
  secrets: Pick<SecretStore, "names">,
  open: () => Promise<EnvironmentContext>,
  role: string | undefined,
): Promise<(uses: readonly SecretReference[]) => string[]> {
  const all = changed.flatMap(({ uses }) => uses);
  if (all.length === 0) return () => [];
  const env = await open().catch(() => undefined);
  // A platform that runs the jobs itself has its own secrets.
  if (env === undefined || env.platform.remoteJobs) return () => [];
  const known = new Map<string, ReadonlySet<string>>();
  for (const { scope } of all) {
    if (known.has(scope) || known.size >= maxScopes) continue;
    const names = await secrets.names(env.environment, scope);
    known.set(scope, new Set(names.map(({ key }) => key)));
  }
  const isMissing = ({ scope, key }: SecretReference) => known.get(scope)?.has(key) === false;
  const written = new Set(all.filter((one) => !isMissing(one)).map(({ scope, key }) => `${scope}/${key}`));
  return (uses) =>
    uses
      .filter(isMissing)
      .slice(0, maxProblems)
      .map(({ scope, key }) => {
        // Only admins may list the names of a scope.
        const own = role === "admin" ? [...(known.get(scope) ?? [])].map((one) => `${scope}/${one}`) : [];
        const close = suggestion(`${scope}/${key}`, [...written, ...own]);
        const command = withEnvironment(`lakehelm secrets put ${scope} ${key}`, env.environment.name);
        return `There is no secret ${scope}/${key} in this environment.${close} To store it: ${command}`;
      });
}

/** `{{secrets/<scope>/<key>}}` in texts, and `secret: {scope, key}` of the variables of agents and apps. */
function secretsOf(definition: unknown): SecretReference[] {
  const found = new Map(referencesIn(definition).map((one) => [`${one.scope}/${one.key}`, one]));
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (!isMap(value)) return;
    const { secret } = value;
    if (isMap(secret) && typeof secret.scope === "string" && typeof secret.key === "string")
      found.set(`${secret.scope}/${secret.key}`, { scope: secret.scope, key: secret.key });
    for (const item of Object.values(value)) visit(item);
  };
  visit(definition);
  return [...found.values()];
}
