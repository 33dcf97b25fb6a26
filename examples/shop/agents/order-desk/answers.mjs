/** The kinds of questions that the order desk understands, and the query for each. */
import { query, quoted } from "./warehouse.mjs";

const help = [
  "I answer questions about the shop's orders. For example:",
  "· How many orders are there? How many today, or on 2026-03-01?",
  "· What about order 17?",
  "· Who are the best customers?",
  "· What are the returns of order 33, or of Müller?",
].join("\n");

/** The first pattern that matches a question answers it. */
const patterns = [
  [/\breturns?\b.*?\border\D{0,3}(\d{1,9})\b/i, returnsOfOrder],
  [/\breturns?\s+(?:of|by|from)\s+(?!orders?\b|customers?\b)(.+?)[\s?.!]*$/i, returnsOfCustomer],
  [/\b(?:how many|number of)\b.*\breturns?\b/i, countReturns],
  [/\b(?:best|top)\b\D*(\d{1,2})?\D*\bcustomers?\b/i, bestCustomers],
  [/\border\D{0,3}(\d{1,9})\b/i, oneOrder],
  [/\borders?\b.*\b(\d{4}-\d\d-\d\d)\b/i, ordersOn],
  [/\borders?\b.*\btoday\b|\btoday\b.*\borders?\b/i, ordersToday],
  [/\borders?\b/i, allOrders],
];

export async function answerTo(question) {
  for (const [pattern, answer] of patterns) {
    const found = pattern.exec(question);
    if (found) return answer(...found.slice(1));
  }
  return { output_text: help };
}

async function allOrders() {
  const [{ orders, total, first, last }] = await query(
    `select count(*) as orders, sum(amount) as total, date_format(min(ordered_at), 'yyyy-MM-dd') as first,
       date_format(max(ordered_at), 'yyyy-MM-dd') as last
     from shop.sales.orders`,
  );
  if (orders === 0) return reply("There are no orders yet.");
  return reply(`There are ${count(orders)} orders, from ${first} to ${last}. The total is ${money(total)}.`);
}

async function ordersToday() {
  const [{ orders, last }] = await query(
    `select count_if(cast(ordered_at as date) = current_date()) as orders,
       date_format(max(ordered_at), 'yyyy-MM-dd') as last
     from shop.sales.orders`,
  );
  if (orders > 0) return reply(`${count(orders)} ${plural(orders, "order")} so far today.`);
  return reply(
    last === null ? "There are no orders yet." : `No orders today. The last order is from ${last}.`,
  );
}

async function ordersOn(day) {
  const [{ orders, total }] = await query(
    `select count(*) as orders, sum(amount) as total from shop.sales.orders
     where cast(ordered_at as date) = try_cast(${quoted(day)} as date)`,
  );
  if (orders === 0) return reply(`There are no orders on ${day}.`);
  return reply(`${count(orders)} ${plural(orders, "order")} on ${day}, for ${money(total)}.`);
}

async function oneOrder(id) {
  const [order] = await query(
    `select o.amount, date_format(o.ordered_at, 'yyyy-MM-dd') as day, c.name, c.customer_id,
       sum(cast(r.refund as decimal(10, 2))) as refunded
     from shop.sales.orders o
     left join shop.sales.customers c on c.customer_id = o.customer_id
     left join shop.sales.returns r on r.order_id = o.order_id
     where o.order_id = ${Number(id)} group by all`,
  );
  if (!order) return reply(`There is no order ${Number(id)}.`);
  const { amount, day, name, refunded } = order;
  const returns = refunded === null ? "It was not returned." : `${money(refunded)} was refunded for returns.`;
  return reply(`Order ${Number(id)}: ${money(amount)}, ordered on ${day} by ${name}. ${returns}`);
}

async function bestCustomers(requested = "5") {
  const limit = Math.min(Math.max(Number(requested), 1), 20);
  const rows = await query(
    `select name, orders, revenue - refunded as net_revenue from shop.marts.customer_value
     order by net_revenue desc, customer_id limit ${limit}`,
  );
  if (rows.length === 0) return reply("There are no customers yet.");
  return {
    output_text: `The best ${plural(rows.length, "customer")}, by revenue minus refunds: ${rows
      .map(({ name, net_revenue }) => `${name} (${money(net_revenue)})`)
      .join(", ")}.`,
    table: {
      columns: ["Customer", "Orders", "Net revenue"],
      rows: rows.map(({ name, orders, net_revenue }) => [name, count(orders), money(net_revenue)]),
    },
  };
}

async function countReturns() {
  const [{ returns, refunded }] = await query(
    "select count(*) as returns, sum(cast(refund as decimal(10, 2))) as refunded from shop.sales.returns",
  );
  if (returns === 0) return reply("There are no returns.");
  return reply(`${count(returns)} ${plural(returns, "return")}, ${money(refunded)} refunded.`);
}

function returnsOfOrder(id) {
  return returnsWhere(`r.order_id = ${Number(id)}`, `order ${Number(id)}`);
}

function returnsOfCustomer(name) {
  return returnsWhere(`contains(lower(c.name), lower(${quoted(name)}))`, `customers named “${name}”`);
}

async function returnsWhere(condition, subject) {
  const rows = await query(
    `select r.return_id, r.order_id, c.name, cast(r.refund as decimal(10, 2)) as refund, r.reason
     from shop.sales.returns r
     left join shop.sales.orders o on o.order_id = r.order_id
     left join shop.sales.customers c on c.customer_id = o.customer_id
     where ${condition} order by r.return_id limit 20`,
  );
  if (rows.length === 0) return reply(`There are no returns of ${subject}.`);
  const heading =
    rows.length === 20 ? "The first 20 returns" : `${rows.length} ${plural(rows.length, "return")}`;
  const total = rows.reduce((sum, { refund }) => sum + Number(refund), 0);
  return {
    output_text: `${heading} of ${subject}, ${money(total)} refunded: ${rows.map((row) => row.return_id).join(", ")}.`,
    table: {
      columns: ["Return", "Order", "Customer", "Refund", "Reason"],
      rows: rows.map((row) => [
        row.return_id,
        String(row.order_id),
        row.name ?? "unknown",
        money(row.refund),
        row.reason || "–",
      ]),
    },
  };
}

const reply = (output_text) => ({ output_text });
const count = (number) => Number(number).toLocaleString("en");
const plural = (number, word) => (Number(number) === 1 ? word : `${word}s`);
const money = (amount) =>
  Number(amount ?? 0).toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
