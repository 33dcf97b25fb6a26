import { encodeJson } from "@lakehelm/contract/schema";

/** The text of a JSON answer that holds a T. */
export type Text<T> = string & { readonly __holds?: T };

const texts = new WeakMap<object, string>();

/**
 * Documents are immutable, so their text is made once: for the row, the answer and the stored idempotent answer.
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
