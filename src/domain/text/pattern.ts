/**
 * A pattern that is made when it is first asked for. One with classes of Unicode, or in any letter case, takes a hook up to a
 * millisecond to be made, and most texts need none of them.
 */
export function pattern(source: string, flags: string): () => RegExp {
  let made: RegExp | undefined;
  return () => {
    made ??= new RegExp(source, flags);
    return made;
  };
}
