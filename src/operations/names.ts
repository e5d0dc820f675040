import { capitalize } from '../domain/text/text.ts';

/** The words of a name: a group, then what is done with it. `mem_build_context` is `mem`, `build`, `context`. */
function wordsOf(name: string): [group: string, ...rest: string[]] {
  return name.split('_') as [string, ...string[]];
}

/** The path of the library's method: `mem_build_context` is `mem.buildContext`, `recall` is `recall`. */
export function methodOf(name: string): string[] {
  const [group, first, ...rest] = wordsOf(name);
  return first === undefined ? [group] : [group, first + rest.map(capitalize).join('')];
}

/** The option of a field, without its dashes: `outcome_filter` is `outcome-filter`, `rootId` is `root-id`. */
export function optionOf(field: string): string {
  return field.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The name of a type: `mem_build_context` is `MemBuildContext`. */
export function typeNameOf(name: string): string {
  return wordsOf(name).map(capitalize).join('');
}
