import { append } from '../../../domain/append.ts';
import { ITEM, linesOf, sectionsIn } from '../markdown.ts';
import { isField, UNFILLED } from './fields.ts';
import { isFormer, isLeading, isSince } from './words.ts';

/** The words of MADR before the chosen option, also in its translations. */
const CHOSEN =
  /^(?:chose(?:n)? option|선택한 (?:옵션|대안)|選択した(?:選択肢|オプション)|选择的?(?:选项|方案)|gewählte option|option (?:choisie|retenue)|opción (?:elegida|seleccionada)|opção (?:escolhida|selecionada))\s*[:：]\s*/i;
const BECAUSE = /,?(?<!\s)\s+because\b/gi;
/** Marks around a whole option. */
const AROUND = [/^"([^"]*)"$/, /^[“”]([^“”]*)[“”]$/, /^'([^']*)'$/, /^\*\*([^*]*)\*\*$/, /^`([^`]*)`$/];
/** Characters of a decision up to which the paragraphs that it announces belong to it. */
const LONGEST = 1_000;
/** Lines without a statement: a heading, a picture, a directive, the address of a link, a rule, a row of a table, an empty item. */
const SAYS_NOTHING =
  /^\s*(?:#|\.\. |\[[^[\]]+\]: |[-*+]\s*$|!?\[!\[|!\[[^\]]*\]\([^)]*\)\s*$|\||(?:[-*_]\s*){3,}$)/;

/** Code, or what belongs to a directive; no item. */
const INDENTED = /^(?: {3,}|\t)(?!\s*(?:[-*+]|\d+[.)])\s)/;

/** The decision of a section, and the rest of it. */
export interface DecisionText {
  decision: string;
  more: string;
}

/**
 * The first paragraph of a section is the decision, with the list that it announces. The rest of the section is its reasons,
 * as the consequences are in MADR.
 */
export function decisionIn(section: string): DecisionText {
  const blocks = blocksOf(section);
  const saying = blocks.flatMap(({ lines, isCode }, index) =>
    isCode || INDENTED.test(lines[0] ?? '') || lines.every((line) => SAYS_NOTHING.test(line)) ? [] : index,
  );
  // A lead, and the list that it announces, are reasons.
  let isLed = false;
  const told = saying.find((index) => {
    const [first = ''] = blocks[index]?.lines ?? [];
    isLed = isLeading(first) || (isLed && ITEM.test(first));
    return !isLed;
  });
  const first = told ?? saying[0] ?? -1;
  const wordsAt = (index: number) => blocks[index]?.lines.join(' ') ?? '';
  const since = saying.find(
    (index) => index > first && !ITEM.test(wordsAt(index)) && isSince(wordsAt(index)),
  );
  const at = (isFormer(wordsAt(first)) ? since : undefined) ?? first;
  const lead = blocks[at];
  if (lead === undefined) return { decision: '', more: section.trim() };
  const said = lead.lines.filter((line) => !SAYS_NOTHING.test(line));
  const more = blocks.filter((_, index) => index !== at);
  // The list after the `because` of a chosen option is its reasons.
  const isReasoned = CHOSEN.test(joined(said)) && /\bbecause\W*$/i.test(said.at(-1) ?? '');
  const announces =
    !isReasoned && /(?:[:：]|\b(?:because|therefore)[*_,]*)$/i.test((said.at(-1) ?? '').trim());
  let items = at;
  while (announces && ITEM.test(more[items]?.lines[0] ?? '')) items++;
  // The announced text may be paragraphs, and a chosen option one.
  let size = said.join('').length;
  const limit = CHOSEN.test(joined(said)) ? at + 1 : more.length;
  const isList = items > at;
  for (; announces && !isList && items < limit && isText(more[items]); items++) {
    size += more[items]?.lines.join('').length ?? 0;
    if (size > LONGEST) break;
  }
  // Code or a table may follow a colon, too.
  const next = announces && items === at && limit === more.length ? (more[at]?.lines ?? []) : [];
  const isShown = !next[0]?.startsWith('#') && next.join('').length <= LONGEST;
  for (const { lines } of more.splice(at, items - at)) append(said, lines);
  const isOnly = said.filter((line) => ITEM.test(line)).length === 1;
  if (isOnly) said.splice(0, 1, (said[0] ?? '').replace(ITEM, ''));
  if (isShown && next.length > 0) more.splice(at, 1);
  return {
    decision: [chosenIn(joined(said)), ...(isShown ? next : [])].join('\n'),
    more: more
      .map(({ lines }) => lines.join('\n'))
      .join('\n\n')
      .trim(),
  };
}

/** Several decisions that have a heading each, as a list; undefined where there is at most one, or a text before them. */
export function listedIn(section: string): DecisionText | undefined {
  const { top, sections } = sectionsIn(section, 3);
  if (sections.length < 2 || top.trim() !== '') return undefined;
  return { decision: sections.map(({ heading }) => `- ${heading}`).join('\n'), more: section.trim() };
}

/** Whether it is a text: no code, table, heading or directive. */
const isText = (block: ReturnType<typeof blocksOf>[number] | undefined): boolean =>
  block !== undefined &&
  !block.isCode &&
  !INDENTED.test(block.lines[0] ?? '') &&
  !block.lines.some((line) => SAYS_NOTHING.test(line));

/** Paragraphs; a block of code is one. */
function blocksOf(text: string): { lines: string[]; isCode: boolean }[] {
  const blocks: { lines: string[]; isCode: boolean }[] = [];
  let isOpen = false;
  for (const { text: line, isCode } of linesOf(text)) {
    const last = blocks.at(-1);
    const isBreak = !isCode && (line.trim() === '' || /^#/.test(line));
    if (!isBreak && isOpen && last?.isCode === isCode) last.lines.push(line);
    else if (line.trim() !== '') blocks.push({ lines: [line], isCode });
    isOpen = isBreak ? false : line.trim() !== '' || isCode;
  }
  return blocks;
}

/** Lines joined into one, except for the items of a list. */
const joined = (lines: string[]): string =>
  lines
    .map((line, index) => {
      const isLast = index === lines.length - 1;
      const text = index > 0 && !ITEM.test(line) ? line.trimStart() : line;
      if (isLast) return text;
      return ITEM.test(lines[index + 1] ?? '') ? `${text}\n` : `${text.trimEnd()} `;
    })
    .join('')
    .trim();

/** The option without the words of MADR and without quotes. */
function chosenIn(stated: string): string {
  const plain = stated.replace(CHOSEN, '');
  if (plain === stated) return stated;
  // An option may contain "because": it ends where its quotes do.
  const end = endOfOption(plain);
  const because = plain.slice(end).replace(/^,?\s+/, '');
  const written = plain
    .slice(0, end)
    .trim()
    .replace(/(?:,|\s[—–-])("?)$/, '$1');
  const option = AROUND.reduce(
    (text, mark) => text.replace(mark, '$1'),
    end === plain.length ? written.replace(/\.$/, '') : written,
  );
  if (UNFILLED.test(option)) return '';
  return /^because[^\p{L}\p{N}]*$/iu.test(because) || because === '' ? option : `${option}, ${because}`;
}

function endOfOption(plain: string): number {
  let quotes = 0;
  let from = 0;
  for (const { index } of plain.matchAll(BECAUSE)) {
    quotes += plain.slice(from, index).split('"').length - 1;
    if (quotes % 2 === 0) return index;
    from = index;
  }
  return plain.length;
}

/** A line that names other records. */
const LINKS = /^\W*(?:supersed|replace|amend|obsolete|extend|refine|relate[sd] )/i;

/** The text above the sections that is no field: of a short record, the decision. */
export function leadIn(top: string): string {
  const kept: string[] = [];
  let isOpen = false;
  for (const line of top.split('\n')) {
    const isLeft = line.startsWith('|') || isField(line) || LINKS.test(line);
    // A sentence may go on with such a word in a line of its own.
    isOpen = line.trim() !== '' && (isOpen || !isLeft);
    if (isOpen || !isLeft) kept.push(line);
  }
  return kept.join('\n');
}

const OPTION = '(?:opti?on|opci[oó]n|op[cç][aã]o|variante?|alternativ[ae]?|opzione|optie|方案|选项|선택지)';
/** `Option 3.`: what only points at an option. */
const POINTER = new RegExp(`^\\W*${OPTION}\\s*([\\dA-Z])\\W*$`, 'iu');

/** A decision that points at an option, with the text of the option. */
export function withOption(stated: DecisionText, body: string): DecisionText {
  const [pointer, name = ''] = POINTER.exec(stated.decision) ?? [];
  if (pointer === undefined) return stated;
  const option = new RegExp(`^\\W*(?:${OPTION}\\s*${name}\\W|${name}[.)]\\s)\\W*(\\S.*)$`, 'ius');
  const found = body
    .split('\n')
    .flatMap((line) => (line.trim() !== stated.decision.trim() && option.exec(line)?.[1]) || []);
  const [text] = found;
  return text === undefined
    ? stated
    : {
        ...stated,
        decision: `${stated.decision.replace(/(?<!\W)\W+$/, '')}: ${text.replace(/\*\*/g, '').trim()}`,
      };
}
