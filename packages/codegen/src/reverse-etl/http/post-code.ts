/** Python: `post()` and `send()`. */
export const postCode: string = `
class Refused(Exception):
    """The endpoint refused these rows."""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect is an error: it would turn the POST into a GET and send our headers to another server."""

    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(NoRedirect)
ATTEMPTS = 6


def retry_after(headers):
    """The delay of Retry-After in seconds. The header has a number or a date."""
    value = headers.get("Retry-After", "")
    if value.isdigit():
        return int(value)
    try:
        return max(0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return 0


def post(table, rows):
    """Sends a batch. The same rows have the same key in every attempt and in every run."""
    about = {"connector": CONNECTOR, "dataset": table["target"], "write_strategy": table["strategy"]}
    head = json.dumps({**about, "primary_keys": table["keys"]})[:-1]
    body = f"{head}, \\"records\\": [{','.join(row['content'] for row in rows)}]}}".encode()
    key = hashlib.sha256(body).hexdigest()
    headers = {**HEADERS, "Content-Type": "application/json", "Idempotency-Key": key}
    for attempt in range(1, ATTEMPTS + 1):
        wait = 2**attempt
        try:
            request = urllib.request.Request(URL, data=body, headers=headers, method="POST")
            with OPENER.open(request, timeout=60) as response:
                response.read()
            return
        except urllib.error.HTTPError as error:
            if error.code in (400, 409, 413, 422):
                text = error.read(1000).decode(errors="replace")
                raise Refused(f"{error.code} {error.reason}: {text}") from None
            if error.code not in (408, 425, 429) and error.code < 500 or attempt == ATTEMPTS:
                raise
            wait = max(wait, retry_after(error.headers))
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            if attempt == ATTEMPTS:
                raise
        time.sleep(min(wait, 300))


def send(table, rows, refusals):
    """Sends the rows that the endpoint accepts. Refused rows are found by halving the batch."""
    if not rows:
        return
    try:
        post(table, rows)
    except Refused as error:
        if len(rows) == 1:
            refusals.append((rows[0], str(error)))
            return
        half = len(rows) // 2
        send(table, rows[:half], refusals)
        send(table, rows[half:], refusals)`.trim();
