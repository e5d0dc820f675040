import { SCRIPTS } from '../completion/scripts.ts';
import { writeOut } from '../output/standard-output.ts';
import { defineCommand } from '../own-command.ts';

const SHELLS = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];

export const completion = defineCommand({
  name: 'completion',
  summary: 'Print the script that completes commands, topics and ids in a shell',
  about: `Prints a script for ${SHELLS.join(', ')}. To have it in every shell, add a line to its settings: eval "$(precedent completion bash)" to ~/.bashrc; the same with zsh to ~/.zshrc, behind compinit; "precedent completion fish | source" to ~/.config/fish/config.fish; "precedent completion powershell | Out-String | Invoke-Expression" to $PROFILE.`,
  examples: ['completion bash', 'completion zsh'],
  arguments: { shell: { summary: SHELLS.join(', '), required: true, choices: SHELLS } },
  json: false,
  async run({ shell }) {
    writeOut(`${SCRIPTS[shell as keyof typeof SCRIPTS]}\n`);
    return undefined;
  },
});
