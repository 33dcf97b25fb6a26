import type { Environments } from "../environments/environments.ts";

interface InEnvironment {
  readonly environment_id: string;
  readonly environment: string;
}

/** Documents store the environment's name at the time of writing; responses show its current name. */
export async function withCurrentNames<T extends InEnvironment>(
  docs: readonly T[],
  environments: Environments,
): Promise<T[]> {
  const ids = [...new Set(docs.map(({ environment_id }) => environment_id))];
  const names = new Map<string, string>();
  for (const id of ids) names.set(id, (await environments.read(id)).doc.name);
  return docs.map((doc) => ({ ...doc, environment: names.get(doc.environment_id) ?? doc.environment }));
}
