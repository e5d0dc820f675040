import { frontMatter } from '../front-matter.ts';
import { type Line, linesOf } from '../markdown.ts';
import { dateOf, isDay } from './dates.ts';
import { cellsIn } from './fields.ts';
import { decidedIn, FIELD, headingIn, isOfDecision, STRUCK, untitledIn } from './log-headings.ts';
import { withHeadings } from './outline.ts';
import { linkingWord } from './record.ts';
import { folded, isGround, isOfLinks, isState, nameOf } from './words.ts';

/** An entry of a log: what it says of itself, as the text of a record. */
export interface LogEntry {
  /** Its name in the log, as a name of a file. */
  name: string;
  /** Its id, by which other entries name it, and the number in it. */
  labels: string[];
  number: number;
  text: string;
  /** As it is written. */
  quoted: string;
  /** Whether it has a heading or a field for what was decided. */
  isSaid: boolean;
  /** Why it is no decision. */
  problem?: string | undefined;
}

/** Names of files that hold several decisions: whole, folded, without what stands between the words. */
const LOG =
  /^(?:(?:architecture|architectural|design|technical|tech|key|project|product)?decisions(?:log|made|register|history)?|(?:architecture|architectural|design|technical|tech|key|project|product)?decision(?:log|logs|register|history|journal)|adrs?|决策(?:日志|记录)|결정(?:기록|로그)|決定(?:ログ|記録))$/;
/** The same of headings above entries. */
const LISTED =
  /^(?:(?:architecture|architectural|design|technical|tech|key|major|important|recent|project|product)?decisions?(?:logs?|made|taken|records?|history)?|(?:핵심|주요|설계|기술|아키텍처)?결정(?:사항|기록|목록)?|(?:主要|重要|关键|設計|设计)?(?:決定|決定事項|决定|决策))$/;
/** Words without a mark, without what stands between them. */
const bare = (text: string) => folded(text).replace(/[^\p{L}]/gu, '');

/** Whether a file is called as a log of decisions is. @param stem without its ending */
export const isLog = (stem: string): boolean => LOG.test(bare(stem));

const DAY = String.raw`\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ]\d{1,2}:\d\d(?::\d\d)?)?(?: ?(?:UTC|Z|[AP]M))?`;
/** The beginning of an id up to its digits: `D-`, `ADR `, `ADR-L`. `S3` and `UTF-8` look the same. */
const PREFIX = '[A-Z]{1,8}[-_ ]?(?:[A-Z0-9]{1,6}-)?[A-Z]?';
/** Those that no other word has. */
const USUAL = '(?:M?ADR[-_ ]?|(?:DECISION|DEC|AD|DR|D)[-_])[A-Z]?';
const OPENED = '(?:\\*\\*|`|\\[)?';
const CLOSED = '(?:\\*\\*|`|\\])?';
/** A possible id, at the beginning of a heading, an item or a row, and what separates it from a title. */
const NUMBERING = new RegExp(
  String.raw`^(?:#{1,6} |[-*+] |\| *)?(?:\W{0,4}${DAY}\W{1,4})?${OPENED}(?<prefix>${PREFIX})(?<digits>\d+)[a-z]?${CLOSED}(?<apart>\s*[.:：)|–—]|\s-\s)?(?=$|\W)`,
);

/** The numbers of the entries of a log: `D-12`, `ADR 3`, `3.`, `#4`, and ids whose prefix several lines share. */
function numbersIn(lines: Line[]): RegExp {
  const found = lines.flatMap(({ text, isCode }) => {
    const { prefix, digits, apart } = (!isCode && NUMBERING.exec(text)?.groups) || {};
    return prefix === undefined ? [] : { prefix, digits, apart };
  });
  const shared = [...Map.groupBy(found, ({ prefix }) => prefix)].flatMap(([prefix, of]) => {
    const least = of.every(({ apart }) => apart !== undefined) ? 2 : 3;
    return new Set(of.map(({ digits }) => digits)).size < least ? [] : prefix;
  });
  const ids = String.raw`(?:${[USUAL, ...shared].join('|')})\d+[a-z]?|#\d+|\d{1,2}-\d{1,2}(?=[.)])`;
  return new RegExp(
    String.raw`^${OPENED}(?:${ids}|\d{1,4}(?=[.)](?!\d)|[:：]|\s*[–—|]|\s*-\s))${CLOSED}(?=$|[\s.:：)\]–—|-])`,
  );
}

/** The date of an entry, before or behind its title. */
const DATED = new RegExp(String.raw`^\W{0,4}(${DAY}|\d{1,2}/\d{1,2}/\d{4})(?=$|\W)|[(\[](${DAY})[)\]]\W*$`);
/** An id that begins with the day: `DB-2026032401`. */
const DATING_ID = /^\W{0,4}[A-Z]{1,8}[-_](20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:\d\d)?\b/;
const DECIDED = String.raw`(?:decision|decided|결정|決定|决策|决定|entscheidung|d[eé]cision|decisi[oó]n|decis[aã]o)\s*\d*`;
const DECIDES = new RegExp(String.raw`^\W{0,4}${DECIDED}\W{0,3}[:：]\s*\S`, 'iu');
/** The same before what was decided. */
const DECIDES_THAT = new RegExp(String.raw`^${DECIDED}\s*[:：]\s*`, 'i');
/** An entry that says what was done to the log or the work. */
const CHORE =
  /^(?:initiali[sz](?:ed|ation|e (?:the )?(?:memory|log))|log of|created? (?:this|the) (?:decision|log|memory)|memory bank|updated (?:the )?(?:memory|decision|progress)|started|table of contents|index|template|format|how to|legend)\b/i;
/** A name of a template, and not of a decision. */
const BLANK =
  /YYYY|^[[{<‹][^\])}>]*[\])}>]$|^\W*(?:decision )?(?:title|name|summary)\W*$|\bXXX\b|^[^\p{L}\p{N}]*$/iu;
/** Where the item of a field goes on in the next line. */
const WRAPPED = /^[-*+] (?:\*\*|__)?(?:status|상태)(?:\*\*|__)?[:：].*(?:\n {2,}[^\s\-*+].*)+/gim;
/** The id of a decision before what it says: `D-012: Heat with gas`. */
const ID = String.raw`\**(?:DECISION|DEC|ADR|AD|DR|D)[-_ ]?\d+[a-z]?\**(?:[:：.]|\s*[—–]|\s-)\**\s*\S`;
const IDENTIFIED = new RegExp(`^${ID}`);
/** An entry in a line of its own, by a date in brackets or such an id. */
const LINE = new RegExp(String.raw`^(?:[-*]\s+)?\**\[\d{4}-|^${ID}`);
/** A state around a title, looked for once a run of blanks and marks: `Sell cakes (on hold)`, `(rejected): Sell cakes`, `Sell cakes. *Replaced by D-3.*`. */
const STATED =
  /^[[(（]([^[\]()（）]{2,40})[\])）][\s:：—–-]*|(?<!\s)\s*(?<![[(（*_])[[(（*_]+([^[\]()（）*_]{2,40}?)\.?[\])）*_]+$/;
/** The id by which other entries of a log name one. */
const CALLED = /^\W{0,4}([A-Z]{1,8}[-_][A-Z]?\d+|D\d+)\b/;
/** An item of a list that is no part of another one. */
const ITEM = /^(?:[-*+]|\d{1,3}[.)])\s+(\S.*)$/;
/** A paragraph that begins with bold words: `**Ovens** — heated with gas`. */
const LEAD = /^\*\*([^*]{2,80})\*\*\s?[—–:：-]\s?(\S.*)$/;
/** A sentence that names other entries alone: `Supersedes ADR-3 and ADR-4.` */
const LINKS = /^([A-Z][a-z]+(?: [a-z]+)?) ((?:(?:and |& |, ?)?[A-Z]{1,8}[-_ #]?\d+,? ?)+)\.?$/;
/** An item of a checklist. */
const CHECKED = /^[-*+] \[([ xX])\] (\S.*)$/;
/** Words of a title that says what was decided. */
const SAYING = 4;
/** Characters of the name of an entry. */
const NAME = 80;

/**
 * An entry as it is read, with how deep it stands: 0 for a line with a date, 7 for an item, 8 for a line with an id or a mark, to
 * which no heading belongs.
 */
interface Open {
  level: number;
  /** Empty for one that begins with a heading `Decision`. */
  title: string;
  date?: string | undefined;
  /** Its first line as it is written, of a row with the head of its table, and what that says beside the title. */
  opening: string[];
  first: string[];
  /** The lines that follow. */
  below: string[];
  /** Whether a mark says that it is an entry. */
  isMarked: boolean;
}

/**
 * The entries of a log of decisions: under headings with a number, a date or a decision below them, under headings `Decision`
 * and `Rationale`, as lines that begin with an id or a date in brackets, as items with a number, a date or bold words, or as
 * rows of a table.
 */
export function entriesOf(text: string): LogEntry[] {
  const entries: LogEntry[] = [];
  const names = new Map<string, number>();
  let open: Open | undefined;
  let table: string[] = [];
  /** The day of a heading that is nothing else. */
  let day: string | undefined;
  /** Whether the nearest heading announces decisions. */
  let isListed = true;
  const add = ({ level, title, date = day, opening, first, below, isMarked }: Open) => {
    const own = withoutTemplates(below);
    const plainly = level === 7 ? own.map((line) => line.replace(/^ {2,4}/, '')) : own;
    const fielded = withSections([...first, ...plainly]);
    const isSaid = fielded.some((line) => line.startsWith('## ') && isOfDecision(line.slice(3)));
    const at = title === '' ? fielded.findIndex((line, index) => index > 0 && /\p{L}/u.test(line)) : -1;
    const written = title || (fielded[at]?.replace(MARK, '') ?? '');
    if ((!isMarked && !isSaid) || written === '' || written.startsWith('#')) return;
    const plain = plainTitle(written, number);
    const [id] = number.exec(undated(written)) ?? [];
    if (at > 0) fielded.splice(at, 1);
    const name = slug(written.replace(STRUCK, ''));
    const again = (names.get(name) ?? 0) + 1;
    names.set(name, again);
    entries.push({
      name: again === 1 ? name : `${name}-${again}`,
      labels: CALLED.exec(written)?.slice(1) ?? [],
      number: Number(/\d+/.exec(id ?? '')?.[0] ?? Number.MAX_SAFE_INTEGER),
      text: recordOf(plain, date ?? dateIn(written), fielded, isSaid),
      quoted: [...opening, ...own].join('\n').trim(),
      isSaid,
      problem: problemOf(plain, isSaid),
    });
  };
  const close = () => {
    if (open) add(open);
    open = undefined;
  };
  const start = (entry: Pick<Open, 'level' | 'title' | 'isMarked'>, line: string, first: string[] = []) => {
    close();
    open = { ...entry, date: dateIn(entry.title) ?? dateIn(line), opening: [line], first, below: [] };
  };
  const endTable = () => {
    for (const row of rowsOf(table, isListed, number)) add(row);
    table = [];
  };
  const all = linesOf(withHeadings(frontMatter(text).body));
  const untitled = untitledIn(all);
  const decided = decidedIn(all);
  const number = numbersIn(all);
  const isMark = (text: string) => number.test(text) || DATED.test(text) || DECIDES.test(text);
  for (const each of all) {
    const { text: line, isCode } = each;
    const { level, heading } = headingIn(each);
    if (level > 0 || !line.startsWith('|')) endTable();
    if (level > 0) {
      const isMarked = isMark(heading) || decided.has(each);
      const isPart = nameOf(heading) !== undefined || isGround(heading) || isOfLinks(heading);
      const goesOn = isPart || (open?.isMarked && !DATED.test(heading) && !number.test(heading));
      if (untitled.has(each) && (open?.level ?? level) > level - 1) {
        start({ level: level - 0.5, title: '', isMarked: true }, line, [line, '']);
        continue;
      }
      if (open && open.level < level && goesOn) {
        open.below.push(line);
        continue;
      }
      close();
      const date = dateIn(heading);
      isListed = LISTED.test(bare(heading)) || (isListed && level > 1 && date !== undefined);
      if (date !== undefined && plainTitle(heading, number) === '') day = date;
      else if (level > 1 || isMarked) {
        if (level < 3) day = undefined;
        if (!isPart && (isMarked || !isListed)) start({ level, title: heading, isMarked }, line);
      }
      continue;
    }
    const [, item] = (!isCode && ITEM.exec(line)) || [];
    const { level: depth = 1, isMarked } = open ?? {};
    const isFree = !isMarked || depth === 0 || depth > 6;
    const isUntitled = !Number.isInteger(depth);
    const mayHold = isFree && depth !== 0 && depth !== 8;
    if (!isCode && LINE.test(line) && (isFree || isUntitled)) {
      const title = line.replace(MARK, '');
      // The line may be the title of what is below the nearest heading.
      const isItsTitle = isUntitled && !open?.below.some((each) => each.startsWith('#'));
      const own = isItsTitle ? depth : IDENTIFIED.test(line) || MARK.test(line) ? 8 : 0;
      start({ level: own, title, isMarked: true }, line);
    } else if (
      item !== undefined &&
      (mayHold || (isFree && IDENTIFIED.test(item))) &&
      startsEntry(item, isListed, number)
    ) {
      const [title, rest] = halvesOf(item, number);
      start({ level: 7, title, isMarked: true }, line, rest === '' ? [] : [rest, '']);
    } else if (!isCode && line.startsWith('|') && mayHold) table.push(line);
    else if (open?.level === 7 && /^\S/.test(line) && (item !== undefined || open.below.at(-1) === ''))
      close();
    else open?.below.push(line);
  }
  endTable();
  close();
  if (entries.length > 0) return entries;
  for (const lead of leadsOf(all)) add(lead);
  return entries;
}

/** The entries of a log without others: paragraphs that begin with bold words which are no field, and items of a checklist. */
function leadsOf(lines: Line[]): Open[] {
  const leads: Open[] = [];
  let open: Open | undefined;
  let before: Line | undefined;
  for (const line of lines) {
    const lead = leadIn(line, before);
    if (lead) leads.push(lead);
    if (lead || headingIn(line).level > 0) open = lead;
    else open?.below.push(line.text);
    before = line;
  }
  return leads.length > 1 ? leads : [];
}

function leadIn({ text, isCode }: Line, before: Line | undefined): Open | undefined {
  if (isCode) return undefined;
  const entry = { opening: [text], below: [], isMarked: true };
  const [, box, item] = CHECKED.exec(text) ?? [];
  if (item !== undefined)
    return { ...entry, level: 7, title: box === ' ' ? `${item} (proposed)` : item, first: [] };
  const isFirst = before === undefined || !/\S/.test(before.text) || headingIn(before).level > 0;
  const [, title = '', rest = ''] = (isFirst && LEAD.exec(text)) || [];
  if (title === '' || nameOf(title) !== undefined || isGround(title)) return undefined;
  return { ...entry, level: 8, title, first: [rest] };
}

/** The mark of an item. */
const MARK = /^[-*+]\s+/;

function startsEntry(text: string, isListed: boolean, number: RegExp): boolean {
  if (/^\[[ x]\]/i.test(text)) return false;
  const isNamed = /^\W{0,4}[A-Z]{1,6}-?\d+\b/.test(text) && number.test(text);
  const isLong = /^\*\*\S/.test(text) || text.length > 20;
  return isNamed || DATED.test(text) || DECIDES.test(text) || (isListed && isLong);
}

/** The bold words of an item with the mark before them, and what follows; all of it where nothing is bold. */
function halvesOf(text: string, number: RegExp): [title: string, rest: string] {
  const [, bold = '', rest = ''] = /^((?:[^*]{0,40})?\*\*[^*]+\*\*)[\s:：.–—-]*(.*)$/s.exec(text) ?? [];
  return rest === '' || plainTitle(bold, number).replace(STATED, '').length < 8 ? [text, ''] : [bold, rest];
}

function dateIn(text: string): string | undefined {
  const [, before, behind] = DATED.exec(text) ?? [];
  const [, year, month, day] = DATING_ID.exec(text) ?? [];
  return before ?? behind ?? (year && `${year}-${month}-${day}`);
}

/** A title without marks and day. */
const undated = (text: string): string =>
  text
    .replace(/`[^`]*`|\*\*|__/g, (mark) => (mark.startsWith('`') ? mark : ''))
    .replace(DATED, '')
    .replace(/^[\s\]):：.–—|-]+/, '');

/** The same without its number. */
const plainTitle = (text: string, number: RegExp): string =>
  undated(text)
    .replace(number, '')
    .replace(DECIDES_THAT, '')
    .replace(/^[\s\]):：.–—|-]+/, '')
    .trim();

/** The reason why an entry is no decision. */
function problemOf(title: string, isSaid: boolean): string | undefined {
  if (BLANK.test(title)) return 'a template';
  if (CHORE.test(title)) return 'an entry that tells of the log or the work, not of a decision';
  if (/[?？]$/.test(title) && !isSaid) return 'an entry that asks, and does not say what was decided';
  return undefined;
}

const slug = (text: string): string =>
  folded(text)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .slice(0, NAME)
    .replace(/^-+|-+$/g, '');

/** Fields of a record's own sections as those sections, and lines of one field as one; headings of any level become theirs. */
function withSections(lines: string[]): string[] {
  const whole = lines.join('\n').replace(WRAPPED, (field) => field.replace(/\n\s+/g, ' '));
  return linesOf(whole).flatMap(({ text: line, isCode }) => {
    if (isCode) return line;
    const [, heading] = /^#{1,6} (.*)$/.exec(line) ?? [];
    if (heading !== undefined) return [`## ${heading}`];
    const [, name = '', value = ''] = LINKS.exec(line) ?? FIELD.exec(line) ?? [];
    const known = nameOf(name) ?? linkingWord(name);
    if (isOfDecision(name) || isGround(name)) return [`## ${name}`, '', value];
    return known === undefined ? [line] : [`${name}: ${value}`, ''];
  });
}

/** Lines without blocks of code that hold the template of an entry, and without the rule before the next one. */
function withoutTemplates(lines: string[]): string[] {
  const all = linesOf(lines.join('\n'));
  const isTemplate = all.some(
    ({ text, isCode }) => isCode && /^#{1,6} /.test(text) && /(?<=[[{<][^\])}>]+)[\])}>]\s*$/.test(text),
  );
  const kept = all.filter(({ isCode }) => !isTemplate || !isCode);
  const last = kept.findLastIndex(({ text, isCode }) => isCode || !/^\s*(?:[-*_]{3,}\s*)?$/.test(text));
  return kept.slice(0, last + 1).map(({ text }) => text);
}

/** The text of a record. If its title says what was decided, the rest is why, under a heading without words. */
function recordOf(whole: string, date: string | undefined, lines: string[], isSaid: boolean): string {
  const [, before, state = before ?? ''] = STATED.exec(whole) ?? [];
  const isStated = isState(state);
  const title = isStated ? whole.replace(STATED, '') : whole;
  const at = lines.findIndex((line) => line.startsWith('## '));
  const lead = at < 0 ? lines : lines.slice(0, at);
  const isField = (line: string) => {
    const [, name = ''] = /^([^:：]{1,40})[:：] /.exec(line) ?? [];
    return (nameOf(name) ?? linkingWord(name)) !== undefined || isDay(line);
  };
  const stated = lead.filter((line) => !isField(line));
  // `Database Architecture Decision` says what it is about, and not what was decided.
  const isWhole =
    !/\bdecisions?$/i.test(title) && (title.split(/\s+/).length >= SAYING || /[\p{Lo}]{8}/u.test(title));
  return [
    `# ${title}`,
    '',
    ...lines.filter(isField),
    ...(date === undefined ? [] : [`Date: ${date}`]),
    ...(isStated ? [`Status: ${state}`] : []),
    '',
    ...(stated.some((line) => line.trim() !== '')
      ? [`## ${isSaid || isWhole ? '' : 'Decision'}`, '', ...stated, '']
      : []),
    ...(at < 0 ? [] : lines.slice(at).filter((line) => !isField(line))),
  ].join('\n');
}

/** A column that says what was chosen, and one that only counts. */
const CHOICE = /^(?:choice|chosen|selected|outcome|resolution|선택|채택|선정|選択|选择)$/i;
const COUNTING = /^(?:#|id|no\.?|nr\.?)$/i;

/** The rows of a table that has a column for the decision, with the other columns as fields and sections. */
function rowsOf(table: string[], isListed: boolean, number: RegExp): Open[] {
  const [names = [], rule = [], ...rows] = table.map(cellsIn);
  const decided = names.findIndex((name) => isOfDecision(name) || /^choice$/i.test(name));
  const dated = names.findIndex((name) => nameOf(name) === 'date');
  const isKnown = decided >= 0 && (dated >= 0 || names.some(isGround) || isListed);
  if (!isKnown || !rule.every((cell) => /^:?-+:?$/.test(cell))) return [];
  return rows.flatMap((cells, row) => {
    const id = cells.find((cell, index) => COUNTING.test(names[index] ?? '') && CALLED.test(cell));
    const title = [id ?? [], cells[decided] ?? []].flat().join(' ');
    // A row of an index leads to what it names.
    if (plainTitle(title, number).length < 3 || cells.some((cell) => /\]\((?:#|[^()]*\.md)/.test(cell)))
      return [];
    const first = names.flatMap((name, index) => {
      const cell = cells[index] ?? '';
      const isLeft = index === decided || index === dated || /^-?$/.test(cell) || COUNTING.test(name);
      return isLeft ? [] : fieldOf(name, cell);
    });
    const opening = [0, 1, row + 2].flatMap((at) => table[at] ?? []);
    const date = dateOf(cells[dated]) === undefined ? undefined : cells[dated];
    return { level: 0, title, date, opening, first, below: [], isMarked: true };
  });
}

/** A cell as the field or the section that the name of its column makes of it. */
function fieldOf(column: string, cell: string): string[] {
  if (nameOf(column) === 'status') return [`Status: ${cell}`, ''];
  const ground = isGround(column) ? column : `Context: ${column}`;
  return [`## ${CHOICE.test(column) ? 'Decision' : ground}`, '', cell, ''];
}
