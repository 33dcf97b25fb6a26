export type FreeFormMap = Readonly<Record<string, unknown>>;

/** Secret values by their path, as JSON text: `["headers","Authorization"]`. */
export type Extracted = Record<string, string | number | bigint>;

export type SecretPath = readonly (string | number)[];

export const pathText = (path: SecretPath) => path.join(".");

export const childOf = (value: unknown, key: string | number | undefined): unknown =>
  typeof value === "object" && value !== null && key !== undefined
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;

export const valueAt = (map: unknown, path: SecretPath): unknown => path.reduce<unknown>(childOf, map);
