import { equalAfterNormalizing } from './text/storable.ts';

/** Saving the same content again within this time, in milliseconds, is counted and makes no second observation. */
export const REPEAT_WINDOW = 15 * 60 * 1000;

/** A piece of knowledge that is not a decision. Times are milliseconds UTC; ids are never used twice. */
export interface Observation {
  id: number;
  title: string;
  content: string;
  type: string;
  project: string | null;
  scope: string;
  topicKey: string | null;
  /** How often its text was replaced; a revision keeps each earlier text. */
  revisionCount: number;
  /** How often the same content was saved again within {@link REPEAT_WINDOW}. */
  duplicateCount: number;
  createdAt: number;
  updatedAt: number;
  deletedAt: number | null;
}

/** The texts of an observation that a revision keeps. */
export type ObservationText = Pick<Observation, 'title' | 'content' | 'type'>;

/** Whether a text is the current one, so that it does not replace it. */
export function isSameText(current: ObservationText, given: ObservationText): boolean {
  const { title, content, type } = given;
  return (
    equalAfterNormalizing(title, current.title) &&
    equalAfterNormalizing(content, current.content) &&
    type === current.type
  );
}

/** An observation as its neighbours and lists name it. */
export interface ObservationBrief {
  id: number;
  title: string;
  type: string;
  deleted: boolean;
}

/** The type and the scope of an observation whose saver names none. */
export const USUAL_TYPE = 'manual';
export const USUAL_SCOPE = 'project';
