/**
 * The commands that a text prints, split into words as a shell splits them. A command ends with its sentence or with
 * the quote around it.
 */
export function printedCommands(text: string): string[][] {
  return [...text.matchAll(/(["`]?)\blakehelm (?=([a-z][^\n]*))/g)].map(([, quote = "", rest = ""]) => {
    const line = quote === "" ? rest : (rest.split(quote)[0] ?? "");
    const words: string[] = [];
    for (const [, word = ""] of line.matchAll(/\s*((?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+)/gy)) {
      const plain = word.replace(/[.,;:)]+$/, "");
      words.push(plain.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (_, one, two, three) => one ?? two ?? three));
      if (plain !== word) break;
    }
    return words;
  });
}
