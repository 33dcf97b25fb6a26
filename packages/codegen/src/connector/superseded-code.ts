/** Python: `superseded_words()`, for the report on a table. The embedded platform counts the same rows as `rows_superseded`. */
export const supersededCode = `
def superseded_words(count):
    return f", {count} superseded by another row with the same key" if count else ""
`.trim();
