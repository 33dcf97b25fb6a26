import type { Environments } from "../environments/environments.ts";

interface InEnvironment {
  readonly environment_id: string;
  readonly environment: string;
}

/** Documents keep the name their environment had when they were written; callers get the one it has now. */
export async function withCurrentNames<T extends InEnvironment>(
  docs: readonly T[],
  environments: Environments,
): Promise<T[]> {
  const ids = [...new Set(docs.map(({ environment_id }) => environment_id))];
  const names = new Map<string, string>();
  for (const id of ids) names.set(id, (await environments.read(id)).doc.name);
  return docs.map((doc) => ({ ...doc, environment: names.get(doc.environment_id) ?? doc.environment }));
}
