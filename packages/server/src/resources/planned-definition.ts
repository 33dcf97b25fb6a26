/** A definition in the form of the request that creates the resource. */
export type Definition = Readonly<Record<string, unknown>>;

/** Values that only count when a resource is created, and are not compared. */
export const initialFields = ["paused", "created_by"] as const;

/** The fields of a create request except `initialFields`: a definition without one of them does not compile. */
export type DeclaredFields<Body> = {
  readonly [Field in Exclude<keyof Body, (typeof initialFields)[number]>]-?: unknown;
};

/** A definition for comparisons: `open` has its secrets, `masked` is what callers see. */
export interface DeclaredDefinition {
  readonly open: Definition;
  readonly masked: Definition;
}

/** Decrypts the secrets on first use only: most resources that a plan looks at do not change. */
export function declaredWith(masked: Definition, openNow: () => Definition): DeclaredDefinition {
  let open: Definition | undefined;
  return {
    masked,
    get open() {
      open ??= openNow();
      return open;
    },
  };
}
