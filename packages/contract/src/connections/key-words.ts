/** The words of a text that separates them by blanks, as a set. */
export const wordSet = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Of a longer name, only the first and the last 100 characters are read. */
const longestName = 300;

/**
 * The words of a name, in lower case: `dbPassword`, `DB_PASSWORD`, `db-password` and `db.password2` are all "db",
 * "password".
 */
export function wordsOf(name: string): string[] {
  const ends = name.length <= longestName ? name : `${name.slice(0, 100)} ${name.slice(-100)}`;
  const text = /^[\x20-\x7e]*$/.test(ends) ? ends : ends.normalize("NFKD").replace(/\p{M}/gu, "");
  const words: string[] = [];
  let word = "";
  const end = () => {
    if (word !== "") words.push(word.toLowerCase());
    word = "";
  };
  let previous = "";
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    const kind = kindOf(char);
    // A digit ends a word and is dropped: "password2", "oauth2_token".
    if (kind === "other") end();
    else {
      const startsWord =
        kind === "upper" &&
        (previous === "lower" || (previous === "upper" && kindOf(text.charAt(at + 1)) === "lower"));
      if (startsWord) end();
      word += char;
    }
    previous = kind;
  }
  end();
  return words;
}

function kindOf(char: string): "upper" | "lower" | "other" {
  if (char >= "a" && char <= "z") return "lower";
  return char >= "A" && char <= "Z" ? "upper" : "other";
}
