import { type ErrorCode, PrecedentError } from '../domain/error.ts';
import { label } from '../domain/text/label.ts';
import type { AboutPrompt, Briefing, Start } from '../memory/briefing.ts';
import type { Fact } from '../operations/briefing/line.ts';
import { callServer, type Server } from './call-server.ts';

/** A start and a prompt as they come over the wire, where nothing is undefined and a short line is made already. */
type FactThere = Omit<Fact, 'brief'> & { brief?: string };
interface StartThere extends Omit<Start, 'binding' | 'failed' | 'checkpoint'> {
  binding: FactThere[];
  failed: FactThere[];
  checkpoint: FactThere | null;
}
interface PromptThere extends Omit<AboutPrompt, 'facts' | 'trigger'> {
  facts: FactThere[];
  trigger: AboutPrompt['trigger'] | null;
  saved?: boolean;
}

const toFact = ({ brief, ...fact }: FactThere): Fact =>
  brief === undefined ? fact : { ...fact, brief: () => brief };

/** What keeps words from being recorded and is no failure. */
const SILENT: readonly ErrorCode[] = ['not_found', 'unauthorized'];

/**
 * A memory on a server, as far as an agent is told of it without asking (A-2, H-1). Of a prompt the server gets its
 * words, how it speaks, and the words that may be recorded; its text stays here.
 * @param session of the agent: the conversation of the words that are recorded
 */
export function briefingThere(server: Server, session: string): Briefing {
  const ask = <Result>(operation: string, input: object) => callServer<Result>(server, operation, input);
  return {
    async atStart() {
      const { checkpoint, binding, failed, ...start } = await ask<StartThere>('briefing_start', {});
      return {
        ...start,
        binding: binding.map(toFact),
        failed: failed.map(toFact),
        checkpoint: checkpoint ? toFact(checkpoint) : undefined,
      };
    },
    async about({ words, manner, trigger: asksFor }, told) {
      const asked = { words, manner, told: [...told], ...(asksFor && { trigger: asksFor }) };
      const { facts, trigger, newest } = await ask<PromptThere>('briefing_prompt', asked);
      return { facts: facts.map(toFact), trigger: trigger ?? undefined, newest };
    },
    async record(words, isRepeated) {
      const repeated = words.filter(isRepeated);
      try {
        await ask('briefing_record', { words, repeated, sessionId: label(session) });
      } catch (error) {
        // Nothing was saved there yet, and a hook begins no memory; or the token may only read.
        const isNothing = error instanceof PrecedentError && SILENT.includes(error.code);
        if (!isNothing) throw error;
      }
    },
    // Over a network a program often has another name, or none; whose token it is, the server knows (K-4).
    async hasSaved(since) {
      const { saved } = await ask<PromptThere>('briefing_prompt', { words: [], since });
      return saved === true;
    },
    close: async () => {},
  };
}
