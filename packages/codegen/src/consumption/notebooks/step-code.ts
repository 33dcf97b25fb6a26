import type { FlowStep } from "@lakehelm/flows";
import { pythonBlock, pythonString, pythonText } from "../../text/python.ts";

/** The steps as Python: each statement as a constant with a comment, followed by the call that executes it. */
export function stepsCode(steps: readonly FlowStep[], { isNested = false } = {}): string {
  const code = (only?: FlowStep["only"]) =>
    steps
      .filter((step) => step.only === only)
      .map((step) => stepCode(step, isNested || only ? pythonText : pythonBlock))
      .join("\n\n");
  const dated = code("with a date");
  // Either all steps of a phase depend on the date, or none does.
  if (dated) return `if business_date:\n${indented(dated)}\nelse:\n${indented(code("without a date"))}`;
  return code();
}

const stepCode = (step: FlowStep, literal: (sql: string) => string) =>
  `${comment(step.about)}\n${constant(step)} = ${literal(step.sql)}\n${runCode(step)}`;

/** Comment lines of at most 100 characters. */
const comment = (text: string) => text.replace(/(.{1,98})(?: |$)/g, "# $1\n").trimEnd();

const constant = ({ name }: FlowStep) => name.toUpperCase();

function runCode(step: FlowStep): string {
  const statement = `spark.sql(${constant(step)})`;
  switch (step.kind) {
    case "view": {
      const rows = step.date ? `of_date(${statement}, ${pythonString(step.date)})` : statement;
      return `${rows}.createOrReplaceTempView(${pythonString(step.view)})`;
    }
    case "table":
      return [statement, `add_new_columns(${pythonString(step.table)}, ${pythonString(step.view)})`].join(
        "\n",
      );
    case "statement":
      return statement;
    case "merge":
      return step.name in results ? `${results[step.name]} = ${statement}.first()` : statement;
    case "guard":
      return [
        `found = ${statement}.first()[0]`,
        "if found:",
        `    raise ValueError(${withCount("found", step.failure)})`,
      ].join("\n");
    case "count":
      return [
        `${step.name} = ${statement}.first()[0]`,
        `if ${step.name}:`,
        `    print(${withCount(step.name, step.remark)})`,
      ].join("\n");
  }
}

/** Python: the number in a variable, and the text after it. */
function withCount(variable: string, text: string): string {
  const literal = pythonString(` ${text}`);
  return literal.startsWith("f")
    ? `f"{${variable}}${literal.slice(2)}`
    : `f"{${variable}}${literal.slice(1).replace(/[{}]/g, "$&$&")}`;
}

/** The variable for the counts of a MERGE. All publishing steps use the same one. */
const results: Readonly<Record<string, string>> = {
  publish: "published",
  publish_date: "published",
  leave: "left",
  keep: "kept",
};

const indented = (code: string) => code.replace(/^(?=.)/gm, "    ");
