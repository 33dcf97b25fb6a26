import type { FlowStep } from "@lakehelm/flows";
import { pythonString, pythonText } from "../../text/python.ts";

/** The steps as Python: each statement as a constant with a comment, followed by the call that runs it. */
export function stepsCode(steps: readonly FlowStep[]): string {
  const code = (only?: FlowStep["only"]) =>
    steps
      .filter((step) => step.only === only)
      .map(stepCode)
      .join("\n\n");
  const dated = code("with a date");
  // Either all steps of a phase depend on the date, or none.
  if (dated) return `if business_date:\n${indented(dated)}\nelse:\n${indented(code("without a date"))}`;
  return code();
}

const stepCode = (step: FlowStep) =>
  `${comment(step.about)}\n${constant(step)} = ${pythonText(step.sql)}\n${runCode(step)}`;

/** Lines of at most 100 characters. */
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
        `    raise ValueError(f"{found} " + ${pythonString(step.failure)})`,
      ].join("\n");
  }
}

/** The variable for the counts of a MERGE. All publishing steps use the same one. */
const results: Readonly<Record<string, string>> = {
  publish: "published",
  publish_date: "published",
  leave: "left",
  keep: "kept",
};

const indented = (code: string) => code.replace(/^(?=.)/gm, "    ");
