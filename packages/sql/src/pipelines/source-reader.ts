import { tokenize } from "../lexer/lexer.ts";
import { limitProblem } from "../lexer/limits.ts";
import type { SqlToken } from "../lexer/token.ts";
import { locatorOf } from "../source-location.ts";
import { cellsOf } from "./cells.ts";
import type { StatementDraft } from "./drafts.ts";
import { checkParameters, parametersIn, withNumbers } from "./parameters.ts";
import type { FileLocation, PipelineSource, PlanRules } from "./plan.ts";
import type { ProblemList } from "./problem-list.ts";
import { type StatementText, splitAtSemicolons } from "./semicolons.ts";
import { isSubstituted, locateInFile, substituteValues } from "./source-text.ts";
import type { SqlSession } from "./statements/session.ts";
import type { SourceStatement } from "./statements/statement.ts";
import { type Language, readStatement } from "./statements/statement-reader.ts";

/** The limit for one source. A statement takes about a millisecond, which blocks other requests. */
const maxStatements = 2_000;

export interface SourceRules extends Pick<PlanRules, "catalog" | "schema" | "configuration"> {
  readonly language: Language;
  /** In a script: the parameters that have a value; undefined: any parameter. */
  readonly parameters?: readonly string[];
}

/** Parses the statements of one source. */
export function readSource(
  { path, text }: PipelineSource,
  rules: SourceRules,
  problems: ProblemList,
): readonly StatementDraft[] {
  const { catalog, schema, configuration, language } = rules;
  const locator = locatorOf(text);
  const locate = (offset: number): FileLocation => ({ path, ...locator(offset) });
  const session: SqlSession = {
    defaults: { catalog, schema },
    configuration: new Map(Object.entries(configuration)),
  };
  const drafts: StatementDraft[] = [];
  let count = 0;
  const { cells, diagnostics } = cellsOf(text);
  for (const { at, message } of diagnostics) problems.add(locate(at), message);
  for (const cell of cells) {
    const { parts, diagnostic } = splitAtSemicolons(cell);
    for (const part of parts) {
      count += 1;
      if (count > maxStatements)
        problems.add(locate(part.at), `the file has more than ${maxStatements} statements.`);
      if (problems.isFull || count > maxStatements) return drafts;
      const { statements, isValid } = statementsOf(part, locate, session, rules, problems);
      for (const statement of statements) {
        const draft = readStatement({ ...statement, defaults: session.defaults }, session, language);
        if (draft) drafts.push(isValid ? draft : { ...draft, isBroken: true });
      }
    }
    if (diagnostic) problems.add(locate(diagnostic.at), diagnostic.message);
  }
  return drafts;
}

/** The statements between two semicolons: one, unless a substituted value contains several. */
function statementsOf(
  part: StatementText,
  locate: (offset: number) => FileLocation,
  session: SqlSession,
  { catalog, schema, language, parameters: given }: SourceRules,
  problems: ProblemList,
): { readonly statements: readonly SourceStatement[]; readonly isValid: boolean } {
  let isValid = true;
  const whole = substituteValues(part, locate, session.configuration, (location, message) => {
    isValid = false;
    problems.add(location, message);
  });
  // After a missing value or an invalid character, further problems would only follow from it.
  const report = (at: number, message: string): void => {
    if (!isValid) return;
    const shown = isSubstituted(whole, at) ? "the value that is substituted here is not valid." : message;
    problems.add(locateInFile(whole.text, whole.segments, at), shown);
  };
  const parameters = language === "script" ? parametersIn(tokenize(whole.text).tokens) : [];
  if (given) checkParameters(parameters, given, report);
  const readable = withNumbers(whole.text, parameters);
  const { tokens, diagnostics } = tokenize(readable);
  const limit = limitProblem(tokens);
  for (const { at, message } of limit ? [...diagnostics, limit] : diagnostics) report(at, message);
  if (limit || diagnostics.length > 0) isValid = false;
  const pipelineDefaults = language === "pipeline" ? { catalog, schema } : undefined;
  const { defaults } = session;
  // The head of a statement is parsed even then, so that other statements know the table that it creates.
  const statements = (limit ? [] : splitTokens(tokens)).map((words) => ({
    source: whole,
    readable,
    parameters,
    tokens: words,
    defaults,
    pipelineDefaults,
    report,
  }));
  return { statements, isValid };
}

function splitTokens(tokens: readonly SqlToken[]): readonly (readonly SqlToken[])[] {
  const statements: SqlToken[][] = [[]];
  for (const token of tokens) {
    if (token.text === ";") statements.push([]);
    else statements.at(-1)?.push(token);
  }
  return statements.filter((words) => words.length > 0);
}
