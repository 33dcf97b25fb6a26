/** The kinds of resources that events, jobs and platform work are about. */
type ResourceKind =
  | "agent"
  | "app"
  | "automation"
  | "connector"
  | "deployment"
  | "environment"
  | "flow"
  | "pipeline";

/** A resource as events and jobs name it: `connector/<id>`. */
type Subject = `${ResourceKind}/${string}`;

export const subjectOf = (kind: ResourceKind, id: string): Subject => `${kind}/${id}`;

/** The id in a subject of this kind. A subject of another kind is a bug of ours. */
export function subjectId(kind: ResourceKind, subject: string): string {
  const prefix = `${kind}/`;
  if (!subject.startsWith(prefix)) throw new Error(`Expected a subject of the kind ${kind}, got ${subject}.`);
  return subject.slice(prefix.length);
}
