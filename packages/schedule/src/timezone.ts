/**
 * Why a time zone's id is invalid; undefined if both the IANA list and Java have it. Java silently reads an unknown id
 * as GMT, and its ids are case-sensitive.
 */
export function timezoneProblem(id: string): string | undefined {
  const expected = 'expected a name from the IANA list such as "Europe/Berlin", or "UTC"';
  if (/^[+\-−]\d/.test(id)) {
    return `The time zone ${JSON.stringify(id)} is an offset, which has no daylight saving time: ${expected}.`;
  }
  const known = knownId(id);
  if (known === id) return undefined;
  return known === undefined
    ? `Unknown time zone ${JSON.stringify(id)}: ${expected}.`
    : `The time zone ${JSON.stringify(id)} is spelled ${JSON.stringify(known)}: ids are case-sensitive.`;
}

/** The id in the spelling of the IANA list. Intl cannot be used: it returns America/New_York for US/Eastern. */
function knownId(id: string): string | undefined {
  try {
    return new Temporal.ZonedDateTime(0n, id).timeZoneId;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
