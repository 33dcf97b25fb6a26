import { suggestion } from "@lakehelm/contract/text";
import { type Io, write } from "../io.ts";
import { UsageError } from "../usage-error.ts";

/** Each script asks the command for completions, so the script never goes out of date. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_lakehelm() {
  local IFS=$'\\n' typed="\${COMP_WORDS[COMP_CWORD]}" found
  found=$(lakehelm __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)
  COMPREPLY=()
  if [ "$found" = :files ]; then
    compopt -o default 2>/dev/null
  else
    COMPREPLY=($(compgen -W "$found" -- "\${typed#=}"))
  fi
}
complete -F _lakehelm lakehelm
`,
  zsh: `#compdef lakehelm
_lakehelm() {
  local -a found
  local name about
  while IFS=$'\\t' read -r name about; do
    found+=("\${name//:/\\\\:}\${about:+:$about}")
  done < <(lakehelm __complete "\${words[@]:1:$((CURRENT - 1))}" 2>/dev/null)
  if [[ "$found" == '\\:files' ]]; then
    [[ "$PREFIX" == --*=* ]] && compset -P '*='
    _files
  elif (( \${#found} )); then
    _describe -V lakehelm found
  fi
}
if [ "$funcstack[1]" = "_lakehelm" ]; then _lakehelm; else compdef _lakehelm lakehelm; fi
`,
  fish: `function __lakehelm_complete
  set -l typed (commandline -ct)
  set -l found (lakehelm __complete (commandline -opc)[2..-1] "$typed" 2>/dev/null)
  if test "$found" = :files
    set -l option (string match -r -- '^--[a-z-]+=' "$typed")
    __fish_complete_path (string replace -- "$option" "" "$typed") | string replace -r '^' -- "$option"
  else
    string join -- \\n $found
  end
end
complete -c lakehelm -f -a '(__lakehelm_complete)'
`,
};

export async function completion(io: Io, shell: string): Promise<void> {
  const script = scripts[shell];
  const known = Object.keys(scripts);
  if (script === undefined) {
    throw new UsageError(`Unknown shell "${shell}".${suggestion(shell, known)} Shells: ${known.join(", ")}.`);
  }
  await write(io.stdout, script);
}
