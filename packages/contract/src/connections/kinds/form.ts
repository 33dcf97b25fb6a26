/** A field of the connection form. Its name is its path in `connection.config`, or for an export in `target_config`. */
export interface ConnectionField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly isSecret?: true;
  readonly isRequired?: true;
  readonly isNumber?: true;
  /** The first option is the default. */
  readonly options?: readonly { readonly value: string; readonly text: string }[];
  /** The field is shown only if another field has one of these values. */
  readonly when?: { readonly field: string; readonly is: readonly string[] };
}

/** A form for connections of a kind. */
export interface ConnectionForm {
  readonly title: string;
  readonly about: string;
  readonly fields: readonly ConnectionField[];
  /** Settings that only the YAML view offers. */
  readonly more: readonly string[];
  /** Discovery lists no datasets of this kind, so users type their names. */
  readonly listsNothing?: true;
}

/** The forms for reading from a kind and for writing to it. */
export interface KindForms {
  readonly source?: ConnectionForm;
  readonly target?: ConnectionForm;
}

export const choices = (...values: readonly string[]) => values.map((value) => ({ value, text: value }));

export const serverFields = (port: string): readonly ConnectionField[] => [
  { name: "host", label: "Host", isRequired: true },
  { name: "port", label: "Port", hint: `Default: ${port}`, isNumber: true },
  { name: "database", label: "Database", isRequired: true },
  { name: "user", label: "User" },
  {
    name: "password",
    label: "Password",
    hint: "Stored encrypted. Or a reference to a secret: {{secrets/scope/key}}",
    isSecret: true,
  },
];

export const fileFields: readonly ConnectionField[] = [
  { name: "path", label: "Path", hint: "Absolute, in a folder that the server may use", isRequired: true },
];

export const authorizationHeader: ConnectionField = {
  name: "headers.Authorization",
  label: "Authorization header",
  hint: "Such as: Bearer {{secrets/shop/api-token}}. Stored encrypted.",
  isSecret: true,
};

export const folderField: ConnectionField = {
  name: "path",
  label: "Folder",
  hint: "An absolute path that the server may use, or s3://bucket/prefix",
  isRequired: true,
};

export const storageSettings = [
  "region",
  "endpoint",
  "path_style",
  "access_key_id",
  "secret_access_key",
  "session_token",
];
