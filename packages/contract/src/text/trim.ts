/**
 * Removes characters that match from the end of a text. A pattern such as `/\/+$/` would do it too, in quadratic time
 * where such characters are not at the end.
 */
export function trimEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text[end - 1] as string)) end -= 1;
  return text.slice(0, end);
}
