import { locatorOf, type SourceLocation } from "@lakehelm/sql/source-location";

/** A text file of the project. */
export interface SourceText {
  /** The path relative to the project's folder, with slashes. */
  readonly file: string;
  readonly text: string;
  locate(offset: number): SourceLocation;
}

export function sourceText(file: string, text: string): SourceText {
  let locator: ReturnType<typeof locatorOf> | undefined;
  return {
    file,
    text,
    locate(offset) {
      locator ??= locatorOf(text);
      return locator(offset);
    },
  };
}
