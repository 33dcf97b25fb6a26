import { pythonValue } from "../../text/python.ts";
import { featuresOf, type IngestedTable } from "../source-kind.ts";

export const fetchCode = `
ATTEMPTS = 6


def check_origin(address):
    """Other servers must not receive the headers, which can contain secrets."""
    allowed = [urllib.parse.urlsplit(table["source"])[:2] for table in TABLES]
    if urllib.parse.urlsplit(address)[:2] not in allowed:
        raise ValueError(f"the server refers to another server: {address}")


class SameOrigin(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, request, answer, code, reason, headers, address):
        check_origin(address)
        return super().redirect_request(request, answer, code, reason, headers, address)


OPENER = urllib.request.build_opener(SameOrigin)


def fetch(address):
    """The JSON and the headers of a response. Temporary errors are retried with backoff."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            request = urllib.request.Request(address, headers=HEADERS)
            with OPENER.open(request, timeout=60) as answer:
                return json.loads(answer.read()), answer.headers
        except urllib.error.HTTPError as error:
            if error.code not in (429, 500, 502, 503, 504) or attempt == ATTEMPTS:
                raise
            pause = retry_after(error.headers) or 2**attempt
        except (urllib.error.URLError, http.client.HTTPException, OSError):
            if attempt == ATTEMPTS:
                raise
            pause = 2**attempt
        time.sleep(min(pause, 300))


def retry_after(headers):
    """The delay that the server asks for, in seconds. The header has a number or a date."""
    value = headers.get("Retry-After", "")
    if value.isdigit():
        return int(value)
    date = email.utils.parsedate_tz(value)
    return max(0, email.utils.mktime_tz(date) - time.time()) if date else None


def with_parameters(address, parameters):
    parts = urllib.parse.urlsplit(address)
    query = dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True)) | parameters
    return urllib.parse.urlunsplit(parts._replace(query=urllib.parse.urlencode(query)))
`.trim();

export const recordsCode = (path: readonly string[]): string =>
  `
def inside(answer, path):
    for key in path:
        answer = answer.get(key) if isinstance(answer, dict) else None
    return answer


def records_of(answer):
    records = inside(answer, ${pythonValue(path)})
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise ValueError("the response has no list of records${path.length > 0 ? " at its records_path" : ": set connection.config.records_path"}")
    return records
`.trim();

export function rowsCode(
  tables: readonly IngestedTable[],
  { hasParameters, sendsWatermark }: { readonly hasParameters: boolean; readonly sendsWatermark: boolean },
): string {
  const { watermarks, leavesOut } = featuresOf(tables);
  return `
def found_type(values):
    """The narrowest type for all values of a column. Nested values, and values of several types, stay JSON text."""
    types = {type(value) for value in values}
    if types == {bool}:
        return BooleanType()
    if types == {int} and all(-(2**63) <= value < 2**63 for value in values):
        return LongType()
    return DoubleType() if float in types and types <= {int, float} else StringType()


def source_rows(table${watermarks ? ", mark" : ""}):
    """All pages as rows${sendsWatermark ? ", from the watermark on if the server supports it" : ""}. Columns without any value are left out."""
    address = ${hasParameters ? `with_parameters(table["source"], PARAMETERS)` : `table["source"]`}
${
  sendsWatermark
    ? `    if mark is not None:
        address = with_parameters(address, {WATERMARK_PARAMETER: sent_mark(table, mark)})
`
    : ""
}    records = [record for page in pages(address) for record in page]
${
  leavesOut
    ? `    left_out = [name.lower() for name in table["left_out"]]
    records = [{name: value for name, value in record.items() if name.lower() not in left_out} for record in records]
`
    : ""
}    known, values = known_types(table), {}
    for record in records:
        for name, value in record.items():
            if value is not None:
                values.setdefault(name, []).append(value)
    fields = []
    for name, seen in values.items():
        found = found_type(seen)
        fields.append(StructField(name, agreed_type(name, found, known.get(name.lower(), found))))
${
  watermarks
    ? `    require_times(table, values)
`
    : ""
}    if not fields:
        fields = [StructField(name, wanted) for name, wanted in known.items()]
    lines = spark.createDataFrame([(json.dumps(record),) for record in records], "record string")
    record = F.from_json("record", StructType(fields), {"mode": "FAILFAST"})
    rows = lines.select(record.alias("record")).select("record.*")
    return ${watermarks ? "since(rows, table, mark)" : "rows"}
${
  watermarks
    ? `


def require_times(table, values):
    """A watermark that is text must be a time: other text has several orders. Times without an offset are UTC."""
    time = r"\\d{4}-\\d\\d-\\d\\d([T ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?(Z|[+-]\\d\\d:?\\d\\d)?)?"
    for name, seen in values.items():
        if name.lower() != (table["watermark"] or "").lower():
            continue
        texts = [value for value in seen if isinstance(value, str)]
        wrong = next((text for text in texts if not re.fullmatch(time, text, re.ASCII)), None)
        if wrong is not None:
            needed = "a watermark is a number, or a time in ISO 8601"
            raise TypeError(f"the column {name} cannot be the watermark, because it has the text {wrong!r}: {needed}")`
    : ""
}${
  sendsWatermark
    ? `


def sent_mark(table, mark):
    """The watermark as the API writes it: times in ISO 8601, other values unchanged."""
    is_time = isinstance(known_types(table).get(table["watermark"].lower()), TimestampType)
    return mark.replace(" ", "T") + "Z" if is_time else mark
`
    : ""
}`.trim();
}

export const newestWatermarkCode = `
def order_of(rows, name):
    """APIs have times as text, with several offsets. The watermark keeps their text, as the API expects it."""
    kind = type_of(rows, name)
    return "timestamp" if kind == "string" else require_ordered(name, kind)


def newest_mark(table, rows):
    mark, endless = greatest_mark(rows, table["watermark"])
    warn_of_endless(table, endless)
    return mark
`.trim();
