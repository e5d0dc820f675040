import { type ESTree, parseSync, Visitor } from 'rolldown/utils';

/** A condition of SQL in a source, and what may be written in its place so that it asks nothing. */
interface Condition {
  from: number;
  to: number;
  instead: string;
}

const BEGINS = /\b(?:where|and|on(?!\s+conflict))\s+/gi;
/** Words of SQL that end a condition which is not in brackets, and brackets. */
const ENDS =
  /\b(?:and|or|then|else|when|end|order\s+by|group\s+by|having|limit|offset|union|returning|on\s+conflict|(?:left\s+|cross\s+)?join|window|where)\b|[()]/gi;

/** The conditions of a source: each call of `.where()`, and each operand of `where`, `on` and `and` in its SQL. */
export function conditionsIn(source: string): Condition[] {
  const found: Condition[] = [];
  const visitor = new Visitor({
    CallExpression({ callee, end }) {
      if (callee.type === 'MemberExpression' && 'name' in callee.property && callee.property.name === 'where')
        found.push({ from: callee.object.end, to: end, instead: '' });
    },
    TaggedTemplateExpression({ tag, quasi }) {
      const name = tag.type === 'CallExpression' ? tag.callee : tag;
      if ('name' in name && (name.name === 'sql' || name.name === 'query'))
        found.push(...operandsIn(sqlOf(source, quasi), quasi.start));
    },
  });
  visitor.visit(parseSync('source.ts', source).program);
  return found.sort((a, b) => a.from - b.from);
}

/** The SQL of a template, with nothing in it that is no SQL: what is put in, texts, and the `and` of a `between`. */
function sqlOf(source: string, { start, end, expressions }: ESTree.TemplateLiteral): string {
  let sql = source.slice(start, end - 1);
  for (const { start: from, end: to } of expressions)
    sql = sql.slice(0, from - start) + blank(source.slice(from, to)) + sql.slice(to - start);
  return sql.replaceAll(/'[^']*'/g, blank).replaceAll(/\bbetween\b.*?\band\b/gis, blank);
}

/** As long, and no word. */
const blank = (text: string) => '}'.repeat(text.length);

function operandsIn(sql: string, start: number): Condition[] {
  return [...sql.matchAll(BEGINS)].flatMap(({ index, 0: { length } }) => {
    const from = index + length;
    const operand = sql.slice(from, operandEnd(sql, from)).trimEnd();
    if (operand === '') return [];
    return [{ from: start + from, to: start + from + operand.length, instead: '1 = 1' }];
  });
}

/** Where an operand ends: at a word that goes on with the statement, or with what surrounds it. */
function operandEnd(sql: string, from: number): number {
  let depth = 0;
  for (const { index, 0: sign } of sql.slice(from).matchAll(ENDS)) {
    if (sign === '(') depth++;
    else if (depth === 0) return from + index;
    else if (sign === ')') depth--;
  }
  return sql.length;
}
