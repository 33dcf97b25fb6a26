/** Words that guessing programs try first, also with digits and punctuation around them. */
const commonWords = [
  "administrator",
  "admin",
  "changeit",
  "changeme",
  "change",
  "client",
  "default",
  "example",
  "internal",
  "lakehelm",
  "letmein",
  "password",
  "passwd",
  "passphrase",
  "platform",
  "qwertyuiop",
  "qwerty",
  "asdfghjkl",
  "secret",
  "service",
  "sample",
  "token",
  "tests",
  "test",
  "user",
  "welcome",
  "key",
  "pass",
  "auth",
  "jwt",
  "the",
  "dev",
  "prod",
  "my",
  "me",
];

/** The number of characters that an attacker must guess, beyond common words, sequences and repetitions. */
const leastUnpredictable = 6;

/**
 * Why a secret is easy to guess, as the end of a sentence: "must …". Undefined if it is not. `names` are texts that an
 * attacker knows, such as the user's name. The check takes linear time.
 */
export function weaknessOf(secret: string, least: number, names: readonly string[] = []): string | undefined {
  const characters = [...secret];
  if (characters.length < least) return `have at least ${least} characters`;
  const text = plain(secret);
  const known = [...names.flatMap(partsOf), ...commonWords].sort((a, b) => b.length - a.length);
  const rest = known.reduce((left, word) => left.replaceAll(word, ""), text);
  const isKnown = rest.length < text.length && unpredictable(rest) < leastUnpredictable;
  if (isKnown) return "not consist of common words or of names";
  if (unpredictable(text) < leastUnpredictable) return "not consist of repeated or consecutive characters";
  return undefined;
}

const partsOf = (name: string): string[] =>
  [name, ...name.split(/[^\p{L}\p{N}]+/u)].map(plain).filter((word) => word.length >= 3);

/** The text in lower case, without accents and punctuation. */
const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");

/**
 * How many characters are not predictable from those before them. A character that continues a sequence (`abc`, `321`)
 * or that appeared in the same order before (`xyxyxy`) is predictable.
 */
function unpredictable(text: string): number {
  const followers = new Map<string, string>();
  let count = 0;
  let before = "";
  for (const character of text) {
    const step = before === "" ? Number.NaN : Math.abs(character.charCodeAt(0) - before.charCodeAt(0));
    const isPredictable = step <= 1 || followers.get(before) === character;
    if (!isPredictable) count += 1;
    if (before !== "") followers.set(before, character);
    before = character;
  }
  return count;
}
