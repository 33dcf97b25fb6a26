import { shown } from "@lakehelm/contract/text";
import { isAlias, isScalar, LineCounter, parseDocument, Scalar, visit } from "yaml";

export interface YamlFile {
  readonly path: string;
  readonly value: unknown;
  /** Each problem has a line and a column. */
  readonly problems: readonly string[];
}

/** Plain words that YAML 1.1 and 1.2 read differently: `on`, `012`, `1_000`, `12:30`, a date, `<<`. */
const ambiguous =
  /^(?:y|n|yes|no|on|off|<<|=|[-+]?0[0-9_]+|[-+]?0b[01_]+|[-+]?\d+_[\d_.]*|[-+]?\d+(?::[0-5]?\d)+(?:\.\d*)?|\d{4}-\d\d?-\d\d?(?:[Tt \t].*)?)$/i;

/** Reads one document that every YAML parser reads the same way: no anchors, no tags, no duplicate keys. */
export function readYaml(path: string, content: string): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(content, { prettyErrors: false, lineCounter: lines, uniqueKeys: true });
  const problems: string[] = [];
  const add = (at: number, message: string) => {
    const { line, col } = lines.linePos(at);
    problems.push(`line ${line}, column ${Math.max(col, 1)}: ${message}`);
  };
  for (const { pos, message } of [...document.errors, ...document.warnings]) {
    add(pos[0], `It is not valid YAML: ${message.split("\n")[0]}.`.replace(/\.\.$/, "."));
  }
  if (problems.length > 0) return { path, value: undefined, problems };
  visit(document, {
    Node(_, node) {
      const at = node.range?.[0] ?? 0;
      if (isAlias(node) || ("anchor" in node && node.anchor)) add(at, "There is an anchor or an alias.");
      if (node.tag) add(at, "There is a tag.");
      if (isScalar(node) && node.type === Scalar.PLAIN && ambiguous.test(node.source ?? "")) {
        add(at, `${shown(node.source ?? "")} is read differently by YAML 1.1 and 1.2: it needs quotes.`);
      }
    },
  });
  return { path, value: problems.length > 0 ? undefined : document.toJS(), problems };
}
