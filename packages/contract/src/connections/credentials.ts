/** Which fields of a config hold credentials. A kind declares it in its schema; see `kinds.ts`. */
import * as s from "../schema/index.ts";
import { isPublicHeader, isSecretKey } from "./secret-keys.ts";

/**
 * The keys of maps and indexes of lists that lead from a field's value to a nested value. Empty: the field's value
 * itself.
 */
export type CredentialPath = readonly (string | number)[];

/** Whether the value at this path inside a field is a credential. */
type CredentialRule = (path: CredentialPath) => boolean;

/** Marks a field that holds credentials. `rule` selects the values that are credentials; default: all. */
export const credential = <Out, In, P extends s.FieldPresence>(
  field: s.Schema<Out, In, P>,
  rule: CredentialRule = () => true,
): s.Schema<Out, In, P> => new CredentialSchema(field, rule);

/** For maps such as driver options: a value is a credential if a name on its path marks it as secret. */
export const byName: CredentialRule = (path) =>
  path.some((step) => typeof step === "string" && isSecretKey(step));

/** For headers: every value is a credential unless the header is known to be public. */
export const byHeader: CredentialRule = ([name]) => typeof name === "string" && !isPublicHeader(name);

/** Whether the fields of a config declare the value at this path to be a credential. */
export function isCredentialOf(fields: s.Fields, path: CredentialPath): boolean {
  const [key, ...rest] = path;
  if (typeof key !== "string" || !Object.hasOwn(fields, key)) return false;
  return ruleOf(fields[key] as s.AnySchema)?.(rest) === true;
}

/** The names of the fields that hold credentials. */
export const credentialFieldsOf = (fields: s.Fields): string[] =>
  Object.keys(fields).filter((key) => ruleOf(fields[key] as s.AnySchema) !== undefined);

/** Optional fields, refinements and similar schemas wrap the schema that has the mark. */
function ruleOf(schema: s.AnySchema): CredentialRule | undefined {
  let at: s.AnySchema | undefined = schema;
  while (at !== undefined && !(at instanceof CredentialSchema)) {
    at = "inner" in at ? (at.inner as s.AnySchema) : undefined;
  }
  return at?.isCredential;
}

class CredentialSchema<Out, In, P extends s.FieldPresence> extends s.Schema<Out, In, P> {
  readonly inner: s.Schema<Out, In, P>;
  readonly isCredential: CredentialRule;

  constructor(inner: s.Schema<Out, In, P>, rule: CredentialRule) {
    super(inner.presence, inner.fallback);
    this.inner = inner;
    this.isCredential = rule;
  }
  check(value: unknown, loc: s.Loc, errors: s.ValidationError[]): Out {
    return this.inner.check(value, loc, errors);
  }
  jsonSchema(refs: s.Refs): s.JsonSchema {
    return this.inner.jsonSchema(refs);
  }
}
