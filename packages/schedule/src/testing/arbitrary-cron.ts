import fc from "@lakehelm/testing/random-cases";

/** Six fields, seconds first, with the bounds of the API's validation. */
const bounds = [
  [0, 59],
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;
const names = [
  [],
  [],
  [],
  [],
  ["JAN", "feb", "Mar", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "dec"],
  ["SUN", "mon", "Tue", "WED", "THU", "FRI", "SAT"],
];

const field = (index: number): fc.Arbitrary<string> => {
  const [first, last] = bounds[index] ?? [0, 0];
  const number = fc.integer({ min: first, max: last }).map(String);
  const named = names[index] ?? [];
  const value = named.length > 0 ? fc.oneof(number, fc.constantFrom(...named)) : number;
  const range = fc.tuple(value, value).map((ends) => ends.join("-"));
  const step = fc.option(fc.integer({ min: 1, max: last + 2 }), { nil: undefined });
  const term = fc
    .tuple(fc.oneof(fc.constant("*"), value, range), step)
    .map(([what, by]) => (by === undefined ? what : `${what}/${by}`));
  return fc.oneof(
    { weight: index < 3 ? 1 : 8, arbitrary: fc.constant("*") },
    { weight: 1, arbitrary: fc.constant(index === 3 || index === 5 ? "?" : "*") },
    { weight: 4, arbitrary: fc.array(term, { minLength: 1, maxLength: 3 }).map((terms) => terms.join(",")) },
  );
};

const five = fc.tuple(field(1), field(2), field(3), field(4), field(5));
const six = fc.tuple(field(0), field(1), field(2), field(3), field(4), field(5));

/** Cron expressions of every shape; about half of them are valid, the others have a range that runs backwards. */
export const arbitraryCron: fc.Arbitrary<string> = fc.oneof(five, six).map((fields) => fields.join(" "));
