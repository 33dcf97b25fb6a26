/**
 * Python: the types that can be a watermark, and which of their values. Requires `F`. The embedded platform has the
 * same rules (packages/engine/src/transfer/watermark.ts).
 */
export const watermarkOrderCode = `
# The types that Spark and other systems order in the same way. Text has several orders, and other systems compare
# a FLOAT by digits that its text does not have.
ORDERED = ("tinyint", "smallint", "int", "bigint", "decimal", "double", "date", "timestamp", "timestamp_ntz")
GREATEST = {"tinyint": 2**7 - 1, "smallint": 2**15 - 1, "int": 2**31 - 1, "bigint": 2**63 - 1}


def require_ordered(name, kind):
    """The type of a watermark. Rows would be lost if its order was not that of the source."""
    if kind.split("(")[0] not in ORDERED:
        raise TypeError(f"the column {name} is {kind} and cannot be the watermark: choose a number, a date or a time")
    return kind


def can_be_passed(column, kind):
    """Whether a later row can have a greater value. As the watermark, any other value would hide all later rows."""
    if kind == "double":
        return F.abs(column) < float("inf")  # Spark orders NaN after infinity
    if kind.startswith(("date", "timestamp")):
        return column < F.lit("9999-01-01").cast(kind)
    return column < F.lit(GREATEST[kind]) if kind in GREATEST else F.lit(True)


def warn_of_endless(table, count):
    if count:
        what = f"{count} rows have a watermark that no later row can exceed, such as infinity or the year 9999"
        print(f"{table['target']}: {what}. They do not advance the watermark, and every run reads them again")
`.trim();
