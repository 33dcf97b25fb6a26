import type { ConnectionField, ConnectorKind } from "./kinds.ts";

/** The settings of a connection or target. The form and the YAML view change the same value. */
export type Config = Readonly<Record<string, unknown>>;

const isMap = (value: unknown): value is Config =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value of a form field as text. `"paging": "page"` is short for a map with that type. */
export function textAt(config: Config, name: string): string {
  const [outer = name, inner] = name.split(".");
  const value = config[outer];
  const found =
    inner === undefined ? value : isMap(value) ? value[inner] : inner === "type" ? value : undefined;
  return found === undefined || found === null || isMap(found) ? "" : String(found);
}

/** Sets a form field. An empty value removes the field, and the digits of a number field become a number. */
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

/** The value of a choice field. Default: its first option. */
export const choiceAt = (config: Config, { name, options }: ConnectionField): string =>
  textAt(config, name) || (options?.[0]?.value ?? "");

/** The fields that apply to the current choices. */
export function fieldsFor({ fields }: ConnectorKind, config: Config): readonly ConnectionField[] {
  const byName = new Map(fields.map((field) => [field.name, field]));
  return fields.filter(({ when }) => {
    if (!when) return true;
    const decisive = byName.get(when.field);
    return decisive !== undefined && when.is.includes(choiceAt(config, decisive));
  });
}

/** The config to send: strings are trimmed, and fields that do not apply to the current choices are left out. */
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

/** The required fields that are empty. */
export const missingFields = (kind: ConnectorKind, config: Config): readonly ConnectionField[] =>
  fieldsFor(kind, config).filter((field) => field.isRequired && choiceAt(config, field).trim() === "");

const mask = "********";
const isReference = (text: string) => text.includes("{{");

/** For the YAML view: hides passwords that were typed into the form, but not references to secrets. */
export const maskedConfig = ({ fields }: ConnectorKind, config: Config): Config =>
  fields.reduce((masked, field) => {
    const text = textAt(config, field.name);
    return field.isSecret && text !== "" && !isReference(text) ? withText(masked, field, mask) : masked;
  }, config);

/** The config after an edit in the YAML view. A mask stands for the former value. */
export const unmaskedConfig = ({ fields }: ConnectorKind, changed: Config, before: Config): Config =>
  fields.reduce(
    (config, field) =>
      field.isSecret && textAt(changed, field.name) === mask
        ? withText(config, field, textAt(before, field.name))
        : config,
    changed,
  );

/** The fields of the request for the source or target of the rows. */
export function targetOf(kind: ConnectorKind, config: Config) {
  const sent = sentConfig(kind, config);
  return kind.direction === "import"
    ? { target_type: "warehouse", target_config: { connection: { type: kind.type, config: sent } } }
    : { target_type: kind.type, target_config: sent };
}

/** The settings of a stored connector, as the form shows them. */
export function configOf({ direction }: ConnectorKind, target: Config | null): Config {
  const { connection } = (target ?? {}) as { connection?: { config?: Config } };
  return (direction === "import" ? connection?.config : target) ?? {};
}

/** The path of a field in validation errors. */
export const pathOf = ({ direction }: ConnectorKind, field: string): string =>
  direction === "import" ? `target_config.connection.config.${field}` : `target_config.${field}`;
