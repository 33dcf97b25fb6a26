/** A statement of a file, without the comments around it, and its offset. */
interface FileStatement {
  readonly text: string;
  readonly at: number;
}

export interface SqlFile {
  readonly statements: readonly FileStatement[];
  /** Problems of the text as a whole, each with its offset. */
  readonly problems: readonly { readonly at: number; readonly message: string }[];
}

/** Strings, names, comments, semicolons and other tokens; `open` is an opening quote without a closing one. */
const pieces =
  /(?<raw>\br(?:'[^']*'|"[^"]*"))|(?<text>'(?:[^\\']|\\[\s\S])*'|"(?:[^\\"]|\\[\s\S])*"|`[^`]*`)|(?<comment>--[^\r\n]*)|(?<block>\/\*)|(?<end>;)|(?<open>['"`])|(?<blank>\s+)|\w+|[\s\S]/giy;

/** Splits a file at its semicolons. Strings, backticks and comments follow Spark's rules. */
export function readSqlFile(content: string): SqlFile {
  const statements: FileStatement[] = [];
  const problems: { at: number; message: string }[] = [];
  // The start of the statement, and the end of its last token that is neither blank nor a comment.
  let from = -1;
  let to = -1;
  const close = () => {
    if (from >= 0) statements.push({ text: content.slice(from, to), at: from });
    from = -1;
  };
  pieces.lastIndex = 0;
  for (let piece = pieces.exec(content); piece; piece = pieces.exec(content)) {
    const { comment, block, end, open, blank } = piece.groups ?? {};
    const at = piece.index;
    if (comment?.endsWith("\\")) {
      problems.push({
        at,
        message: "The comment ends in a backslash, so Spark would continue it on the next line.",
      });
    }
    if (end) close();
    else if (block) {
      const after = endOfBlock(content, at);
      if (after < 0) {
        problems.push({ at, message: "The comment is never closed." });
        break;
      }
      pieces.lastIndex = after;
      // A hint belongs to its statement.
      if (content[at + 2] === "+") to = after;
    } else if (open) {
      problems.push({ at, message: `The ${open === "`" ? "name in backticks" : "string"} is never closed.` });
      break;
    } else if (!comment && !blank) {
      if (from < 0) from = at;
      to = pieces.lastIndex;
    }
  }
  close();
  for (const { at, message } of notebookLines(content, statements)) problems.push({ at, message });
  return { statements, problems };
}

/** Block comments nest in Spark. */
function endOfBlock(content: string, from: number): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = from;
  let depth = 0;
  for (let mark = marks.exec(content); mark; mark = marks.exec(content)) {
    depth += mark[0] === "/*" ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return -1;
}

/** Lines that Databricks reads as notebook instructions: cell separators inside a statement or a string, and MAGIC anywhere. */
function notebookLines(content: string, statements: readonly FileStatement[]) {
  const found: { at: number; message: string }[] = [];
  for (const line of content.matchAll(/^-- (?:COMMAND ----------|MAGIC)/gm)) {
    const inside = statements.some(({ at, text }) => line.index > at && line.index < at + text.length);
    if (inside || line[0].endsWith("MAGIC")) {
      found.push({
        at: line.index,
        message: "Databricks reads this line as a notebook instruction.",
      });
    }
  }
  return found;
}
