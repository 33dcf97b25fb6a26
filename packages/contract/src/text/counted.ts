/** `1 row`, `2 rows`. */
export const counted = (count: unknown, one: string): string =>
  `${String(count)} ${one}${Number(count) === 1 ? "" : "s"}`;

/** The verb form for a count: `1 row has`, `2 rows have`. */
export const verbFor = (count: number | bigint | undefined, one: string, several: string): string =>
  Number(count) === 1 ? one : several;

/** Puts a count before a sentence that begins with a plural noun: "rows have no key." becomes `1 row has no key.` */
export function countedSentence(count: number | bigint, sentence: string): string {
  if (Number(count) !== 1) return `${count} ${sentence}`;
  const [first = "", ...rest] = sentence.split(/(?<=[.:]) /);
  const one = first
    .replace(/^(\w+?)s\b/, "$1")
    .replace(/\b(?:have|are|were|occur)\b/g, (verb) => verbs[verb] ?? verb);
  return `1 ${[one, ...rest].join(" ")}`;
}

const verbs: Readonly<Record<string, string>> = { have: "has", are: "is", were: "was", occur: "occurs" };
