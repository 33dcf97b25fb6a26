/**
 * Removes matching characters from the end of a text. A pattern such as `/\/+$/` would do the same, but in quadratic
 * time if many such characters are not at the end.
 */
export function trimEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text[end - 1] as string)) end -= 1;
  return text.slice(0, end);
}
