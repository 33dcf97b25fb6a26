import type { SealedEvent } from "../../core/events/log.ts";
import { idOf, subjectKind } from "../../core/store/store.ts";
import type { EnvironmentLookups } from "../../web/http/authorization.ts";

/** The environment of a subject such as `connector/<id>`; undefined if it has none or no longer exists. */
export type EnvironmentOfSubject = (subject: string) => Promise<string | undefined>;

/** How many subjects are cached with their environment, which never changes. */
const remembered = 10_000;

/**
 * Whether an event is in one of these environments. An event without a known environment (of users, of shared
 * definitions, of deleted resources) is only for callers who see all environments.
 */
export function createEventFilter(
  visible: readonly string[],
  environmentOf: EnvironmentOfSubject,
): (event: SealedEvent) => Promise<boolean> {
  const known = new Map<string, string | undefined>();

  async function ofSubject(subject: string): Promise<string | undefined> {
    if (known.has(subject)) return known.get(subject);
    const found = await environmentOf(subject);
    if (known.size >= remembered) known.clear();
    known.set(subject, found);
    return found;
  }

  return async ({ subject, body }) => {
    const { data } = JSON.parse(body) as { readonly data: { readonly environment_id?: unknown } };
    const declared = typeof data.environment_id === "string" ? data.environment_id : undefined;
    const environment = declared ?? (await ofSubject(subject));
    return environment !== undefined && visible.includes(environment);
  };
}

/** Subjects that begin with the id of their environment. */
const prefixed = ["environment", "file", "secret", "table"];

/** Automations and agents are shared: their events name the environment that they concern, or concern none. */
export function environmentOfSubject({
  agent,
  automation,
  ...lookups
}: EnvironmentLookups): EnvironmentOfSubject {
  return async (subject) => {
    const kind = subjectKind(subject);
    if (prefixed.includes(kind)) return idOf(subject).split("/", 1)[0];
    if (!Object.hasOwn(lookups, kind)) return undefined;
    return (await lookups[kind as keyof typeof lookups](idOf(subject)))?.[0];
  };
}
