/**
 * To which resource a thing in a workspace belongs. No create there takes an idempotency key, so everything that we
 * create carries a mark: a later search finds it, and never mistakes a stranger's thing of the same name for it.
 */
export interface Mark {
  /** The same for all servers with one database. */
  readonly installation: string;
  readonly environment: string;
  /** `connector/<id>` */
  readonly resource: string;
}

type Tags = Readonly<Record<string, string>>;

export const markTags = ({ installation, environment, resource }: Mark): Tags => ({
  lakehelm_installation: installation,
  lakehelm_environment: environment,
  lakehelm_resource: resource,
});

export const hasMark = (tags: Tags | undefined, mark: Mark): boolean =>
  Object.entries(markTags(mark)).every(([key, value]) => tags?.[key] === value);

/**
 * Identifies the job or pipeline of a resource: by its mark, or by the folder of its code if somebody removed the tags.
 */
export interface OwnThing {
  readonly name: string;
  readonly mark: Mark;
  readonly folder: string;
  /** The id in an answer of the workspace; null: no answer had one. */
  readonly id: string | null;
}
