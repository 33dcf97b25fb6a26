/** The release of an automation in an environment, and the automations that it calls, by alias. */
interface ReleasedCalls {
  readonly jobId: string;
  readonly alias: string;
  readonly calls: readonly string[];
}

/** Undefined if the automation has no release with a job in the environment. */
export type FindReleasedCalls = (alias: string, environmentId: string) => Promise<ReleasedCalls | undefined>;

/** How many automations may call each other in a row. */
export const maxCallDepth = 10;
/** The most releases that are read for one check. */
const maxReleases = 500;

/**
 * Why an automation cannot call another one: it would call itself, directly or through others, or the calls are too
 * deep. Releases that do not exist are not followed.
 */
export async function callProblem(
  own: { readonly jobId: string; readonly alias: string },
  called: string,
  environmentId: string,
  find: FindReleasedCalls,
): Promise<string | undefined> {
  const visited = new Set<string>();
  let level: { readonly alias: string; readonly path: readonly string[] }[] = [
    { alias: called, path: [own.alias] },
  ];
  for (let depth = 1; level.length > 0; depth++) {
    const next: typeof level = [];
    for (const { alias, path } of level) {
      const found = await find(alias, environmentId);
      const isOwn = found ? found.jobId === own.jobId : alias === own.alias;
      const way = [...path, found?.alias ?? alias];
      if (isOwn) return `The automation would call itself: ${way.map((one) => `"${one}"`).join(" → ")}.`;
      if (!found || visited.has(found.jobId)) continue;
      if (depth > maxCallDepth)
        return `More than ${maxCallDepth} automations would call each other in a row.`;
      visited.add(found.jobId);
      if (visited.size > maxReleases) return `The calls reach more than ${maxReleases} automations.`;
      next.push(...found.calls.map((one) => ({ alias: one, path: way })));
    }
    level = next;
  }
  return undefined;
}
