import { eventKind } from '../agents/agents.ts';
import { marksIn } from '../domain/place.ts';

/** The events of an agent that this program answers: it ignores all others. */
export type HookEvent = Start | Subagent | Task | Prompt | Overriding | Touching | Failing;

interface EventBase {
  /** The agent's id of its session; empty when it gives none. */
  session: string;
  /** The folder it works in; empty when it does not say. */
  cwd: string;
  /** The event as the agent calls it: some want it back. */
  name: string;
}

/** A session that starts, or goes on with an empty context. */
interface Start extends EventBase {
  kind: 'start';
  /** Whether the context was lost. */
  isFresh: boolean;
  /** Whether it goes on with its context: nothing is shown, and records may be shown again (T-4). */
  isResumed: boolean;
}

/** An agent that was started by another one, with a context of its own (T-12). */
export interface Subagent extends EventBase {
  kind: 'subagent';
  /** Its id; empty when the agent gives none. */
  id: string;
  /** Its name among those that can be started. */
  type: string;
  /** Its task, of an agent that sends it with the start; empty of others. */
  prompt: string;
}

/** A tool is about to start a subagent, whose start follows and does not say what it is for (T-12). */
export interface Task extends EventBase {
  kind: 'task';
  /** That of the subagent. */
  type: string;
  /** The task of the subagent. */
  prompt: string;
}

/** A message that a person sends. */
interface Prompt extends EventBase {
  kind: 'prompt';
  prompt: string;
}

/** A call of a tool that names what it overrides, and may be about a lock (T-6). */
export interface Overriding extends EventBase {
  kind: 'call';
  /** The decision that the call names, as it is written. */
  named: string;
  /** Its subject, for the person who is asked: a topic or an id, and the new text; empty where it says neither. */
  about: string;
  text: string;
}

/** Files that a tool read or changed, by anybody, also by an agent that another one started (F-4); or the save of a decision. */
export interface Touching extends EventBase {
  kind: 'file';
  /** The subagent whose context it is; empty for that of the session. */
  agent: string;
  /** As the agent writes them; none of a save. */
  files: string[];
  /** The decision that was saved; else empty. */
  saved: string;
  /** Whether what was saved names no files. */
  isUnplaced: boolean;
  /** The text that the call writes or runs; undefined of one that reads. */
  writing: Writing | undefined;
  /** Whether a person approved a plan (RE-11). */
  isPlan: boolean;
  /** Of a call that is about to change something, where the person may be asked (RE-15): its id, or another moment. */
  call?: string;
  /** Whether they were read, and not changed. */
  isRead: boolean;
  /** The decisions that their text names, as far as the agent sends it (F-1). */
  marked: string[];
}

/** The texts that a tool writes into files, or runs (RE-5). */
export interface Writing {
  /** By the path as the agent writes it: what is replaced, empty where that is the whole file, and the new text. */
  edits: { path: string; before: string; after: string }[];
  command: string;
  /** Whether that is done: then the files have the new text. */
  isDone: boolean;
}

/** A tool that failed, also one of a subagent (RE-4). */
export interface Failing extends EventBase {
  kind: 'error';
  agent: string;
  output: string;
  /** The files that its call names. */
  touched: Touching | undefined;
}

/** How a session starts whose context still holds what it was shown. */
const GOES_ON = new Set(['resume', 'fork']);
const EMPTIED = new Set(['clear', 'compact']);

/**
 * The event in what an agent sent, under any of the names that agents have for its fields; undefined for one without an answer:
 * another event, a prompt of an agent that was started by another one.
 */
export function readEvent(payload: unknown): HookEvent | undefined {
  if (payload === null || typeof payload !== 'object') return undefined;
  const fields = payload as Record<string, unknown>;
  const text = (...names: string[]) =>
    names.map((name) => fields[name]).find((value): value is string => typeof value === 'string') ?? '';
  const id = text('agent_id', 'agentId');
  // GitHub Copilot CLI does not name this event.
  const unnamed = id !== '' && text('parent_agent_id', 'agentName') !== '' ? 'SubagentStart' : '';
  const name = text('hook_event_name', 'hookEventName') || unnamed;
  const kind = eventKind(name);
  if (kind === undefined) return undefined;
  const common = {
    session: text('session_id', 'sessionId', 'conversation_id'),
    cwd: text('cwd') || firstOf(fields.workspace_roots),
    name,
  };
  if (kind === 'call') {
    const call = calling(fields, common);
    if (call || !WRITES.test(text('tool_name'))) return call;
    const touched = touching(fields, { ...common, agent: id }, false);
    if (!touched || UNASKED.has(text('permission_mode'))) return touched;
    // Called once more after a refusal, it asks once more.
    return { ...touched, call: text('tool_use_id') || `${performance.now()}` };
  }
  if (kind === 'file' || kind === 'error') {
    const output = outputOfFailure(fields, kind === 'error');
    const ofAgent = { ...common, agent: id };
    const touched = touching(fields, ofAgent, true);
    if (output === undefined) return touched;
    return { ...ofAgent, kind: 'error', output, touched: touched && { ...touched, isRead: true } };
  }
  if (kind === 'subagent') return { ...common, kind, id, type: text('agent_type'), prompt: text('prompt') };
  if (id !== '') return undefined;
  if (kind === 'prompt') return { ...common, kind, prompt: text('prompt') };
  const source = text('source');
  return { ...common, kind, isFresh: EMPTIED.has(source), isResumed: GOES_ON.has(source) };
}

/** The tools whose text is looked up before they run (RE-5). */
const WRITES = /^(?:Bash|Edit|Write|MultiEdit|NotebookEdit)$/;
/** Modes in which nobody is asked: a person chose so. */
const UNASKED = new Set(['bypassPermissions', 'dontAsk']);

/** A call by anybody, also by an agent that another one started: the person is the same. */
function calling(fields: Record<string, unknown>, common: EventBase): Overriding | Task | undefined {
  const input = (fields.tool_input ?? {}) as Record<string, unknown>;
  const said = (name: string) => (typeof input[name] === 'string' ? input[name].trim() : '');
  if (/^(Agent|Task)$/.test(String(fields.tool_name))) {
    const type = said('subagent_type') || said('agent_type') || 'general-purpose';
    return { ...common, kind: 'task', type, prompt: `${said('description')}\n${said('prompt')}` };
  }
  const [, inReasoning = ''] = said('reasoning').match(/\bsupersedes\s*:\s*(\S+)/i) ?? [];
  const named = String(input.replaces ?? '').trim() || inReasoning;
  if (named === '' || UNASKED.has(String(fields.permission_mode))) return undefined;
  return { ...common, kind: 'call', named, about: said('topic') || said('id'), text: said('decision') };
}

/** Files of one call at most: a patch may name thousands. Names in them. */
const FILES = 50;
const MARKS = 20;

/** The files of a tool's input, under any of the names that agents have for it, in the patch or in the command that it is. */
function touching(
  fields: Record<string, unknown>,
  common: EventBase & Pick<Touching, 'agent'>,
  isDone: boolean,
): Touching | undefined {
  const input = inputOf(fields);
  const names = ['file_path', 'filePath', 'path', 'notebook_path', 'absolute_path'];
  const listed = Array.isArray(input.files) ? input.files : [];
  const named = [...names.map((name) => input[name]), ...listed].filter((each) => typeof each === 'string');
  const texts = [input.command, input.input, input.patch].flat().filter((each) => typeof each === 'string');
  const patched = texts.flatMap((text) =>
    [...text.matchAll(/^\*\*\* (?:(?:Update|Add|Delete) File|Move to): (.+)$/gm)].map(([, file = '']) =>
      file.trim(),
    ),
  );
  const command = patched.length > 0 ? '' : String(input.command ?? '');
  // A command that runs a program or its tests neither reads what it names into the context nor changes it.
  const changes = CHANGES.test(command);
  const opens = changes || QUOTES.test(command);
  const files = [...new Set([...named, ...patched, ...(opens ? filesIn(command) : [])])].slice(0, FILES);
  const tool = String(fields.tool_name);
  const isSave = /(^|[-_.])mama_save$/.test(tool) && input.type !== 'checkpoint';
  const isRead = /^(read|read_file|view)$/i.test(tool) || (command !== '' && !changes);
  const isPlan = tool === 'ExitPlanMode';
  if (files.length === 0 && !isSave && !isPlan && command === '') return undefined;
  const [path] = named;
  const edits = [
    ...(path === undefined ? [] : [{ path, ...textsOfEdit(input) }]),
    ...texts.flatMap(editsInPatch),
  ]
    .filter(({ after }) => after !== '')
    .slice(0, FILES);
  const sent = JSON.stringify([input, fields.tool_response, fields.tool_result]).replaceAll('\\n', '\n');
  return {
    ...common,
    kind: 'file',
    files,
    saved: isSave ? `${input.topic} ${input.decision}` : '',
    isUnplaced: !input.files,
    marked: marksIn(sent).slice(0, MARKS),
    isRead,
    isPlan,
    writing: edits.length > 0 || command !== '' ? { edits, command, isDone } : undefined,
  };
}

/** Names under which agents have what is replaced in a file, and what is written. */
const BEFORE = ['old_string', 'old_str', 'oldString'];
const AFTER = ['new_string', 'new_str', 'newString', 'content', 'file_text', 'new_source'];

/** The replaced and the new text of one change of a file or of several. */
function textsOfEdit(input: Record<string, unknown>): { before: string; after: string } {
  const changes = [input, ...(Array.isArray(input.edits) ? input.edits : [])];
  const textOf = (names: string[]) =>
    changes
      .flatMap((change) => names.map((name) => change?.[name]))
      .filter((each) => typeof each === 'string')
      .join('\n');
  return { before: textOf(BEFORE), after: textOf(AFTER) };
}

/** The files of a patch, each with the lines that it takes out or shows, and those that it adds. */
function editsInPatch(patch: string): Writing['edits'] {
  return patch
    .split(/^\*\*\* (?=(?:Update|Add) File: )/m)
    .slice(1)
    .map((part) => {
      const [head = '', ...lines] = part.split('\n');
      const of = (sign: RegExp) => lines.filter((line) => sign.test(line)).map((line) => line.slice(1));
      return {
        path: head.replace(/^\w+ File: /, '').trim(),
        before: of(/^[- ]/).join('\n'),
        after: of(/^\+/).join('\n'),
      };
    });
}

/** Commands that change the files that they name. */
const CHANGES =
  /(?:^|[\s;&|(])(?:(?:g?sed|perl)\s+(?:-\S+\s+){0,20}-\w*i|(?:git\s+)?(?:mv|rm)\b|cp\b|ln\b|tee\b|truncate\b|patch\b|install\b|git\s+(?:restore|checkout|apply)\b)|(?<![0-9&=-])>{1,2}(?!\s*(?:\/dev\/|&))/;
/** A word of a command that may be a file: with a folder or an ending, and neither an option, an address nor a pattern. */
const FILE = /^(?!-|\w+:\/\/|https?:)(?=.*[/.]\p{L})[\p{L}\p{N}_.@~/\\ :-]+$/u;

/** The files that a command of a shell names, from the folder that it goes to first. */
function filesIn(command: string): string[] {
  const [, quoted, plain] = command.match(/^\s*cd\s+(?:["']([^"']+)["']|(\S+?))\s*(?:&&|;)/) ?? [];
  const folder = quoted ?? plain;
  const words = command.match(/"[^"\n]*"|'[^'\n]*'|[^\s"'`<>|;&()]+/g) ?? [];
  const files = words.map((word) => word.replace(/^(["'])(.*)\1$/, '$2')).filter((word) => FILE.test(word));
  return files.flatMap((file) => {
    if (file === folder) return [];
    return folder === undefined || /^(?:[/~\\]|\w:)/.test(file) ? file : `${folder}/${file}`;
  });
}

const inputOf = (fields: Record<string, unknown>) =>
  (fields.tool_input ?? fields.toolArgs ?? {}) as Record<string, unknown>;

/** Names under which agents have the exit code of a command, and what it wrote. */
const EXIT_CODES = ['exit_code', 'exitCode', 'exit', 'code'];
const OUTPUTS = [
  'error',
  'stderr',
  'stdout',
  'output',
  'llmContent',
  'text_result_for_llm',
  'message',
  'text',
];
/** The form of an exit code in an output. */
const EXITED =
  /^[^\w\n\r\u2028\u2029]*(?:(?:process )?exit(?:ed)?|shellId: \S+ completed)(?: with)?(?: (?:exit )?(?:code|status))?[: ]+(-?\d+)/gim;
/** Commands that print what files and histories hold, also errors of another day. */
const QUOTES =
  /^\s*(?:cd\s+\S+\s*(?:&&|;)\s*)?(?:cat|head|tail|less|nl|sed|awk|e?grep|rg|find|fd|ls|jq|diff|git\s+(?:log|show|diff|grep|blame))\b/;

/** The output of a tool that failed, or may have; undefined for one that did not. @param isFailure whether the event says so */
function outputOfFailure(fields: Record<string, unknown>, isFailure: boolean): string | undefined {
  const answer = fields.tool_response ?? fields.tool_result ?? fields.toolResult;
  // Gemini CLI puts it before the first line that a command wrote.
  const texts = textsIn([fields.error, answer]).replace(/^Output: /m, '');
  if (isFailure || saysFailure(answer)) return texts;
  const { command } = inputOf(fields);
  if (typeof command !== 'string') return undefined;
  const codes = [...texts.matchAll(EXITED)].map(([, code]) => Number(code));
  // Codex sends what a command wrote, and not how it ended.
  const mayHaveFailed =
    codes.length === 0 &&
    fields.tool_name === 'Bash' &&
    typeof answer === 'string' &&
    !CHANGES.test(command) &&
    !QUOTES.test(command);
  return mayHaveFailed || codes.some((code) => code !== 0) ? texts : undefined;
}

/** Whether an answer says in its fields that a tool failed. */
function saysFailure(answer: unknown): boolean {
  if (answer === null || typeof answer !== 'object') return false;
  const fields = answer as Record<string, unknown>;
  const codes = [fields, fields.metadata].flatMap((each) => {
    const of = (each ?? {}) as Record<string, unknown>;
    return EXIT_CODES.map((name) => of[name]);
  });
  if (codes.some((code) => typeof code === 'number' && code !== 0)) return true;
  return (
    fields.is_error === true ||
    fields.success === false ||
    /^(?:failure|failed|error)$/.test(String(fields.result_type ?? fields.resultType)) ||
    (fields.error !== undefined && fields.error !== null && fields.error !== '')
  );
}

/** The texts of an answer, whatever form it has, in one. */
function textsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textsIn).filter(Boolean).join('\n');
  if (value === null || typeof value !== 'object') return '';
  const fields = value as Record<string, unknown>;
  return textsIn([...OUTPUTS, 'content', 'textResultForLlm'].map((name) => fields[name]));
}

function firstOf(list: unknown): string {
  return Array.isArray(list) && typeof list[0] === 'string' ? list[0] : '';
}
