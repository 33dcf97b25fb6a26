import { encodeJson } from "@lakehelm/contract/schema";

/** The text of a JSON answer that holds a T. */
export type Text<T> = string & { readonly __holds?: T };

const texts = new WeakMap<object, string>();

/**
 * A document is a value and never changes once it is made, so its text is made once: for the row, for the
 * answer and for a kept answer.
 */
export function textOf<T>(doc: T): Text<T> {
  if (typeof doc !== "object" || doc === null) return encodeJson(doc);
  let text = texts.get(doc);
  if (text === undefined) {
    text = encodeJson(doc);
    texts.set(doc, text);
  }
  return text;
}
