export { type DecodedBody, readBody } from "./body.ts";
export { choice, extension } from "./choice.ts";
export { list, map } from "./collections.ts";
export { conformanceError } from "./conformance.ts";
export { isCron } from "./cron.ts";
export { type IntegerOptions, integer } from "./integer.ts";
export { type DecodedJson, decodeJson, encodeJson, isSerializable } from "./json.ts";
export {
  atMostOneOf,
  exactlyOneOf,
  type Fields,
  type ModelOptions,
  ModelSchema,
  model,
  object,
  partial,
} from "./model.ts";
export { has, isObject } from "./object.ts";
export { parseQuery } from "./query.ts";
export { any, boolean, coercedString, literal, number, type StringOptions, string } from "./scalars.ts";
export {
  type AnySchema,
  type FieldPresence,
  type Infer,
  type Input,
  type JsonSchema,
  type Refs,
  Schema,
} from "./schema.ts";
export { addError, type Loc, missingField, type ValidationError } from "./validation-error.ts";
