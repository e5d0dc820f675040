/**
 * A small interpreter of Cypher: what the exports and the published queries are written in, and nothing else. It reads
 * as Neo4j does: numbered escapes first, labels of a node in the order in which the graph first met each.
 */

type Value = unknown;
interface Node {
  labels: Set<string>;
  properties: Record<string, Value>;
}
interface Relation {
  type: string;
  from: Node;
  to: Node;
  properties: Record<string, Value>;
}
type Row = Record<string, Value>;
interface Query {
  params: Row;
  now: number;
}
type Expression = (row: Row) => Value;

const TOKEN =
  /\s+|\/\/.*|(?<text>'(?:[^'\\]|\\.)*')|(?<quoted>`(?:[^`]|``)*`)|(?<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(?<param>\$\w+)|(?<word>[\p{L}_][\p{L}\p{N}_]*)|(?<sign><-|->|\+=|[-()[\]{}:,.;=|])/suy;

interface Token {
  kind: string;
  text: string;
}

function tokensOf(query: string): Token[] {
  const resolved = query.replace(/\\u([\da-fA-F]{4})/g, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < resolved.length) {
    const start = TOKEN.lastIndex;
    const groups = TOKEN.exec(resolved)?.groups;
    if (!groups) throw new Error(`Not understood: ${resolved.slice(start, start + 40)}`);
    const [found] = Object.entries(groups).filter(([, text]) => text !== undefined);
    if (found) tokens.push({ kind: found[0], text: found[1] as string });
  }
  return tokens;
}

export class Graph {
  readonly nodes: Node[] = [];
  readonly relations: Relation[] = [];
  readonly #met: string[] = [];

  /** Runs statements, each ended by a semicolon or the end. @returns the rows of the last */
  run(script: string, params: Row = {}, now = 0): Row[] {
    const parser = new Parser(this, tokensOf(script), { params, now });
    let rows: Row[] = [];
    while (!parser.isAtEnd()) rows = parser.statement();
    return rows;
  }

  meet(label: string): void {
    if (!this.#met.includes(label)) this.#met.push(label);
  }

  labelsOf(node: Node): string[] {
    return [...node.labels].sort((a, b) => this.#met.indexOf(a) - this.#met.indexOf(b));
  }
}

interface NodePattern {
  name: string | undefined;
  labels: string[];
  properties: Expression;
}
interface RelationPattern {
  name: string | undefined;
  types: string[];
  properties: Expression;
  isDirected: boolean;
}
/** A node, and perhaps a relation to another one. */
interface Path {
  from: NodePattern;
  relation?: RelationPattern;
  to?: NodePattern;
}

/** Reads and runs at once: a clause takes rows and gives rows. */
class Parser {
  readonly #graph: Graph;
  readonly #tokens: Token[];
  readonly #query: Query;
  #at = 0;

  constructor(graph: Graph, tokens: Token[], query: Query) {
    this.#graph = graph;
    this.#tokens = tokens;
    this.#query = query;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  /** Runs one statement. */
  statement(): Row[] {
    if (this.#takes('CREATE', 'CONSTRAINT')) return this.#constraint();
    let rows: Row[] = [{}];
    while (!this.isAtEnd() && !this.#takes(';')) rows = this.#clause(rows);
    return rows;
  }

  /** Its label is met; that values are unique is not looked after. */
  #constraint(): Row[] {
    while (!this.#takes('FOR')) this.#next();
    for (const label of this.#node().labels) this.#graph.meet(label);
    while (!this.#takes(';')) this.#next();
    return [];
  }

  #clause(rows: Row[]): Row[] {
    if (this.#takes('MATCH')) {
      const path = this.#path();
      const found = rows.flatMap((row) => this.#match(path, row));
      if (!this.#takes('WHERE')) return found;
      const condition = this.#condition();
      return found.filter((row) => condition(row) === true);
    }
    if (this.#takes('MERGE')) return this.#merge(rows);
    if (this.#takes('CREATE')) {
      const path = this.#path();
      return rows.map((row) => this.#make(path, row));
    }
    if (this.#takes('SET')) {
      const set = this.#assignments();
      for (const row of rows) set(row);
      return rows;
    }
    if (this.#takes('WITH') || this.#takes('RETURN')) return this.#projection(rows);
    throw new Error(`Not understood: ${this.#next().text}`);
  }

  #merge(rows: Row[]): Row[] {
    const path = this.#path();
    const onCreate = this.#takes('ON', 'CREATE', 'SET') ? this.#assignments() : () => {};
    return rows.flatMap((row) => {
      const found = this.#match(path, row);
      if (found.length > 0) return found;
      const made = this.#make(path, row);
      onCreate(made);
      return [made];
    });
  }

  #make({ from, relation, to }: Path, row: Row): Row {
    const made = this.#makeNode(from, row);
    if (!relation || !to) return made;
    const all = this.#makeNode(to, made);
    const ends = { from: all[from.name ?? ''] as Node, to: all[to.name ?? ''] as Node };
    const properties = relation.properties(row) as Row;
    const link: Relation = { type: relation.types[0] as string, ...ends, properties };
    this.#graph.relations.push(link);
    return { ...all, ...(relation.name && { [relation.name]: link }) };
  }

  #makeNode({ name, labels, properties }: NodePattern, row: Row): Row {
    if (name !== undefined && row[name]) return row;
    for (const label of labels) this.#graph.meet(label);
    const node: Node = { labels: new Set(labels), properties: { ...(properties(row) as Row) } };
    this.#graph.nodes.push(node);
    return { ...row, [name ?? '']: node };
  }

  #match({ from, relation, to }: Path, row: Row): Row[] {
    if (!relation || !to) {
      return this.#graph.nodes.map((node) => bind(from, node, row)).filter((bound) => bound !== undefined);
    }
    return this.#graph.relations.flatMap((link) => {
      if (relation.types.length > 0 && !relation.types.includes(link.type)) return [];
      if (!holds(link.properties, relation.properties(row) as Row)) return [];
      const ways = [[link.from, link.to]];
      if (!relation.isDirected) ways.push([link.to, link.from]);
      return ways.flatMap(([one, other]) => {
        const first = bind(from, one as Node, row);
        const both = first && bind(to, other as Node, first);
        return both ? [{ ...both, ...(relation.name && { [relation.name]: link }) }] : [];
      });
    });
  }

  #path(): Path {
    const from = this.#node();
    if (!this.#takes('-')) return { from };
    this.#needs('[');
    const name = this.#peek(':') ? undefined : this.#name();
    const types: string[] = [];
    if (this.#takes(':')) {
      do types.push(this.#name());
      while (this.#takes('|'));
    }
    const properties = this.#map();
    this.#needs(']');
    const isDirected = this.#takes('->');
    if (!isDirected) this.#needs('-');
    return { from, relation: { name, types, properties, isDirected }, to: this.#node() };
  }

  #node(): NodePattern {
    this.#needs('(');
    const name = this.#peek(':') || this.#peek(')') ? undefined : this.#name();
    const labels: string[] = [];
    while (this.#takes(':')) labels.push(this.#name());
    const properties = this.#map();
    this.#needs(')');
    return { name, labels, properties };
  }

  #map(): Expression {
    if (!this.#takes('{')) return () => ({});
    const entries: [string, Expression][] = [];
    while (!this.#takes('}')) {
      const key = this.#name();
      this.#needs(':');
      entries.push([key, this.#expression()]);
      this.#takes(',');
    }
    return (row) => Object.fromEntries(entries.map(([key, value]) => [key, value(row)]));
  }

  #assignments(): (row: Row) => void {
    const all: ((row: Row) => void)[] = [];
    do {
      const name = this.#name();
      const target = (row: Row) => row[name] as Node;
      if (this.#takes(':')) {
        const label = this.#name();
        all.push((row) => {
          this.#graph.meet(label);
          target(row).labels.add(label);
        });
      } else if (this.#takes('+=')) {
        const map = this.#map();
        all.push((row) => void Object.assign(target(row).properties, map(row)));
      } else {
        this.#needs('.');
        const key = this.#name();
        this.#needs('=');
        const value = this.#expression();
        all.push((row) => {
          target(row).properties[key] = value(row);
        });
      }
    } while (this.#takes(','));
    return (row) => {
      for (const each of all) each(row);
    };
  }

  #projection(rows: Row[]): Row[] {
    const isDistinct = this.#takes('DISTINCT');
    const columns: [string, Expression][] = [];
    do {
      const start = this.#at;
      const value = this.#expression();
      const written = this.#tokens.slice(start, this.#at).map(({ text }) => text);
      columns.push([this.#takes('AS') ? this.#name() : written.join(''), value]);
    } while (this.#takes(','));
    const order = this.#takes('ORDER', 'BY') ? this.#expression() : () => 0;
    const sign = this.#takes('DESC') ? -1 : 1;
    const limit = this.#takes('LIMIT') ? Number(this.#next().text) : rows.length;
    const sorted = rows.toSorted((a, b) => sign * (Number(order(a)) - Number(order(b))));
    const projected = sorted.map((row) => Object.fromEntries(columns.map(([as, value]) => [as, value(row)])));
    const same = (a: Row, b: Row) => columns.every(([as]) => a[as] === b[as]);
    const kept = isDistinct
      ? projected.filter((row, at) => projected.findIndex((other) => same(row, other)) === at)
      : projected;
    return kept.slice(0, limit);
  }

  #condition(): Expression {
    const parts: Expression[] = [];
    do {
      const isNegated = this.#takes('NOT');
      const part = this.#peek('(') ? this.#exists() : this.#membership();
      parts.push((row) => part(row) !== isNegated);
    } while (this.#takes('AND'));
    return (row) => parts.every((part) => part(row));
  }

  #exists(): Expression {
    const path = this.#path();
    return (row) => this.#match(path, row).length > 0;
  }

  #membership(): Expression {
    const value = this.#expression();
    this.#needs('IN');
    const list = this.#expression();
    return (row) => (list(row) as Value[]).includes(value(row));
  }

  #expression(): Expression {
    const { kind, text } = this.#next();
    if (kind === 'text') return () => text.slice(1, -1).replace(/\\(.)/gs, '$1');
    if (kind === 'number') return () => Number(text);
    if (kind === 'param') return () => this.#query.params[text.slice(1)];
    if (text === '[') return this.#list();
    if (text === 'true' || text === 'false') return () => text === 'true';
    if (this.#takes('(')) return this.#call(text);
    if (!this.#takes('.')) return (row) => row[text];
    const key = this.#name();
    return (row) => (row[text] as Node).properties[key];
  }

  #list(): Expression {
    const all: Expression[] = [];
    while (!this.#takes(']')) {
      all.push(this.#expression());
      this.#takes(',');
    }
    return (row) => all.map((each) => each(row));
  }

  #call(name: string): Expression {
    if (this.#takes(')')) return () => this.#query.now;
    if (name !== 'labels') throw new Error(`Not understood: ${name}()`);
    const of = this.#name();
    this.#needs(')');
    const labels: Expression = (row) => this.#graph.labelsOf(row[of] as Node);
    if (!this.#takes('[')) return labels;
    const at = Number(this.#next().text);
    this.#needs(']');
    return (row) => (labels(row) as string[])[at];
  }

  #name(): string {
    const { kind, text } = this.#next();
    if (kind === 'quoted') return text.slice(1, -1).replaceAll('``', '`');
    if (kind !== 'word') throw new Error(`Expected a name, found ${text}`);
    return text;
  }

  #next(): Token {
    const token = this.#tokens[this.#at++];
    if (!token) throw new Error('Expected more');
    return token;
  }

  #peek(sign: string): boolean {
    return this.#tokens[this.#at]?.text === sign;
  }

  #takes(...words: string[]): boolean {
    if (!words.every((word, at) => this.#tokens[this.#at + at]?.text === word)) return false;
    this.#at += words.length;
    return true;
  }

  #needs(sign: string): void {
    if (!this.#takes(sign)) throw new Error(`Expected ${sign}, found ${this.#tokens[this.#at]?.text}`);
  }
}

/** The row with a node under its name; undefined when the node is not the one that is meant. */
function bind(pattern: NodePattern, node: Node, row: Row): Row | undefined {
  const { name } = pattern;
  if (name !== undefined && row[name] !== undefined) return row[name] === node ? row : undefined;
  if (!pattern.labels.every((label) => node.labels.has(label))) return undefined;
  if (!holds(node.properties, pattern.properties(row) as Row)) return undefined;
  return name === undefined ? row : { ...row, [name]: node };
}

function holds(properties: Row, wanted: Row): boolean {
  return Object.entries(wanted).every(([key, value]) => properties[key] === value);
}
