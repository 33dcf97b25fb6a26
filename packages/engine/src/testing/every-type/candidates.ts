import type { SeededRandom } from "../seeded-random.ts";

/** Texts of every kind of value that a database has. The database decides which of them a type accepts. */
const samples: readonly string[] = [
  ...[
    "-3",
    "0",
    "1",
    "2",
    "9",
    "10",
    "99",
    "100",
    "1000",
    "12345678",
    "2147483647",
    "-1.5",
    "2.5",
    "9.75",
    "10.25",
    "1e3",
  ],
  ...[
    "true",
    "false",
    "a",
    "B",
    "c",
    "Z",
    "ab",
    "Ab",
    "AB",
    "á",
    "é",
    "ß",
    "ss",
    "a b",
    "a ",
    "_x",
    "~",
    "ﬀ",
    "Ω",
    "😀",
    "z9",
  ],
  ...["2026-01-09", "2026-01-10", "1999-12-31", "12026-01-01", "0044-03-15 BC", "2026", "1999"],
  ...[
    "2026-01-09 09:00:00",
    "2026-01-09 10:00:00.25",
    "2026-02-01 00:00:00+02",
    "9:00:00",
    "10:00:00",
    "23:59:59.999999",
    "24:00:00",
  ],
  ...["09:00:00+02", "10:00:00+05", "08:30:00-03", "1 day", "9 days", "10 days", "1 month", "36:00:00"],
  ...["10.0.0.1", "9.0.0.1", "10.0.0.1/8", "192.168.100.0/24", "::1", "fe80::1", "10.0.0.0/8", "9.0.0.0/8"],
  ...["08:00:2b:01:02:03", "00:00:2b:01:02:03", "08:00:2b:01:02:03:04:05"],
  ...["16/B374D848", "0/9", "0/10", "A/0", "(0,9)", "(0,10)", "(2,1)", "10:20:10,14,15", "9:9:"],
  ...[
    "[1,2)",
    "[9,10)",
    "[10,20)",
    "(,5)",
    "empty",
    "[1.5,2.50]",
    "[2026-01-09,2026-01-10)",
    "{[1,2),[9,20)}",
    "{}",
  ],
  ...["{1}", "{9}", "{10,1}", "{a,B}", "1 2", "9", "10 1", "{{1,2},{3,4}}", "[2:4]={1,2,3}", '{"(1,2)"}'],
  ...['"a"', '{"a":1}', '{"a":10}', "[9]", "[10]", "null", "<a/>", "<b>9</b>", "$.a", "$.b[9]"],
  ...["0101", "1111", "10", "1", "\\x09", "\\x10", "\\xff00", "00000000-0000-0000-0000-000000000009"],
  ...["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "10000000-0000-1000-8000-00000000000a"],
  ...["(1,2)", "(9,1)", "(10,0)", "((1,2),(3,4))", "<(1,2),3>", "[(1,2),(3,4)]", "{1,2,3}", "1..9", "1..10"],
  ...[
    "a.b",
    "a.B",
    "a=>1",
    "b=>9",
    "a:1 b:2",
    "a & b",
    "pg_class",
    "pg_type",
    "978-0-393-04002-9",
    "9780393040029",
  ],
  ...[
    "978-0-11-000222-4",
    "977-1436-4522",
    "220500896036",
    "1436-4561",
    "9790260000438",
    "M-3452-4680-5",
    "=c/postgres",
    "POINT(1 2)",
    "POINT(10 2)",
  ],
  ...["sent", "new", "paid", "small,large", "large"],
];

/** The texts, and others like them: with other numbers, and in other cases. */
export function candidateTexts(random: SeededRandom): string[] {
  const others = samples.flatMap((text) => {
    const renumbered = text.replaceAll(/\d+/g, (digits) => number(random, digits));
    return [renumbered, random.below(2) === 0 ? text.toUpperCase() : text.toLowerCase()];
  });
  return [...new Set([...samples, ...others])];
}

/** A number of up to as many digits: `9` and `10` are in another order as texts. */
const number = (random: SeededRandom, digits: string): string =>
  digits.length === 1
    ? String(random.below(12))
    : String(random.below(10 ** Math.min(9, digits.length))).padStart(digits.length, "0");
