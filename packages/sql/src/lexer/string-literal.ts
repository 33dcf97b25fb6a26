const simple: Readonly<Record<string, string>> = {
  "0": "\0",
  b: "\b",
  n: "\n",
  r: "\r",
  t: "\t",
  Z: "\u001a",
  // These escapes keep their backslash, for LIKE.
  "%": "\\%",
  _: "\\_",
};

/** A Unicode escape of four or eight digits, an octal one of three, or any other character after a backslash. */
const escapes = /\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([01][0-7]{2})|([\s\S]))/gu;

/**
 * The value of a string literal, as Spark reads it. Undefined if Spark releases disagree (a doubled quote) or an escape is not a
 * character.
 */
export function stringValue(literal: string): string | undefined {
  const raw = /^[rR]/.test(literal);
  const quote = literal.at(-1) ?? "";
  const inside = literal.slice(raw ? 2 : 1, -1);
  if (raw) return inside;
  let isValid = !/^[xX]/.test(literal);
  const text = inside.replace(
    escapes,
    (_all, four?: string, eight?: string, octal?: string, other?: string) => {
      const digits = four ?? eight;
      if (digits !== undefined) {
        const code = Number.parseInt(digits, 16);
        if (code > 0x10ffff) isValid = false;
        return code > 0x10ffff ? "" : String.fromCodePoint(code);
      }
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
      return simple[other ?? ""] ?? other ?? "";
    },
  );
  const bare = inside.replace(escapes, "");
  return isValid && !bare.includes(quote) && text.isWellFormed() ? text : undefined;
}
