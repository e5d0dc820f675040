import type { DecisionFact, Facts, ObservationFact } from '../../../domain/import/facts.ts';

/** Headings under which people list what they decided, behind the name of their file. */
const HEADING = /: (decisions?|결정( ?사항)?)$/i;
const BULLET = /^[-*+]\s+(?:\[[ x]\]\s+)?(.*)$/i;
/** `**Name**: what` or `Name: what`. */
const NAMED = /^(?:\*\*(.+?):?\*\*:?|([^:\n]{1,60}):)\s+(\S.*)$/s;

/** Makes a decision of each bullet under "Decisions" of an instruction file; what else is there stays an instruction. */
export function decideBullets(facts: Facts): void {
  const names = new Set<string>();
  facts.observations = facts.observations.flatMap((fact) => {
    if (fact.type !== 'instruction' || !HEADING.test(fact.title)) return [fact];
    const { bullets, others } = partsOf(fact.content);
    for (const bullet of bullets) {
      const decision = decisionOf(fact, bullet);
      if (names.has(decision.key)) facts.warnings.push(`${fact.title}: "${bullet}" is there twice`);
      else facts.decisions.push(decision);
      names.add(decision.key);
    }
    return others === '' ? [] : [{ ...fact, content: others }];
  });
}

/** Each bullet with the lines that hang on it, and all other lines. */
function partsOf(content: string): { bullets: string[]; others: string } {
  const bullets: string[] = [];
  const others: string[] = [];
  let isOpen = false;
  for (const line of content.split('\n')) {
    const [, text] = BULLET.exec(line) ?? [];
    if (text !== undefined) bullets.push(text);
    else if (isOpen && /^\s+\S/.test(line)) bullets.push(`${bullets.pop()}\n${line.trim()}`);
    else others.push(line);
    isOpen = text !== undefined || (isOpen && /^\s+\S/.test(line));
  }
  return { bullets: bullets.filter((each) => each.trim() !== ''), others: others.join('\n').trim() };
}

/** Its topic is the name in front of it, else the bullet itself: what changes behind a name is the next version. */
function decisionOf({ key, at, isUndated, project, rest }: ObservationFact, bullet: string): DecisionFact {
  const { name, text } = nameOf(bullet);
  return {
    key: `${key}/${name}`,
    at,
    ...(isUndated && { isUndated }),
    topic: project === null ? name : `${project}:${name}`,
    text,
    reasoning: null,
    ...(project !== null && { scope: project }),
    rest: rest ?? {},
  };
}

function nameOf(bullet: string): { name: string; text: string } {
  const [, bold, plain, text] = NAMED.exec(bullet) ?? [];
  const name = bold ?? plain;
  if (name !== undefined && text !== undefined) return { name: name.trim(), text };
  return { name: bullet.split('\n')[0] ?? bullet, text: bullet };
}
