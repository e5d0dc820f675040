import { type Body, offersTools, type Protocol, textOf } from './protocol.ts';

/** Chat completions of OpenAI, which OpenCode and Copilot CLI ask for with a model of one's own. */
export const chat: Protocol = {
  isAsked: (path) => path.endsWith('/chat/completions'),
  // OpenCode has a compaction done by an agent without tools, as it has titles made.
  isTurn: (body) => offersTools(body) || /^You are a context summarization/.test(textOf(body.messages?.[0])),
  events(step, id) {
    const chunk = (delta: object, finish_reason: string | null) => ({
      data: {
        id,
        object: 'chat.completion.chunk',
        created: 1,
        model: 'fake',
        choices: [{ index: 0, delta, finish_reason }],
        ...(finish_reason && { usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }),
      },
    });
    const isText = 'text' in step;
    const delta = isText
      ? { content: step.text }
      : { tool_calls: [{ index: 0, id, type: 'function', function: functionOf(step.tool, step.input) }] };
    return [
      chunk({ role: 'assistant', ...delta }, null),
      chunk({}, isText ? 'stop' : 'tool_calls'),
      { data: '[DONE]' },
    ];
  },
  messages: ({ messages = [] }) =>
    messages.map(({ role, content }: Body) => ({ role, text: textOf(content ?? '') })),
};

const functionOf = (name: string, input: object) => ({ name, arguments: JSON.stringify(input) });
