import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "@lakehelm/testing/linear";
import { nameProblem } from "./name.ts";

test("ordinary names of any script are fine", () => {
  const names = [
    ...[
      "orders",
      "Orders 2026",
      "orders-to-crm_v2",
      "a/b.c",
      "ada@example.com",
      "O'Brien & Söhne (GmbH) – 50 %",
    ],
    ...[
      "売上データ",
      "売上データ_tokyo",
      "注文ー一覧",
      "매출 report",
      "订单SAP",
      "Заказы",
      "Отчёт SAP 2026",
      "отчёт-CRM",
      "Παραγγελίες",
    ],
    ...[
      "طلبات",
      "تقریر‌های فروش",
      "تقريرSAP",
      "הזמנות",
      "คำสั่งซื้อ",
      "ऑर्डर",
      "क्‍ष",
      "đơn hàng",
      "İstanbul",
      "straße",
    ],
    ...["🚀 launch", "👩‍💻 desk", "❤️", "m²", "№ 5", "1º", "sales_Москва", "µ-service", "x→y", "100 €"],
  ];
  for (const name of names) assert.equal(nameProblem(name), undefined, name);
});

test("names that look like another one, or like nothing, are not", () => {
  const names: readonly (readonly [string, RegExp])[] = [
    ["оrders", /Latin and Cyrillic/],
    ["оrders".toUpperCase(), /Latin and Cyrillic/],
    ["pαyments", /Latin and Greek/],
    ["sales ог\u0435gon x\u0456", /Latin and Cyrillic/],
    ["օrders", /Latin and Armenian/],
    ["ｏｒｄｅｒｓ", /another form/],
    ["𝐨rders", /another form/],
    ["Ⓐpp", /another form/],
    ["orders１", /another form/],
    [" orders", /begins or ends/],
    ["orders ", /begins or ends/],
    ["orders\u00a0", /begins or ends/],
    ["or\u00a0ders", /blank/],
    ["or\u3000ders", /blank/],
    ["or\u2800ders", /blank/],
    ["orders\n", /begins or ends/],
    ["or\nders", /control/],
    ["or\u0000ders", /control/],
    ["or\u009bders", /control/],
    ["or\u2028ders", /control/],
    ["or\u200bders", /not shown/],
    ["or\u200dders", /not shown/],
    ["or\u00adders", /not shown/],
    ["or\u202eders", /not shown/],
    ["or\u2066ders", /not shown/],
    ["or\u200fders", /not shown/],
    ["or\u061cders", /not shown/],
    ["or\u{e0041}ders", /not shown/],
    ["or\u034fders", /not shown/],
    ["or\u3164ders", /not shown/],
    ["or\ue000ders", /without a meaning/],
    ["or\u0378ders", /without a meaning/],
    ["cafe\u0301", /normalization/],
    ["or\ud800", /surrogate/],
  ];
  for (const [name, reason] of names) assert.match(nameProblem(name) ?? "", reason, JSON.stringify(name));
});

test("a long name is read in linear time", () => {
  assertLinear((text) => void nameProblem(`x${text}x`), "а ");
});
