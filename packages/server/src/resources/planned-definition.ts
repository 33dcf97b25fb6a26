/** A definition as the request that creates the resource has it. */
export type Definition = Readonly<Record<string, unknown>>;

/** A definition for comparisons: with its secrets, and as callers see it. */
export interface DeclaredDefinition {
  readonly open: Definition;
  readonly masked: Definition;
}
