/** Limits of Unity Catalog for the length of a comment and of a tag's value. */
const maxCommentLength = 65_535;
const maxTagLength = 1000;

export function textProblem(text: string): string | undefined {
  if (!text.isWellFormed()) return "the text contains an unpaired surrogate.";
  return [...text].length > maxCommentLength
    ? `the text is longer than ${maxCommentLength} characters.`
    : undefined;
}

/** All terms become the value of one tag, separated by commas. */
export function termsProblem(terms: readonly string[]): string | undefined {
  if (terms.some((term) => term.trim() === "" || term.trim() !== term))
    return "a term is empty, or begins or ends with a space.";
  if (terms.some((term) => term.includes(",")))
    return "a term contains a comma, which separates terms in the tag.";
  const text = terms.join(", ");
  if (!text.isWellFormed()) return "a term contains an unpaired surrogate.";
  return [...text].length > maxTagLength
    ? `together the terms are longer than ${maxTagLength} characters, the limit of a tag.`
    : undefined;
}
