import { systemActors } from "../../core/system.ts";
import type { Settings } from "../../settings.ts";

/** Letters of other scripts that look like Latin ones. */
const lookalikes: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ["аɑαａ", "a"],
    ["ьƅ", "b"],
    ["сϲ", "c"],
    ["ԁ", "d"],
    ["еєɛε", "e"],
    ["ɡ", "g"],
    ["һ", "h"],
    ["іıɩιı", "i"],
    ["ј", "j"],
    ["кκ", "k"],
    ["ӏⅼǀ", "l"],
    ["м", "m"],
    ["ոп", "n"],
    ["оοօ", "o"],
    ["рρ", "p"],
    ["ԛ", "q"],
    ["гᴦ", "r"],
    ["ѕ", "s"],
    ["тτ", "t"],
    ["υս", "u"],
    ["ѵν", "v"],
    ["ԝω", "w"],
    ["хχ", "x"],
    ["уγ", "y"],
  ].flatMap(([letters = "", latin = ""]) => [...letters].map((letter) => [letter, latin])),
);

/** A name as a reader sees it: without case, accents, blanks, punctuation and invisible characters. */
export const skeleton = (name: string): string =>
  [...name.normalize("NFKD").toLowerCase()]
    .map((letter) => lookalikes[letter] ?? letter)
    .join("")
    .replaceAll(/[^\p{L}\p{N}]/gu, "");

/** Processes of agents and apps have names such as `app/<name>`. */
const processName = /^\s*(?:agent|app)\s*\//iu;

const reserved = new Set(systemActors.map(skeleton));

/** Whether a user of this name could be mistaken for the server, or for a process of it, in events. */
export const isReservedName = (name: string): boolean =>
  reserved.has(skeleton(name)) || processName.test(name.normalize("NFKC"));

export function requireUsableClient({
  PLATFORM_CLIENT_ID: client,
}: Pick<Settings, "PLATFORM_CLIENT_ID">): void {
  if (client !== undefined && isReservedName(client))
    throw new Error(`PLATFORM_CLIENT_ID is reserved for the server. Choose a name such as "ci".`);
}
