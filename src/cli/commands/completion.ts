import { writeOut } from '../output/print.ts';
import { defineCommand } from '../own-command.ts';

/*
 * What each shell needs to ask `precedent complete -- words…`: a line for each candidate, its description after a tab, and
 * a last line of a colon and 0 where names of files are possible.
 */

const BASH = `# bash completion of precedent
_precedent() {
  local i n=-1 cur prefix reply words=()
  for ((i = 1; i <= COMP_CWORD; i++)); do
    # Bash takes a topic apart at its colons.
    if ((n >= 0)) && [[ \${COMP_WORDS[i]} == :* || \${words[n]} == *: && -n \${COMP_WORDS[i]} ]]; then
      words[n]+=\${COMP_WORDS[i]}
    else
      words[++n]=\${COMP_WORDS[i]}
    fi
  done
  cur=\${words[n]}
  prefix=\${cur%"\${cur##*:}"}
  COMPREPLY=()
  while IFS=$'\\t' read -r reply _; do
    case $reply in
      :0) compopt -o default 2>/dev/null ;;
      :*) ;;
      *) COMPREPLY+=("\${reply#"$prefix"}") ;;
    esac
  done < <(precedent complete -- "\${words[@]}" 2>/dev/null)
}
complete -F _precedent precedent`;

const ZSH = `#compdef precedent
_precedent() {
  local line
  local -a described
  for line in "\${(@f)$(precedent complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      :0) _files; return ;;
      :*) ;;
      *) described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  _describe precedent described
}
if [ "$funcstack[1]" = _precedent ]; then _precedent "$@"; else compdef _precedent precedent; fi`;

const FISH = `# fish completion of precedent
function __precedent_complete
    set -l words (commandline -opc) (commandline -ct)
    precedent complete -- $words[2..-1] 2>/dev/null | string match -v -r '^:'
end
complete -c precedent -f -a '(__precedent_complete)'
complete -c precedent -F -n '__fish_seen_subcommand_from backup restore import'`;

/** Older PowerShells leave out an empty argument: a blank replaces it. */
const POWERSHELL = `# PowerShell completion of precedent
Register-ArgumentCompleter -Native -CommandName precedent -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { "$_" })
  if ($wordToComplete -eq '') { $words += ' ' }
  precedent complete -- @words 2>$null | Where-Object { $_ -notmatch '^:' } | ForEach-Object {
    $value, $about = $_ -split "\`t", 2
    if (-not $about) { $about = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
  }
}`;

/** The script of each shell. */
const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL };

const SHELLS = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];

export const completion = defineCommand({
  name: 'completion',
  summary: 'Print the script that completes commands in a shell',
  about: `Prints a script for ${SHELLS.join(', ')}. To have it in every shell, add a line to its settings: eval "$(precedent completion bash)" to ~/.bashrc; the same with zsh to ~/.zshrc, after compinit; "precedent completion fish | source" to ~/.config/fish/config.fish; "precedent completion powershell | Out-String | Invoke-Expression" to $PROFILE.`,
  examples: ['completion bash', 'completion zsh'],
  arguments: { shell: { about: SHELLS.join(', '), required: true, choices: SHELLS } },
  json: false,
  async run({ shell }) {
    writeOut(`${SCRIPTS[shell as keyof typeof SCRIPTS]}\n`);
    return undefined;
  },
});
