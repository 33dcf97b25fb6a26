import type { ConnectionField, ConnectorKind } from "./kinds.ts";

/** What a connection or a target is set to: the form and the YAML view change the same value. */
export type Config = Readonly<Record<string, unknown>>;

const isMap = (value: unknown): value is Config =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A field of the form as text. `"paging": "page"` is short for a map with that type. */
export function textAt(config: Config, name: string): string {
  const [outer = name, inner] = name.split(".");
  const value = config[outer];
  const found =
    inner === undefined ? value : isMap(value) ? value[inner] : inner === "type" ? value : undefined;
  return found === undefined || found === null || isMap(found) ? "" : String(found);
}

/** With a field of the form: an empty one is left out, and digits of a number are a number. */
export function withText(config: Config, { name, isNumber }: ConnectionField, text: string): Config {
  const typed = isNumber && /^\d+$/.test(text) ? Number(text) : text;
  const [outer = name, inner] = name.split(".");
  if (inner === undefined) return withKey(config, outer, typed === "" ? undefined : typed);
  const before = config[outer];
  const map = isMap(before) ? before : typeof before === "string" ? { type: before } : {};
  const after = withKey(map, inner, typed === "" ? undefined : typed);
  return withKey(config, outer, Object.keys(after).length > 0 ? after : undefined);
}

const withKey = (map: Config, key: string, value: unknown): Config => {
  const { [key]: _, ...others } = map;
  return value === undefined ? others : { ...map, [key]: value };
};

/** The choice of a field: its first option if nothing was chosen. */
export const choiceAt = (config: Config, { name, options }: ConnectionField): string =>
  textAt(config, name) || (options?.[0]?.value ?? "");

/** The fields that belong to what is chosen. */
export function fieldsFor({ fields }: ConnectorKind, config: Config): readonly ConnectionField[] {
  const byName = new Map(fields.map((field) => [field.name, field]));
  return fields.filter(({ when }) => {
    if (!when) return true;
    const decisive = byName.get(when.field);
    return decisive !== undefined && when.is.includes(choiceAt(config, decisive));
  });
}

/** What is sent: texts without blanks around them, and nothing of a field that does not belong to what is chosen. */
export function sentConfig(kind: ConnectorKind, config: Config): Config {
  const shown = fieldsFor(kind, config);
  const names = new Set(shown.map(({ name }) => name));
  const others = kind.fields.filter(({ name }) => !names.has(name));
  const known = others.reduce((sent, field) => withText(sent, field, ""), config);
  return shown.reduce((sent, field) => {
    const text = choiceAt(config, field).trim();
    const isDefault = field.options !== undefined && !field.isRequired && text === field.options[0]?.value;
    return withText(sent, field, isDefault ? "" : text);
  }, known);
}

/** The fields that must be filled in and are not. */
export const missingFields = (kind: ConnectorKind, config: Config): readonly ConnectionField[] =>
  fieldsFor(kind, config).filter((field) => field.isRequired && choiceAt(config, field).trim() === "");

const mask = "********";
const isReference = (text: string) => text.includes("{{");

/** For the YAML view: a password that was typed into the form is not shown. References to secrets are. */
export const maskedConfig = ({ fields }: ConnectorKind, config: Config): Config =>
  fields.reduce((masked, field) => {
    const text = textAt(config, field.name);
    return field.isSecret && text !== "" && !isReference(text) ? withText(masked, field, mask) : masked;
  }, config);

/** What the YAML view has changed; a mask stands for what was there before. */
export const unmaskedConfig = ({ fields }: ConnectorKind, changed: Config, before: Config): Config =>
  fields.reduce(
    (config, field) =>
      field.isSecret && textAt(changed, field.name) === mask
        ? withText(config, field, textAt(before, field.name))
        : config,
    changed,
  );

/** The fields of the request that say where rows come from or go to. */
export function targetOf(kind: ConnectorKind, config: Config) {
  const sent = sentConfig(kind, config);
  return kind.direction === "import"
    ? { target_type: "warehouse", target_config: { connection: { type: kind.type, config: sent } } }
    : { target_type: kind.type, target_config: sent };
}

/** What was entered for a stored connector. */
export function configOf({ direction }: ConnectorKind, target: Config | null): Config {
  const { connection } = (target ?? {}) as { connection?: { config?: Config } };
  return (direction === "import" ? connection?.config : target) ?? {};
}

/** Where the error of a field is. */
export const pathOf = ({ direction }: ConnectorKind, field: string): string =>
  direction === "import" ? `target_config.connection.config.${field}` : `target_config.${field}`;
