import { tooMuch } from "../limits.ts";
import { scan } from "../scan.ts";
import { placesOf } from "../source-location.ts";
import type { Token } from "../token.ts";
import { cellsOf } from "./cells.ts";
import type { Complaints } from "./complaints.ts";
import type { Draft } from "./draft.ts";
import { checkParameters, parametersIn, withNumbers } from "./parameters.ts";
import type { PipelineSource, PlanRules, SourcePlace } from "./plan.ts";
import { type Part, splitAtSemicolons } from "./split.ts";
import { type Language, readStatement } from "./statements/read-statement.ts";
import type { Session } from "./statements/session.ts";
import type { Statement } from "./statements/statement.ts";
import { isPutIn, placeIn, written } from "./written.ts";

/** Of one library. A statement takes about a millisecond, and meanwhile nobody else is served. */
const mostStatements = 2_000;

export interface SourceRules extends Pick<PlanRules, "catalog" | "schema" | "configuration"> {
  readonly language: Language;
  /** Of a script: which parameters have a value; without it, any. */
  readonly parameters?: readonly string[];
}

/** Reads the words of one library, statement by statement. */
export function readSource(
  { path, text }: PipelineSource,
  rules: SourceRules,
  complaints: Complaints,
): readonly Draft[] {
  const { catalog, schema, configuration, language } = rules;
  const places = placesOf(text);
  const placeAt = (offset: number): SourcePlace => ({ path, ...places(offset) });
  const session: Session = {
    within: { catalog, schema },
    configuration: new Map(Object.entries(configuration)),
  };
  const drafts: Draft[] = [];
  let count = 0;
  const { cells, remarks } = cellsOf(text);
  for (const { at, message } of remarks) complaints.add(placeAt(at), message);
  for (const cell of cells) {
    const { parts, remark } = splitAtSemicolons(cell);
    for (const part of parts) {
      count += 1;
      if (count > mostStatements)
        complaints.add(placeAt(part.at), `there are more than ${mostStatements} statements.`);
      if (complaints.isFull || count > mostStatements) return drafts;
      const { statements, isSound } = statementsOf(part, placeAt, session, rules, complaints);
      for (const statement of statements) {
        const draft = readStatement({ ...statement, within: session.within }, session, language);
        if (draft) drafts.push(isSound ? draft : { ...draft, isBroken: true });
      }
    }
    if (remark) complaints.add(placeAt(remark.at), remark.message);
  }
  return drafts;
}

/** The statements of what stands between two semicolons: one, unless a value brought more. */
function statementsOf(
  part: Part,
  placeAt: (offset: number) => SourcePlace,
  session: Session,
  { catalog, schema, language, parameters: given }: SourceRules,
  complaints: Complaints,
): { readonly statements: readonly Statement[]; readonly isSound: boolean } {
  let isSound = true;
  const whole = written(part, placeAt, session.configuration, (place, message) => {
    isSound = false;
    complaints.add(place, message);
  });
  // Who has no value for a key, or cannot read a character, hears that alone.
  const complain = (at: number, message: string): void => {
    if (!isSound) return;
    const told = isPutIn(whole, at) ? "the value that is put in here does not fit." : message;
    complaints.add(placeIn(whole.text, whole.pieces, at), told);
  };
  const parameters = language === "script" ? parametersIn(scan(whole.text).tokens) : [];
  if (given) checkParameters(parameters, given, complain);
  const readable = withNumbers(whole.text, parameters);
  const { tokens, remarks } = scan(readable);
  const limit = tooMuch(tokens);
  for (const { at, message } of limit ? [...remarks, limit] : remarks) complain(at, message);
  if (limit || remarks.length > 0) isSound = false;
  const home = language === "pipeline" ? { catalog, schema } : undefined;
  const { within } = session;
  // The head of a statement is read all the same: what it makes is there for others.
  const statements = (limit ? [] : cutAtSemicolons(tokens)).map((words) => ({
    written: whole,
    readable,
    parameters,
    tokens: words,
    within,
    home,
    complain,
  }));
  return { statements, isSound };
}

function cutAtSemicolons(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const statements: Token[][] = [[]];
  for (const token of tokens) {
    if (token.text === ";") statements.push([]);
    else statements.at(-1)?.push(token);
  }
  return statements.filter((words) => words.length > 0);
}
