import { stripTypeScriptTypes } from "node:module";

interface Javascript {
  /** Each line stays where it was, so stack traces need no source map. */
  readonly code: string;
  /** What the module imports, starts as a thread or reads, as its source names it. */
  readonly names: ReadonlySet<string>;
}

/** A module without its types, which names `.js` files where its source names `.ts` files. */
export function javascriptOf(source: string): Javascript {
  const names = new Set<string>();
  const code = stripTypeScriptTypes(source, { mode: "strip" }).replaceAll(
    named,
    (_, before: string, name: string) => {
      const isBareUrl = before.startsWith("new URL") && !name.startsWith(".");
      names.add(isBareUrl ? `./${name}` : name);
      return before + name.replace(/\.ts$/, ".js");
    },
  );
  return { code, names };
}

/** Declarations begin a line, because Biome has formatted the sources. Text that contains code does not look like this. */
const named =
  /(^(?:import |(?:import|export)\b[^"'`\n]* from |\} from )"|\bimport\("|\bnew URL\("(?=[^"\n]+", import\.meta\.url)|\bimport\.meta\.resolve\(["`])([^"`$\n]+)/gm;
