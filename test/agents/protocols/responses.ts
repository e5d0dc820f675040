import { type Body, type Protocol, type Step, textOf } from './protocol.ts';

/** Responses of OpenAI, as Codex asks. A tool is named with its namespace: `mcp__precedent.recall`; `exec` takes code. */
export const responses: Protocol = {
  isAsked: (path) => path.endsWith('/responses'),
  // Some models find their tools in the input; nothing is asked aside.
  isTurn: () => true,
  events(step, id) {
    const item = itemOf(step, id);
    const usage = {
      input_tokens: 1,
      input_tokens_details: null,
      output_tokens: 1,
      output_tokens_details: null,
      total_tokens: 2,
    };
    return [
      { type: 'response.created', response: { id } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { id, usage } },
    ].map((data) => ({ event: data.type, data }));
  },
  messages({ instructions, input = [] }) {
    return [
      { role: 'system', text: textOf(instructions ?? '') },
      ...input.map(({ type, role, content, output }: Body) =>
        type?.endsWith('_output')
          ? { role: 'tool', text: textOf(output) }
          : { role, text: textOf(content ?? '') },
      ),
    ];
  },
};

function itemOf(step: Step, id: string): object {
  if ('text' in step)
    return { type: 'message', role: 'assistant', id, content: [{ type: 'output_text', text: step.text }] };
  const [namespace, name] = step.tool.includes('.') ? step.tool.split('.') : [undefined, step.tool];
  if ('code' in step.input)
    return { type: 'custom_tool_call', id, call_id: id, name, namespace, input: step.input.code };
  const call = { id, call_id: id, name, arguments: JSON.stringify(step.input) };
  return { type: 'function_call', ...call, ...(namespace !== undefined && { namespace }) };
}
