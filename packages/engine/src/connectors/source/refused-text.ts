/**
 * The first character of a staged text that its cast must not accept, although DuckDB would: 1.5 is not the BIGINT 2. The text
 * follows as it was written. A noncharacter of Unicode, which is for internal use, so no real text begins with it.
 */
export const refusedMark = "\uFDD0";

/** The text without the mark, for messages. */
export const shownText = (text: string): string => (text.startsWith(refusedMark) ? text.slice(1) : text);

/** A row whose values are shown as they were written. */
export const shownRow = (row: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "string" ? shownText(value) : value]),
  );
