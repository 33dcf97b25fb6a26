/**
 * What is wrong with a time zone's id, undefined where it is one that both IANA's list and Java have. Java reads an
 * id that it does not know as GMT without a word, and ids by their exact case.
 */
export function timezoneProblem(id: string): string | undefined {
  const expected = 'expected a name of the IANA list such as "Europe/Berlin", or "UTC"';
  if (/^[+\-−]\d/.test(id)) {
    return `The time zone ${JSON.stringify(id)} is an offset, which knows no summer time: ${expected}.`;
  }
  const known = knownId(id);
  if (known === id) return undefined;
  return known === undefined
    ? `The time zone ${JSON.stringify(id)} is not known: ${expected}.`
    : `The time zone ${JSON.stringify(id)} is spelled ${JSON.stringify(known)}: upper and lower case count.`;
}

/** The id as the IANA list spells it. Intl would do as well, but answers US/Eastern with America/New_York. */
function knownId(id: string): string | undefined {
  try {
    return new Temporal.ZonedDateTime(0n, id).timeZoneId;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
