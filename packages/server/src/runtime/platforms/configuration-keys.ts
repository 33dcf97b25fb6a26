/**
 * What a key of an environment's `configuration` is for its platform. `destination`: where credentials are sent.
 * `credential`: what they are, or as whom they act. `setting`: anything else. Each platform declares the keys that it
 * reads.
 */
export type KeyUse = "destination" | "credential" | "setting";

export type ConfigurationKeys = Readonly<Record<string, KeyUse>>;

/** A configuration of which only declared keys can be read. */
export type DeclaredConfiguration<Keys extends ConfigurationKeys> = Readonly<
  Partial<Record<keyof Keys, unknown>>
>;
