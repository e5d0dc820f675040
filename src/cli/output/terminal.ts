/** When an answer has colours. */
export const COLORS = ['auto', 'always', 'never'];

/** Options of every command that say how an answer looks. */
export interface Looks {
  color?: string | undefined;
  pager?: boolean | undefined;
}

/** Columns of what is no terminal, and of one that does not know its own. */
const PIPE = 100;
const UNKNOWN = 80;
const NARROWEST = 40;
const WIDEST = 200;

/** The language of who reads, as the locale says: of what is said in both. */
export const languageOf = ({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): 'en' | 'ko' =>
  (LC_ALL || LC_MESSAGES || LANG || '').startsWith('ko') ? 'ko' : 'en';

type Output = Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>;

/** Columns that a line may take, 40 to 200 (U-9): COLUMNS, else the terminal's own. */
export function widthOf({ isTTY, columns }: Output, { COLUMNS }: NodeJS.ProcessEnv): number {
  const wanted = Number(COLUMNS) || (isTTY ? columns || UNKNOWN : PIPE);
  return Math.min(WIDEST, Math.max(NARROWEST, Math.floor(wanted)));
}

/** Whether an answer has colours: by --color, no-color.org and force-color.org, else where a terminal can show them. */
export function wantsColor(
  when: string | undefined,
  { NO_COLOR, FORCE_COLOR }: NodeJS.ProcessEnv,
  output: Pick<NodeJS.WriteStream, 'isTTY' | 'hasColors'>,
): boolean {
  if (when === 'always' || when === 'never') return when === 'always';
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return !['0', 'false'].includes(FORCE_COLOR);
  return output.isTTY && output.hasColors();
}
