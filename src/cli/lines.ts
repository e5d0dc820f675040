/**
 * The lines of a UTF-8 stream, parted by line feeds alone. Node's readline also parts them at U+2028 and U+2029, which
 * stand as they are in the strings of JSON. A carriage return before the line feed belongs to neither line.
 */
export async function* linesOf(input: NodeJS.ReadableStream): AsyncGenerator<string> {
  input.setEncoding('utf8');
  let begun: string[] = [];
  for await (const chunk of input) {
    const [first = '', ...rest] = String(chunk).split('\n');
    begun.push(first);
    for (const next of rest) {
      yield ended(begun);
      begun = [next];
    }
  }
  const last = ended(begun);
  if (last !== '') yield last;
}

function ended(pieces: string[]): string {
  const line = pieces.join('');
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
