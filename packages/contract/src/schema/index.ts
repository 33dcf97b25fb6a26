export { list, map } from "./collections.ts";
export { conformanceError } from "./conformance.ts";
export { type IntegerOptions, integer } from "./integer.ts";
export {
  type DecodedBody,
  type DecodedJson,
  decodeJson,
  decodeLongJson,
  encodeJson,
  isSerializable,
  longBody,
  readBody,
  readLongBody,
} from "./json.ts";
export {
  atMostOneOf,
  choice,
  documentedSchema,
  exactlyOneOf,
  extension,
  type Fields,
  type ModelOptions,
  ModelSchema,
  model,
  modelOf,
  object,
  partial,
} from "./model.ts";
export { maxNesting } from "./python-json.ts";
export { parseQuery } from "./query.ts";
export {
  any,
  boolean,
  coercedString,
  cron,
  isCron,
  literal,
  number,
  type StringOptions,
  string,
} from "./scalars.ts";
export {
  type AnySchema,
  type Deprecation,
  type FieldPresence,
  has,
  type Infer,
  type Input,
  isObject,
  type JsonSchema,
  type Refs,
  Schema,
} from "./schema.ts";
export { addError, type Loc, maxErrors, missingField, type ValidationError } from "./validation-error.ts";
