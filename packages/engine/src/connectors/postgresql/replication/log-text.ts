import { columnDecoding } from "../source-types.ts";

/** Rewrites a value of the log as a snapshot would read it. */
export type TextRewrite = "array" | "inet";

/** How the text of a column in the log becomes the text of its snapshot; undefined: it is the same. */
export function rewriteOf(base: string): TextRewrite | undefined {
  if (base.endsWith("[]")) return "array";
  // A cast to text always has the length of the network, which the value itself leaves out.
  return base === "inet" ? "inet" : undefined;
}

export function rewriteText(rewrite: TextRewrite, text: string, base: string, dimensions: number): string {
  return rewrite === "array" ? arrayJson(text, base.slice(0, -2), dimensions) : inetText(text);
}

const inetText = (text: string): string =>
  text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`;

type ArrayItem = string | null | ArrayItem[];

/**
 * The JSON of `array_to_json(column::text[])`, or of `to_json(column)` if the column is stored as JSON: then elements have the
 * types of JSON.
 */
function arrayJson(text: string, element: string, dimensions: number): string {
  const isJson = dimensions > 1 || columnDecoding(element).type === "JSON";
  // An array with bounds, `[2:4]={1,2,3}`, is neither a list nor JSON, so its row is rejected.
  if (text.startsWith("[")) return isJson ? text : JSON.stringify(text);
  const list = parseArray(text);
  if (isJson) return jsonOf(list, jsonElement(element));
  // An array with more dimensions than declared stays a text, which cannot be cast to a list.
  if (list.some(Array.isArray)) return JSON.stringify(text);
  return jsonOf(list, (value) => JSON.stringify(textElement(element)(value)));
}

const jsonOf = (item: ArrayItem, element: (text: string) => string): string =>
  item === null
    ? "null"
    : typeof item === "string"
      ? element(item)
      : `[${item.map((one) => jsonOf(one, element)).join(",")}]`;

/** An element as `::text` writes it. */
function textElement(type: string): (text: string) => string {
  if (type === "boolean") return (text) => (text === "t" ? "true" : "false");
  if (type === "inet") return inetText;
  return /^(character\(|bpchar|character$)/.test(type) ? (text) => text.replace(/ +$/, "") : (text) => text;
}

/** An element as `to_json` writes it. */
function jsonElement(type: string): (text: string) => string {
  if (/^jsonb?$/.test(type)) return (text) => text;
  if (type === "boolean") return (text) => (text === "t" ? "true" : "false");
  if (/^(smallint|integer|bigint|real|double precision|numeric)/.test(type)) {
    return (text) => (/^-?\d/.test(text) ? text : JSON.stringify(text));
  }
  if (/^timestamp/.test(type))
    return (text) => JSON.stringify(text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00"));
  return (text) => JSON.stringify(text);
}

/** Reads PostgreSQL's text of an array: `{1,NULL,"a \"b\""}`, with bounds `[0:1]={1,2}`. Takes linear time. */
function parseArray(text: string): ArrayItem[] {
  let at = text.startsWith("[") ? text.indexOf("=") + 1 : 0;
  const stack: ArrayItem[][] = [];
  let current: ArrayItem[] = [];
  at += 1;
  for (;;) {
    const letter = text[at];
    if (letter === undefined) throw new Error("An array of the log ends too early.");
    if (letter === "{") {
      const inner: ArrayItem[] = [];
      current.push(inner);
      stack.push(current);
      current = inner;
      at += 1;
    } else if (letter === "}") {
      const outer = stack.pop();
      if (!outer) return current;
      current = outer;
      at += 1;
    } else if (letter === ",") at += 1;
    else if (letter === '"') {
      const { value, end } = quotedItem(text, at + 1);
      current.push(value);
      at = end;
    } else {
      const { value, end } = bareItem(text, at);
      current.push(value === "NULL" ? null : value);
      at = end;
    }
  }
}

function quotedItem(text: string, start: number): { value: string; end: number } {
  const parts: string[] = [];
  let from = start;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '"') {
      parts.push(text.slice(from, at));
      return { value: parts.join(""), end: at + 1 };
    }
    if (text[at] !== "\\") continue;
    parts.push(text.slice(from, at));
    from = at + 1;
    at += 1;
  }
  throw new Error("An array of the log ends within a value.");
}

function bareItem(text: string, start: number): { value: string; end: number } {
  let at = start;
  while (at < text.length && text[at] !== "," && text[at] !== "}") at += 1;
  return { value: text.slice(start, at).replace(/\\(.)/gs, "$1"), end: at };
}
