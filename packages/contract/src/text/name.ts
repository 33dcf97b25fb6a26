/**
 * The rule for names that users choose: two names that look the same must be the same name. It uses only Unicode
 * properties of JavaScript:
 *
 * 1. NFC, so that "é" has only one encoding.
 * 2. No control, format, private, unassigned or other invisible characters, and so no marks for the direction of text.
 *    A joiner may stand after a letter of a script that needs it (Arabic, Indic) and between emoji.
 * 3. No blank except the space, and none at the beginning or the end.
 * 4. No letter or digit that is another form of an ASCII character (full width, mathematical, circled).
 * 5. No word (a run of letters) that mixes two alphabets with letters of similar shapes.
 */
export function nameProblem(name: string): string | undefined {
  if (!name.isWellFormed()) return "has half a surrogate pair";
  if (name.trim() !== name) return "begins or ends with a blank";
  if (/^[ -~]*$/.test(name)) return undefined;
  if (name !== name.normalize("NFC"))
    return "has an accent as a character of its own. Send it in Unicode normalization form C";
  let before = "";
  for (const character of name) {
    const problem = characterProblem(character, before);
    if (problem !== undefined) return `has ${problem} (U+${codeOf(character)})`;
    before = character;
  }
  for (const [word] of name.matchAll(/[\p{L}\p{M}]+/gu)) {
    const found = alphabets.filter(({ pattern }) => pattern.test(word)).map((one) => one.name);
    if (found.length > 1)
      return `has letters of ${found.join(" and ")} in one word, which can look alike. Write each word in one alphabet`;
  }
  return undefined;
}

/**
 * Alphabets with letters that look like letters of another one. Other scripts, such as Han and Hangul, can be mixed
 * with them.
 */
const alphabets = [
  ...["Latin", "Greek", "Cyrillic", "Armenian", "Georgian", "Coptic", "Cherokee", "Lisu", "Deseret"],
  ...["Glagolitic", "Gothic", "Old_Italic", "Runic", "Tifinagh", "Canadian_Aboriginal", "Osage"],
].map((name) => ({ name: name.replaceAll("_", " "), pattern: new RegExp(`\\p{Script=${name}}`, "u") }));

const joiners = /[\u200c\u200d]/;
const needsJoiners =
  /\p{Script=Arabic}|\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Gurmukhi}|\p{Script=Gujarati}|\p{Script=Oriya}|\p{Script=Tamil}|\p{Script=Telugu}|\p{Script=Kannada}|\p{Script=Malayalam}|\p{Script=Sinhala}|\p{Script=Khmer}|\p{Script=Mongolian}|\p{Extended_Pictographic}|\ufe0f|\p{Emoji_Modifier}/u;

function characterProblem(character: string, before: string): string | undefined {
  if (character <= "~" && character >= " ") return undefined;
  if (joiners.test(character) && needsJoiners.test(before)) return undefined;
  if (character === "\ufe0f" && /\p{Emoji}/u.test(before)) return undefined;
  if (/\p{Cc}|[\u2028\u2029]/u.test(character)) return "a control character";
  if (/\p{Cf}|\p{Default_Ignorable_Code_Point}/u.test(character)) return "a character that is not shown";
  if (/\p{C}/u.test(character)) return "a character without a meaning";
  if (/\p{Z}|\u2800|\u3164/u.test(character)) return "a blank that is not a space";
  // Ordinal indicators and exponents are common in names, so they are allowed.
  const plain = character.normalize("NFKC");
  const isForm = /\p{L}|\p{Nd}/u.test(character)
    ? !/[ªº]/.test(character)
    : plain.length === 1 && /\p{So}/u.test(character);
  if (isForm && /^[A-Za-z0-9]+$/.test(plain)) return "another form of a plain letter";
  return undefined;
}

const codeOf = (character: string) =>
  (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
