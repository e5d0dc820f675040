/**
 * A setting in the text of one of git's files, without what that includes. The last value counts; sections and names are
 * the same in any case.
 * @param name in lower case, as `core.worktree`
 * @returns undefined where the text does not have it; `true` for one without a value, as git has it
 */
export function settingIn(text: string, name: string): string | undefined {
  // Nearly no file has it, and reading one line by line takes longer.
  if (!text.toLowerCase().includes(name.slice(0, name.indexOf('.')))) return undefined;
  let section = '';
  let value: string | undefined;
  for (const line of text.split('\n')) {
    // Blanks are cut first: two patterns of them side by side take the square of their number (Z-6).
    const [, header, rest = ''] = line.trim().match(/^(?:\[([^\]]*)\])?(.*)$/) ?? [];
    if (header !== undefined) section = header.trim().toLowerCase();
    const [, key, said = 'true'] = rest.trim().match(/^([a-z][a-z0-9-]*)\s*(?:=(.*))?$/i) ?? [];
    if (key !== undefined && `${section}.${key.toLowerCase()}` === name) value = plain(said);
  }
  return value;
}

/** The value after the `=`, without quotes and comment. */
function plain(said: string): string {
  const [, quoted, bare = ''] = said.match(/^\s*(?:"([^"]*)"|([^#;]*))/) ?? [];
  return (quoted ?? bare).trim();
}
