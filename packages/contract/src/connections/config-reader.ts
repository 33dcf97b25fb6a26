import { hidden, shown } from "../text/display.ts";
import { type Config, isMap, isTextList, misspelledKeys } from "./config.ts";

/** Reads a config key by key, and keeps a sentence for everything that is wrong with it. */
export class ConfigReader {
  readonly problems: string[] = [];
  readonly #config: Config;
  readonly #where: string;

  /** @param where what the config is called in sentences: `connection.config` */
  constructor(config: Config, where: string) {
    this.#config = config;
    this.#where = where;
  }

  /** As it came, for a key that takes several forms. */
  value(key: string): unknown {
    return this.#config[key];
  }

  /** A text, perhaps with references to secrets in it. The empty text counts as absent. */
  text(key: string): string | undefined {
    const value = this.#config[key];
    if (value === undefined || value === null || value === "") return undefined;
    if (typeof value !== "string") return this.#wrong(key, "it must be a text");
    if (hidden.test(value)) return this.#wrong(key, "it contains a character that cannot be seen");
    return value;
  }

  required(key: string): string {
    const value = this.#config[key];
    if (value === undefined || value === null || value === "") this.#wrong(key, "it is required");
    return this.text(key) ?? "";
  }

  /** A text that the generator itself must understand, so that no reference to a secret can stand in it. */
  plain(key: string): string | undefined {
    const value = this.text(key);
    return value?.includes("{{") ? this.#wrong(key, 'it may not contain "{{"') : value;
  }

  choice<Choice extends string>(key: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.text(key);
    const found = choices.find((choice) => choice === value?.toLowerCase());
    if (value !== undefined && found === undefined) {
      this.#wrong(key, `${shown(value)} is not one of ${choices.join(", ")}`);
    }
    return found;
  }

  /** A whole number, also written as a text. */
  count(key: string, least: number, most: number): number | undefined {
    const value = this.#config[key];
    if (value === undefined || value === null || value === "") return undefined;
    const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
    return typeof number === "number" && Number.isInteger(number) && number >= least && number <= most
      ? number
      : this.#wrong(key, `it must be a whole number from ${least} to ${most}`);
  }

  texts(key: string): readonly string[] | undefined {
    const value = this.#config[key];
    if (value === undefined || value === null) return undefined;
    return isTextList(value) ? value : this.#wrong(key, "it must be a list of texts");
  }

  /** A map of plain values, as text: what readers and drivers take as their options. */
  options(key: string): Readonly<Record<string, string>> {
    const value = this.#config[key];
    if (value === undefined || value === null) return {};
    if (!isMap(value)) return this.#wrong(key, "it must be a map") ?? {};
    const isPlain = (item: unknown) => ["string", "number", "boolean"].includes(typeof item);
    for (const [name, item] of Object.entries(value)) {
      if (!isPlain(item)) this.#wrong(`${key}.${shown(name)}`, "it must be a text, a number, true or false");
      if (name === "" || hidden.test(name)) this.#wrong(key, `${shown(name)} cannot be an option's name`);
    }
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, String(item)]));
  }

  /** A misspelt key would otherwise be ignored in silence. Others are the caller's own: the config is free-form. */
  refuseMisspelt(known: readonly string[]): void {
    this.problems.push(...misspelledKeys(this.#config, known, this.#where));
  }

  #wrong(key: string, problem: string): undefined {
    this.problems.push(`${this.#where}.${key}: ${problem}.`);
  }
}
