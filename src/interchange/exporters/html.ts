import { OPTIONAL, STRENGTHS } from '../../domain/decision.ts';
import { idsOf } from '../../domain/id.ts';
import { iso } from '../../domain/text/moment.ts';
import { compareText } from '../../domain/text/text.ts';
import { shownBy, viaOf } from '../../domain/via.ts';
import { listedVersions, type VersionWhole, wholeVersions } from '../../store/export/versions.ts';
import type { Tx } from '../../store/tx.ts';
import type { ExportTerms } from './exporter.ts';

/** Nothing is run and nothing is asked for, whoever opens it: the policy says so to the browser, too. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";
const STYLE = `:root{color-scheme:light dark}
body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}
h2{margin-top:2.5rem;border-bottom:1px solid}article{margin:1.5rem 0;break-inside:avoid}
h3{margin:0;font-size:1rem}p{margin:.3rem 0;white-space:pre-wrap;overflow-wrap:anywhere}
.text{font-size:1.1rem}.about{font-size:.85rem}.failed{font-weight:bold}
@media print{body{max-width:none;margin:0}h2{break-after:avoid}nav{display:none}}`;

/**
 * The active decisions by scope as one page for a browser or a printer (V-8): of each the text, why, what became of it, and
 * when. It holds everything that it shows, no script and no link out of itself.
 */
export async function* htmlOf(tx: Tx, { chosen, authors }: ExportTerms): AsyncGenerator<string> {
  const active = (await listedVersions(tx, chosen)).filter((each) => each.isChosen && each.isActive);
  const areas = new Map<string, { order: string; lines: string[] }[]>();
  for await (const whole of wholeVersions(tx, idsOf(active))) {
    const { scope, strength, topic } = whole.decision;
    const area = areas.get(scope) ?? [];
    area.push({
      order: `${STRENGTHS.indexOf(strength)} ${topic ?? '\uffff'}`,
      lines: article(whole, authors),
    });
    areas.set(scope, area);
  }
  const sorted = [...areas].sort(([a], [b]) => compareText(a, b));
  const title = 'Decisions';
  yield '<!doctype html>';
  yield `<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`;
  yield `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
  yield `<title>${title}</title><style>${STYLE}</style></head><body>`;
  yield `<h1 dir="auto">${title}</h1><p class="about">${active.length} active</p>`;
  const links = sorted.map(([scope], at) => `<a href="#area-${at}">${escaped(scope)}</a>`);
  yield `<nav aria-label="Areas" dir="auto">${links.join(' · ')}</nav>`;
  for (const [at, [scope, area]] of sorted.entries()) {
    yield `<section><h2 id="area-${at}" dir="auto">${escaped(scope)}</h2>`;
    for (const { lines } of area.sort((a, b) => compareText(a.order, b.order))) yield* lines;
    yield '</section>';
  }
  yield '</body></html>';
}

function article({ decision, writer, outcomes }: VersionWhole, authors: boolean): string[] {
  const { topic, text, reasoning, strength, version, createdAt, outcome, outcomeReason } = decision;
  const by = authors && shownBy({ author: writer.author ?? undefined, via: viaOf(writer.client ?? '') });
  const about = [
    strength !== 'normal' && strength,
    `version ${version}`,
    day(createdAt),
    by,
    ...OPTIONAL.map(
      (name) =>
        decision[name] !== null &&
        `${name === 'revisit' ? 'look again' : name} ${decision[name].replaceAll('\n', ', ')}`,
    ),
  ];
  const said = outcomes.at(-1)?.createdAt;
  return [
    `<article><h3 dir="auto">${escaped(topic ?? '')}</h3>`,
    `<p class="text" dir="auto">${escaped(text)}</p>`,
    ...(reasoning === null ? [] : [`<p dir="auto">Why: ${escaped(reasoning)}</p>`]),
    ...(outcome === null
      ? []
      : [
          `<p class="${outcome}" dir="auto">${OUTCOMES[outcome]}${said === undefined ? '' : ` ${day(said)}`}${outcomeReason === null ? '' : `: ${escaped(outcomeReason)}`}</p>`,
        ]),
    `<p class="about">${about
      .filter((each) => each !== false && each !== undefined)
      .map((each) => escaped(each as string))
      .join(' · ')}</p></article>`,
  ];
}

const OUTCOMES = { success: '✔ worked', failed: '✘ failed', partial: '◐ partly worked' };

const MARKS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string) => text.replace(/[&<>"']/g, (mark) => MARKS[mark] as string);

const day = (at: number): string => iso(at).slice(0, 10);
