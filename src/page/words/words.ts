import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Refused } from '../data/client.ts';
import { type Spoken, spoken } from './both.ts';
import { decisions } from './decisions.ts';
import { shell } from './shell.ts';
import { views } from './views.ts';

export type Language = 'en' | 'ko';

/** Every text of the page, in both languages. */
const texts = { ...shell, ...decisions, ...views };
export type Words = Spoken<typeof texts>;
const TABLES: Record<Language, Words> = { en: spoken(texts, 0), ko: spoken(texts, 1) };
const KEY = 'precedent-language';

/** The language that was chosen here before, else that of the browser. */
export function languageAtFirst(): Language {
  const chosen = localStorage.getItem(KEY);
  if (chosen === 'en' || chosen === 'ko') return chosen;
  return navigator.language.startsWith('ko') ? 'ko' : 'en';
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(KEY, language);
}

/** What a view needs to speak: the texts, and how numbers and days are written. */
export interface Speech {
  language: Language;
  t: Words;
  number(value: number): string;
  /** A day, such as Aug 29, 2026. @param at ISO date */
  day(at: string | number): string;
  /** A date that belongs to no time zone. @param at milliseconds UTC of its midnight */
  date(at: number): string;
  /** A day and a time. */
  time(at: string): string;
  /** A moment on the axis of a picture, as short as it can be. */
  tick(at: number, unit: 'day' | 'month' | 'year'): string;
}

export function speechOf(language: Language): Speech {
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const ticks = {
    day: new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' }),
    month: new Intl.DateTimeFormat(language, { month: 'short' }),
    year: new Intl.DateTimeFormat(language, { year: 'numeric' }),
  };
  const number = new Intl.NumberFormat(language);
  return {
    language,
    t: TABLES[language],
    number: (value) => number.format(value),
    day: (at) => day.format(new Date(at)),
    date: (at) => date.format(at),
    time: (at) => time.format(new Date(at)),
    tick: (at, unit) => ticks[unit].format(at),
  };
}

export const SpeechContext = createContext<Speech>(speechOf('en'));

export const useSpeech = (): Speech => useContext(SpeechContext);

/** An author as a person sees it: without the address. */
export function shownAuthor(author: string): string {
  return author.replace(/ *<[^<>]*>$/, '') || author;
}

/** Why a server does not answer, in words for whoever looks. */
export function troubleIn(t: Words, { status, wait }: Refused): string {
  const known = t.trouble[status as keyof Words['trouble']] ?? t.trouble[status >= 500 ? 500 : 0];
  return status === 429 ? `${known} ${t.inSeconds(String(wait))}` : known;
}
