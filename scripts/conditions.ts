/** A condition of SQL in a source, and what may be written in its place so that it asks nothing. */
interface Condition {
  from: number;
  to: number;
  instead: string;
}

/** Words of SQL that end a condition which is not in brackets. */
const ENDS =
  /^(and|or|then|else|when|end|order\s+by|group\s+by|having|limit|offset|union|returning|on\s+conflict|(left\s+|cross\s+)?join|window|where)\b/i;
const BEGINS = /\b(where|and|on)\s+/giy;

/**
 * The conditions of a source: each call of `.where()`, and each operand of `where`, `on` and `and` in its SQL. A word of
 * English in a comment or in a message is none.
 */
export function conditionsIn(source: string): Condition[] {
  return [...calls(source), ...operands(source)].sort((a, b) => a.from - b.from);
}

function calls(source: string): Condition[] {
  return [...source.matchAll(/\.where\(/g)].map(({ index }) => ({
    from: index,
    to: endOf(source, index + '.where('.length, ')') + 1,
    instead: '',
  }));
}

function operands(source: string): Condition[] {
  const found: Condition[] = [];
  for (const { index, 0: opening } of source.matchAll(
    /(?<!`)\b(?:sql(?:<[^`]*?>)?|query(?:<[^`]*?>)?\(\w+\))`/g,
  )) {
    const begin = index + opening.length;
    const end = endOf(source, begin, '`');
    let isBetween = false;
    for (let at = begin; at < end; at++) {
      // What is put in may hold SQL itself, which the outer loop finds.
      if (source.startsWith('${', at)) {
        at = endOf(source, at + 2, '}');
        continue;
      }
      if (/\w/.test(source[at - 1] ?? '')) continue;
      if (/^between\b/i.test(source.slice(at, at + 8))) isBetween = true;
      BEGINS.lastIndex = at;
      const word = BEGINS.exec(source);
      if (!word) continue;
      const isPartner = isBetween && word[1]?.toLowerCase() === 'and';
      if (isPartner) isBetween = false;
      else if (!/^on\s+conflict/i.test(source.slice(at, at + 20))) {
        const from = at + word[0].length;
        const to = operandEnd(source, from, end);
        if (to > from) found.push({ from, to, instead: '1 = 1' });
      }
    }
  }
  return found;
}

/** Where an operand ends: at a word that goes on with the statement, or with what surrounds it. */
function operandEnd(source: string, from: number, end: number): number {
  let isBetween = false;
  for (let at = from; at < end; at++) {
    if (source.startsWith('${', at)) at = endOf(source, at + 2, '}');
    else if (source[at] === '(') at = endOf(source, at + 1, ')');
    else if (source[at] === ')') return trimmed(source, from, at);
    else if (!/\w/.test(source[at - 1] ?? '')) {
      const rest = source.slice(at, at + 20);
      if (/^between\b/i.test(rest)) isBetween = true;
      else if (isBetween && /^and\b/i.test(rest)) isBetween = false;
      else if (ENDS.test(rest)) return trimmed(source, from, at);
    }
  }
  return trimmed(source, from, end);
}

const trimmed = (source: string, from: number, to: number) => from + source.slice(from, to).trimEnd().length;

/** Where the bracket or the quotation mark stands that closes what begins here. */
function endOf(source: string, from: number, closing: string): number {
  const isTemplate = closing === '`';
  for (let at = from; at < source.length; at++) {
    const sign = source[at] as string;
    if (sign === closing) return at;
    if (sign === '\\') at++;
    else if (isTemplate) {
      if (source.startsWith('${', at)) at = endOf(source, at + 2, '}');
    } else if (sign === '`') at = endOf(source, at + 1, '`');
    else if (sign === "'") at = source.indexOf("'", at + 1);
    else if (sign === '(') at = endOf(source, at + 1, ')');
    else if (sign === '{') at = endOf(source, at + 1, '}');
  }
  return source.length;
}
