import { LIMITS } from '../../domain/text/text.ts';
import { text } from './basic.ts';

/** What a record is called (U-1): its id, the beginning of that, a topic or a version of it, `#38`. */
export const reference = (description: string) => text(LIMITS.id + VERSION, description);

/** The longest topic, and the version behind it. */
const VERSION = 10;
