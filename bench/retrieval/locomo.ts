import type { Call, Case, Question } from './score.ts';

interface Turn {
  speaker: string;
  dia_id: string;
  text: string;
  /** What a picture that was sent along shows. */
  blip_caption?: string;
}

interface Conversation {
  sample_id: string;
  conversation: Record<string, Turn[] | string>;
  qa: { question: string; evidence?: string[]; category: number }[];
}

const CATEGORIES = ['', 'multi-hop', 'temporal', 'open-domain', 'single-hop', 'adversarial'];

/** Each conversation in a memory of its own, an observation a turn; what answers a question is its evidence. */
export function conversationCases(conversations: Conversation[]): Case[] {
  return conversations.map(({ sample_id, conversation, qa }) => ({
    name: sample_id,
    async fill(connect) {
      const call = await connect();
      const ids = new Map<string, string>();
      for (let session = 1; Array.isArray(conversation[`session_${session}`]); session++) {
        await saveSession(call, conversation[`session_${session}`] as Turn[], session, ids);
      }
      return qa.flatMap(({ question, evidence = [], category }): Question[] => {
        const turns = evidence.flatMap((each) => each.match(/D\d+:\d+/g) ?? []);
        const expected = [...new Set(turns.map((turn) => ids.get(turn)).filter((id) => id !== undefined))];
        if (expected.length === 0) return [];
        return [{ tool: 'mem_search', query: question, groups: [CATEGORIES[category] ?? ''], expected }];
      });
    },
  }));
}

async function saveSession(
  call: Call,
  turns: Turn[],
  session: number,
  ids: Map<string, string>,
): Promise<void> {
  for (const { speaker, dia_id, text, blip_caption } of turns) {
    const { id } = await call('mem_save', {
      title: speaker,
      content: blip_caption ? `${text} [${blip_caption}]` : text || '-',
      session_id: `session ${session}`,
    });
    ids.set(dia_id, `#${id}`);
  }
}
