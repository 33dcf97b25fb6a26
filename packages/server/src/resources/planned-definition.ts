/** A definition as the request that creates the resource has it. */
export type Definition = Readonly<Record<string, unknown>>;

/** Values that only count when a resource is created, and are not compared. */
export const initialFields = ["paused", "created_by"] as const;

/** The fields of a request that creates a resource, but those: a definition without one of them does not compile. */
export type DeclaredFields<Body> = {
  readonly [Field in Exclude<keyof Body, (typeof initialFields)[number]>]-?: unknown;
};

/** A definition for comparisons: with its secrets, and as callers see it. */
export interface DeclaredDefinition {
  readonly open: Definition;
  readonly masked: Definition;
}

/** Secrets are decrypted when they are asked for: most resources that a plan looks at do not change. */
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
