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

/** The kind of resource in a subject. */
export const subjectKind = (subject: string): string => subject.split("/", 1)[0] ?? "";

/** The id in a subject of any kind, such as `run/<id>`. */
export const idOf = (subject: string): string => subject.slice(subject.indexOf("/") + 1);

export const isSubject = (kind: ResourceKind, subject: string): boolean => subject.startsWith(`${kind}/`);

/** The id in a subject of this kind. A subject of another kind is a bug of ours. */
export function subjectId(kind: ResourceKind, subject: string): string {
  if (!isSubject(kind, subject)) throw new Error(`Expected a subject of the kind ${kind}, got ${subject}.`);
  return subject.slice(kind.length + 1);
}
