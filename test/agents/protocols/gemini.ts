import { type Body, type Message, offersTools, type Protocol, textOf } from './protocol.ts';

/** Contents of Gemini, as Gemini CLI asks. */
export const gemini: Protocol = {
  isAsked: (path) => /:(streamG|g)enerateContent/.test(path),
  isTurn: offersTools,
  events(step, id) {
    const part = 'text' in step ? step : { functionCall: { id, name: step.tool, args: step.input } };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    const content = { role: 'model', parts: [part] };
    return [{ data: { candidates: [{ index: 0, content, finishReason: 'STOP' }], usageMetadata } }];
  },
  messages({ systemInstruction, contents = [] }) {
    return [
      { role: 'system', text: textOf(systemInstruction?.parts ?? '') },
      ...contents.flatMap(({ role, parts = [] }: Body): Message[] =>
        parts.map((part: Body) =>
          part.functionResponse
            ? { role: 'tool', text: JSON.stringify(part.functionResponse.response) }
            : { role, text: textOf(part) },
        ),
      ),
    ];
  },
};
