import { type Body, type Message, offersTools, type Protocol, textOf } from './protocol.ts';

/** Messages of Anthropic, as Claude Code asks. */
export const anthropic: Protocol = {
  isAsked: (path) => /\/messages(\?|$)/.test(path),
  isTurn: offersTools,
  events(step, id) {
    const isText = 'text' in step;
    const block = isText ? { type: 'text', text: '' } : { type: 'tool_use', id, name: step.tool, input: {} };
    const delta = isText
      ? { type: 'text_delta', text: step.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(step.input) };
    const message = { id, type: 'message', role: 'assistant', model: 'fake', content: [] };
    return [
      {
        type: 'message_start',
        message: {
          ...message,
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: isText ? 'end_turn' : 'tool_use', stop_sequence: null },
        usage: { output_tokens: 1 },
      },
      { type: 'message_stop' },
    ].map((data) => ({ event: data.type, data }));
  },
  messages({ system, messages = [] }) {
    return [{ role: 'system', text: textOf(system ?? '') }, ...messages.flatMap(messagesOf)];
  },
};

/** A result of a tool comes as a part of a message of the user. */
function messagesOf({ role, content }: Body): Message[] {
  if (!Array.isArray(content)) return [{ role, text: textOf(content) }];
  return content.map((part) => ({ role: part.type === 'tool_result' ? 'tool' : role, text: textOf(part) }));
}
