import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Refused } from '../data/client.ts';
import type { Version } from '../data/operations.ts';
import { en, type Words } from './en.ts';
import { ko } from './ko.ts';

const TABLES = { en, ko };
export type Language = keyof typeof TABLES;
const KEY = 'precedent-language';

/** The language that was chosen before, else that of the browser. */
export function languageAtFirst(): Language {
  const chosen = localStorage.getItem(KEY);
  if (chosen === 'en' || chosen === 'ko') return chosen;
  return navigator.language.startsWith('ko') ? 'ko' : 'en';
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(KEY, language);
}

type Written = {
  author?: string | undefined;
  via?: string | undefined;
  /** When it was saved, if it was given an earlier date. */
  recorded?: string | undefined;
};

/** The texts of a language, and its formats of numbers and dates. */
export interface Speech {
  language: Language;
  /** Shows the page in another language. */
  speak(language: Language): void;
  t: Words;
  number(value: number): string;
  /** Who wrote something, and by what (V-1). */
  by(of: Written): string | undefined;
  /** The person or agent that worded, moved, brought back or joined it since, and when (TR-3). */
  tidied(of: Version['tidied']): string | undefined;
  /** A stored reason, with the signs of why it was moved or brought back in this language. */
  reason(of: string): string;
  /** A day, such as Aug 29, 2026. @param at ISO date */
  day(at: string | number): string;
  /** A date without a time zone. @param at milliseconds UTC of its midnight */
  date(at: number): string;
  /** A day and a time. */
  time(at: string): string;
}

export function speechOf(language: Language, speak: Speech['speak']): Speech {
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const number = new Intl.NumberFormat(language);
  const { happened } = TABLES[language];
  const by = ({ author, via, recorded }: Written) => {
    const who = [author && shownAuthor(author), via && TABLES[language].via(via)].filter(Boolean).join(' ');
    const saved = recorded && TABLES[language].recorded(day.format(new Date(recorded)));
    return [who, saved].filter(Boolean).join(', ') || undefined;
  };
  return {
    language,
    speak,
    t: TABLES[language],
    by,
    tidied: (of) =>
      of && TABLES[language].tidied[of.how](by(of) ?? TABLES[language].noAuthor, day.format(new Date(of.at))),
    reason: (of) =>
      of.replace(/(?<=^|\n\n)(Moved|Brought back)(?=: )/, (how) => happened[how.toLowerCase()] ?? how),
    number: (value) => number.format(value),
    day: (at) => day.format(new Date(at)),
    date: (at) => date.format(at),
    time: (at) => time.format(new Date(at)),
  };
}

export const SpeechContext = createContext<Speech>(speechOf('en', () => {}));

export const useSpeech = (): Speech => useContext(SpeechContext);

/** An author without the mail address. */
export function shownAuthor(author: string): string {
  return author.replace(/ *<[^<>]*>$/, '') || author;
}

/** Explains why the server does not answer. */
export function troubleText(t: Words, { status, wait }: Refused): string {
  const known = t.trouble[status as keyof Words['trouble']] ?? t.trouble[status >= 500 ? 500 : 0];
  return status === 429 ? `${known} ${t.inSeconds(String(wait))}` : known;
}
