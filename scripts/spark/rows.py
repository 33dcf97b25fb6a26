"""Rows as JSON: numbers and booleans unchanged, all types that JSON lacks as text."""

import math
from decimal import Decimal

LARGEST_EXACT = 2**53  # JavaScript numbers are not exact above it


def plain(value):
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return value if abs(value) <= LARGEST_EXACT else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).hex()
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if hasattr(value, "asDict"):  # a struct, which is a tuple too
        return {key: plain(item) for key, item in value.asDict().items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, Decimal):
        return format(value, "f")  # str() writes 0.0000000 as 0E-7
    return str(value)  # dates, timestamps, intervals


def plain_rows(frame):
    return [{name: plain(row[at]) for at, name in enumerate(frame.columns)} for row in frame.collect()]


def typed_rows(frame):
    """The names and types of the columns, and the rows as lists: a query may have two columns of the same name."""
    return {
        "names": frame.columns,
        "types": [field.dataType.simpleString() for field in frame.schema],
        "rows": [[plain(value) for value in row] for row in frame.collect()],
    }
