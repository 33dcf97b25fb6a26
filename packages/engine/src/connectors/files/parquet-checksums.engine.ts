import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { inflateSync } from "node:zlib";
import { DataProblem } from "../../protocol/problem.ts";
import { openSourceHarness } from "../../testing/source-harness.ts";
import { openFilesSource } from "./source.ts";

/** 300 rows (id, name) in two row groups, with checksums of the pages, written by pyarrow 26 and deflated. */
const files = {
  "pages of version 1, Snappy":
    "eNrd1nlQlHUcx/FnH5ZlF5ZlOX4LCwuCyMMhIIssXnihIiIqIgreroiCyn143zcKHlhZUZmWlpFJh5aZpZUVamWHktlFt11kVtqh" +
    "vXd1nLFmmqb+65l5PfvMM8/3t9/f8/w+u09W/2yrUIt9OnFQJ86d3HbEJUU0yULykaRW9cVcWWJTwXHgAjVcoYEbtNDBHR7QwxMG" +
    "eMEIbzCe5As/CJjgjwCYEYggWBCMEHRAKMLQEeHohAgoiEQUohGDzohFHOLRBQmwIhFdkQQbktEN3dEDPdELKeiNPuiLfuiPVAzA" +
    "QAxCGgYjHUOQgaHIxDAMxwhkYSSyMQo5GI0xyEUexmIcxmMCJmISJmMK7JiKfExDAaZjBgpRhJmYhdkoRglKUYZyVKASVahGDeZg" +
    "LuZhPhZgIRZhMZZgKZZhOVZgJVZhNdZgLdahFuuxAXWox0ZswmZsQQO24hbnGhBHZdEiiw2tKxrcLY41ZxQaoXE8/3tV7dsda61J" +
    "VmkjJZXsonbVuGl17h56T4OX0dvH10+Y/APMgUGW4JAOoWEdwztFKJFR0TGdY+PiuyRYE7sm2ZK7de/Rs1dK7z59+/VPHTBwUNrg" +
    "9CEZQzOHDR+RNTJ7VM7oMbl5Y8eNnzBx0uQp9qn50wqmzygsmjlrdnFJaVl5RWVVdc2cufPmL1i4aPGSpcuWr1i5avWatetq12+o" +
    "q9+4afOWhq3MgNDkiHRRt3PPXjlFGJyJifFzxKQkwVUjWZGIrq6ahCTnWZtzn8zEV6pEhjh+6MAlj5vnnVp1fdYukWuPBZ7KCw+c" +
    "NTC/rrDJu862ozkt6XQtwVHdCOuZXY3N8s1hvZXy27ANt+MO3IlG3IW7cQ+2O24ydmAn7sP92IXdeAAPYg8ecrSEh7EXj2AfmvEo" +
    "HsPjeAL7cQBP4ikcxNM4hGdwGM/iORzBUTyPF/AijuElvIxX0ILjOIGTeBWv4XWcwht4E2/hbZzGGbTiHZzFuziH9/A+PsCH+Aht" +
    "+Bif4FN8hs/xBb7EeXyFr/ENvsV3aMf3uIAfcBE/4if8jEu4jF/wK37D77iCq9d/UVWQ4QI1XKGBG7TQwR0e0MMTBnjBCG/4wBd+" +
    "EDDBHwEwIxBBsCAYIeiAUIShI8LRCRFQEIkoRCMGnVX/l7BmiN1XGi/r/xRWAioluWrUNlnlIyWT1gTnaatzn/jf02pOsUkBmsr8" +
    "woJiu1BLQo6QA+SiaZLQc6AusRcXREiZjvFMrWpzrDlWkSxCNtskjdHsuE7IpibZ1Ko3ndcr7TpFGx3LXBjF8UyMfKREa8wKXTj/" +
    "Ei1Cf73SOfC12v2yqV2ltHkqF/R/KXZ85416U70X1yta01mD9Ld9tAQobYZ/1cgFlXLYopwI+keNtBlM5wxSVGiZvaK8uqAqLr+s" +
    "LM5eUVE6J7SmoKKyqLQkNDE5PiHeao61XHtvKGapZvE+8wfDR3GJ",
  "pages of version 2, Zstandard":
    "eNoLcAwyFGUR3cAp2sQi+nnplQZWG9E1TKIMQgwMGlv1/yZEMO5lZ2h7aiMu4LFPlgEGDjD/+Q8E5zVYTRhMGEwZivs+z76955nJ" +
    "/J1nkvk+T9+956lO/M5TwX2fJs/e80RFfucJZ75P/dV7Hsvc33HMuO9jd/SeR8zfq67v3Fe6Nl32dfj2qqsr7UpXusu+8i+vujxz" +
    "X8lSddmX7uZVFzvtShayy76w/155vnJf8VxmzpoDrDYHGP+8r3tvff/7uu97Hv99V7be+u5zve87Dv99m5dvffv6um9bFv99k6Zv" +
    "ffO43rcNzX+1/QtF7AuF9QuF5AsF+QsF/hfwvy/gu1/Ae76AZ38B9/oCrvkFnP0FHPUF7PkFbPEFrP4FLPYFzPoFDKJsoruYQKjz" +
    "ztztPD7gcAERAkAJBiEZYDisYWLkUGdgZGJmYWVj5+Dk4ubh5eMXEBQSFhEVE5eQlJKWkZWTV1BUUlZRVVPX0NTS1tHV0zcwNDI2" +
    "MTUzt7C0sraxtbN3cHRydnF1c/fw9PL28fXzDwgMCg4JDQuPiIyKjomNi09ITEpOSU1Lz8jMys7JzcsvKCwqLiktK6+orKquqa2r" +
    "b2hsam5pbWvv6Ozq7unt658wcdLkKVMZGIDRGiIaJLp4Uc9KNhtRPnicKmixMjJsYAI6P88ATILdA2aZsbAwORxgnObEDvRiDVD7" +
    "6ts3Z6L7XBDqc7BZ1l9BqUG945jUxQhlqWyX5N6MNYK9pos2uplcY2RkULScDUldL1hEfx3ac58fPXWFcjK0LfW0eDBLOnmB+AvW" +
    "qsY4BOWq12N4TCIZibD7M0tu/7Lj619+zK76M6tOKdiSwYLBksE95oizzBH7O4et5xw2jzlsLHNY/84h7TmH1GMOKcsckr9zUHrO" +
    "QfGYg8IyB/nvHOCec4A95gCzzIH970TdPymbf1JS/6Qo/kmB/ZP8949yzz/KXv8oc/yj9PaPUss/Sk7/KNH+Ubz8o1j6R9HwjyLu" +
    "H4XNPwqpFx6uND//7KrNrO3f0/Oepfo9S9Z7lsj3LP7d09hzT6PXPY3sexqe9zTU72mw3tNAvqf+7574nnvive6JJ9P614V71y7/" +
    "uknu2u6qsPWvAveuVP+6SO5KdZXf+peGe5cu/zJJ7pJ1ldv6F4J7F6p/aZK78LvSbv3zj3vmLv9cxDdMEuS6NatPMeFIkMZgEugY" +
    "A0Mwy4gmCVLSxpRBgq04OSM1N1GUhUGUSZVJgikzhUGUB8hgyUvMTVVl8AEZKnaDRVJHUkeNQUaUSdKUgU1AEqROlEdsDZPYHR6x" +
    "dexqO1jUODR1gD4DmsIAJASAlI0mm6Qa0EFAA0A6eaA6wQZD9O5gEutjUtvAobaNHUMzyE64frEp/ED1ahxiezgZcLtjCofaLT61" +
    "I5zkOuSSkNoNQaIccoRTbBEXg4ZCQWJRYWlqiW5yQYFuYlFRfrlCWWpRcWZ+noKRmZ6BnqGkDjD4QCGYy8jAEACsYwCpiQ6Q",
};

/** Where the footer begins, which has no checksum. */
const footerStart = (bytes: Buffer): number => bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);

describe("Parquet files with checksums", () => {
  for (const [name, text] of Object.entries(files)) {
    it(`${name}: a file with a changed byte in a page is refused`, async (t) => {
      const harness = await openSourceHarness(t);
      const path = join(harness.folder, "drop");
      await mkdir(path);
      const source = await openFilesSource({ path, format: "parquet" }, harness.context);
      const whole = inflateSync(Buffer.from(text, "base64"));
      const read = async (bytes: Buffer) => {
        await writeFile(join(path, "a.parquet"), bytes);
        return harness.read(source, "a.parquet").then(
          ({ rows }) => JSON.stringify(rows),
          (error: unknown) => {
            assert.ok(error instanceof DataProblem && error.message.includes("a.parquet"), String(error));
            return "refused";
          },
        );
      };
      const rows = await read(whole);
      assert.equal(JSON.parse(rows).length, 300);
      const end = footerStart(whole);
      for (let at = 4; at < end; at += 23) {
        const changed = Buffer.from(whole);
        changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
        const found = await read(changed);
        // A change in a header field that does not affect the values may go unnoticed.
        assert.ok(found === "refused" || found === rows, `byte ${at}: ${found.slice(0, 300)}`);
      }
    });
  }
});
