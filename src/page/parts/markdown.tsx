import { Lexer, type MarkedToken, type Token, type TokensList } from 'marked';
import { type ComponentChildren, Fragment } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Link } from '../data/operations.ts';
import { LinkedText, namesOf, ReasonText } from './reason-text.tsx';

/** Characters of a text, and of one paragraph, that are read as Markdown; levels of lists, quotes and emphasis. */
const MOST = { text: 20_000, paragraph: 2_000, depth: 12 };

/** A lexer whose time grows with the length of a text, whatever it holds: what is beyond its limits is plain text. */
class BoundedLexer extends Lexer {
  #depth = 0;

  override blockTokens(source: string, tokens = [] as Token[] as TokensList, isClipped = false): TokensList {
    return this.#bounded(MOST.text, source, tokens, () => super.blockTokens(source, tokens, isClipped));
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    return this.#bounded(MOST.paragraph, source, tokens, () => super.inlineTokens(source, tokens));
  }

  #bounded<List extends Token[]>(longest: number, source: string, tokens: List, read: () => unknown): List {
    if (source.length > longest || this.#depth === MOST.depth) tokens.push(plain(source));
    else {
      this.#depth++;
      read();
      this.#depth--;
    }
    return tokens;
  }
}

const plain = (text: string): MarkedToken => ({ type: 'text', raw: text, text });

function read(text: string): Token[] {
  const end = text.length > MOST.text ? text.lastIndexOf('\n', MOST.text) + 1 : text.length;
  return [...new BoundedLexer({ gfm: true }).lex(text.slice(0, end)), plain(text.slice(end))];
}

/**
 * A text with the Markdown that agents write: lists, code, emphasis, tables, links (H-3). HTML, images and addresses that are
 * not of the web stay as they were written. `#33`, and what the links of a decision name, leads to the record.
 * @param links those of any version of the decision
 */
export function Markdown({ text, links = [] }: { text: string; links?: Link[] }) {
  const tokens = useMemo(() => read(text.trim()), [text]);
  return <div class="markdown">{drawn(tokens, [namesOf(links), '#\\d+'].filter(Boolean).join('|'))}</div>;
}

/** @param names what is linked, as of {@link LinkedText}; undefined within a link */
function drawn(tokens: Token[], names: string | undefined): ComponentChildren {
  return tokens.map((token, place) => <Fragment key={place}>{one(token as MarkedToken, names)}</Fragment>);
}

function one(token: MarkedToken, names: string | undefined): ComponentChildren {
  switch (token.type) {
    case 'space':
      return null;
    case 'paragraph':
      return <p>{drawn(token.tokens, names)}</p>;
    case 'heading':
      // The outline of a view is its own.
      return (
        <p>
          <strong>{drawn(token.tokens, names)}</strong>
        </p>
      );
    case 'blockquote':
      return <blockquote>{drawn(token.tokens, names)}</blockquote>;
    case 'list': {
      const List = token.ordered ? 'ol' : 'ul';
      return (
        <List {...(token.ordered && { start: Number(token.start) })}>
          {token.items.map(({ tokens }, place) => (
            <li key={place}>{drawn(tokens, names)}</li>
          ))}
        </List>
      );
    }
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    case 'code':
      return (
        <pre>
          {token.lang && <span class="note">{`${token.lang}\n`}</span>}
          <code>{token.text}</code>
        </pre>
      );
    case 'table': {
      const cells = (row: typeof token.header, Cell: 'th' | 'td') => (
        <tr>
          {row.map(({ tokens }, place) => (
            <Cell key={place}>{drawn(tokens, names)}</Cell>
          ))}
        </tr>
      );
      return (
        <table>
          <thead>{cells(token.header, 'th')}</thead>
          <tbody>{token.rows.map((row) => cells(row, 'td'))}</tbody>
        </table>
      );
    }
    case 'hr':
      return <hr />;
    case 'br':
      return <br />;
    case 'strong':
    case 'em':
    case 'del': {
      const Mark = token.type;
      return <Mark>{drawn(token.tokens, names)}</Mark>;
    }
    case 'codespan':
      return <code>{names === undefined ? token.text : <LinkedText text={token.text} names={names} />}</code>;
    case 'link':
      if (names === undefined || !/^https?:\/\//i.test(token.href)) return token.raw;
      return (
        <a href={token.href} title={token.title ?? token.href} target="_blank" rel="noopener noreferrer">
          {drawn(token.tokens, undefined)}
        </a>
      );
    case 'escape':
      return token.text;
    case 'text':
      if (token.tokens) return drawn(token.tokens, names);
      return names === undefined ? token.text : <ReasonText text={token.text} names={names} />;
    default:
      // HTML, an image, what a link refers to.
      return <span class="raw">{token.raw}</span>;
  }
}
