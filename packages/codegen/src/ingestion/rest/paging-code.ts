import type { Paging } from "@lakehelm/contract/connections";
import { pythonString, pythonValue } from "../../text/python.ts";

/** A generator of pages, each a list of records. It ends when the server says so, never because a page is short. */
export function pagingCode(paging: Paging): string {
  const parameter = pythonString(paging.parameter);
  const head = (about: string) => `def pages(address):\n    """${about}"""`;
  switch (paging.type) {
    case "none":
      return `${head("The only response.")}
    yield records_of(fetch(address)[0])`;
    case "page":
    case "offset": {
      const [about, name, first, step] =
        paging.type === "page"
          ? ["Page after page, until one is empty.", "page", paging.first, "1"]
          : ["Offset after offset, until there are no records.", "offset", 0, "len(records)"];
      return `${head(about)}
    ${name}, before = ${first}, None
    while records := records_of(fetch(with_parameters(address, {${parameter}: ${name}}))[0]):
        if records == before:
            raise ValueError("the server returned the same records for two pages: check the paging parameter")
        yield records
        ${name}, before = ${name} + ${step}, records`;
    }
    case "cursor":
      return `${head("Cursor after cursor, until a response has none.")}
    cursor, seen = None, set()
    while True:
        answer = fetch(with_parameters(address, {${parameter}: cursor} if cursor else {}))[0]
        yield records_of(answer)
        cursor = inside(answer, ${pythonValue(paging.nextPath?.split("."))})
        if not cursor:
            return
        if cursor in seen:
            raise ValueError("the server returned the same cursor twice")
        seen.add(cursor)`;
    case "link": {
      const next =
        paging.nextPath === null
          ? `next_link(headers)`
          : `inside(answer, ${pythonValue(paging.nextPath.split("."))})`;
      const reader =
        paging.nextPath === null
          ? `def next_link(headers):
    """The address with rel=next in the Link header (RFC 8288)."""
    links = re.findall(r"<([^>]*)>([^<]*)", ", ".join(headers.get_all("Link", [])))
    return next((to for to, rest in links if re.search(r'rel="?[^";,]*\\bnext\\b', rest)), None)


`
          : "";
      return `${reader}${head("Follows the link of each response to the next.")}
    seen = set()
    while address not in seen:
        seen.add(address)
        answer, headers = fetch(address)
        yield records_of(answer)
        link = ${next}
        if not link:
            return
        address = urllib.parse.urljoin(address, link)
        check_origin(address)
    raise ValueError("the server returned the same link twice")`;
    }
  }
}
