import fc from "@lakehelm/testing/random-cases";

/** A SELECT with numbered gaps for tables, and its columns. */
interface RandomSelect {
  readonly text: string;
  readonly columns: readonly string[];
  readonly gaps: number;
}

const small = fc.nat({ max: 3 });
const many = fc.nat({ max: 11 });

/** Fills the gaps with names. */
export const filled = ({ text }: RandomSelect, names: (gap: number) => string): string =>
  text.replace(/⟦(\d+)⟧/g, (_all, gap: string) => names(Number(gap)));

/**
 * A random SELECT with CTEs, joins, subqueries, set operations, comments and unusual strings. Tables occur at every
 * depth.
 */
export const randomSelect: fc.Arbitrary<RandomSelect> = fc.gen().map((draw) => {
  let gaps = 0;
  let names = 0;
  const upTo = (most: number): number => draw(() => (most < 4 ? small : many)) % (most + 1);
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item => items[upTo(items.length - 1)] ?? items[0];
  const table = (): string => `⟦${gaps++}⟧`;
  const fresh = (letter: string): string => `${letter}${names++}`;
  const space = (): string => pick([" ", " ", "\n  ", " /* 🐟 c */ ", " -- ü 😀 'x\n", "\t"]);

  interface Source {
    readonly alias: string;
    /** Empty: a table, which can have any column. */
    readonly columns: readonly string[];
  }
  const column = (from: readonly Source[]): string => {
    const source = from[upTo(from.length - 1)];
    if (!source) return "1";
    return `${source.alias}.${source.columns[upTo(source.columns.length - 1)] ?? pick(["id", "amount", "`größe 📏`", "Name"])}`;
  };
  const value = (from: readonly Source[], depth: number): string => {
    const one = () => column(from);
    return pick<() => string>([
      one,
      () => `upper(trim(${one()}))`,
      () => `coalesce(${one()}, 'it\\'s 😀 -- no comment', "x")`,
      () => `CASE WHEN ${one()} > 1 THEN ${one()} ELSE 0 END`,
      () => `cast(${one()} AS DECIMAL(10,${space()}2))`,
      () => `sum(${one()}) OVER (PARTITION BY ${one()} ORDER BY ${one()} DESC)`,
      () => (depth > 0 ? `(SELECT max(q.z)${space()}FROM ${table()} AS q WHERE q.k = ${one()})` : one()),
      () => `transform(${one()}, x -> x + ${one()})`,
      () => `${one()}[0].field`,
      () => `${one()} IN (1, 2) AND NOT ${one()} IS NULL`,
      () => `date_add(DAY, 1, ${one()})`,
      () => `r'raw \\' || ${one()}`,
    ])();
  };
  const relation = (
    ctes: readonly Source[],
    depth: number,
  ): { readonly text: string; readonly source: Source } => {
    const alias = fresh("r");
    const cte = ctes[upTo(ctes.length)];
    if (cte && upTo(1) === 0)
      return { text: `${cte.alias} AS ${alias}`, source: { alias, columns: cte.columns } };
    if (depth > 0 && upTo(2) === 0) {
      const inner = query(ctes, depth - 1);
      return { text: `(${inner.text}) AS ${alias}`, source: { alias, columns: inner.columns } };
    }
    return { text: `${table()}${pick([" AS ", " "])}${alias}`, source: { alias, columns: [] } };
  };
  const select = (ctes: readonly Source[], depth: number, names: readonly string[]): string => {
    const first = relation(ctes, depth);
    const from = [first.source];
    const joins = Array.from({ length: upTo(2) }, () => {
      const right = relation(ctes, depth);
      from.push(right.source);
      return `${space()}${pick(["JOIN", "LEFT OUTER JOIN", "FULL JOIN"])} ${right.text} ON ${column(from)} = ${column(from)}`;
    });
    const list = names.map((name) => `${value(from, depth)} AS ${name}`);
    const where = pick<() => string>([
      () => "",
      () => `${space()}WHERE ${column(from)} > 1`,
      () => `${space()}WHERE EXISTS (SELECT 1 FROM ${table()} e WHERE e.id = ${column(from)})`,
      () => `${space()}WHERE ${column(from)} IN (SELECT i.k FROM ${table()} i)`,
    ])();
    return `${pick(["SELECT", "select", "SELECT DISTINCT"])}${space()}${list.join(`,${space()}`)}${space()}FROM ${first.text}${joins.join("")}${where}`;
  };
  function query(
    outer: readonly Source[],
    depth: number,
  ): { readonly text: string; readonly columns: readonly string[] } {
    const ctes = [...outer];
    const clauses = Array.from({ length: depth > 0 ? upTo(2) : 0 }, () => {
      const alias = fresh("c");
      const inner = query(ctes, depth - 1);
      ctes.push({ alias, columns: inner.columns });
      return `${alias} AS (${inner.text})`;
    });
    const columns = Array.from({ length: 1 + upTo(2) }, () => fresh("out"));
    const branches = Array.from({ length: 1 + (upTo(3) === 0 ? 1 : 0) }, () => select(ctes, depth, columns));
    const body = branches.join(`${space()}${pick(["UNION ALL", "UNION", "EXCEPT"])}${space()}`);
    return { text: (clauses.length > 0 ? `WITH ${clauses.join(", ")}${space()}` : "") + body, columns };
  }
  const { text, columns } = query([], 2);
  return { text, columns, gaps };
});
