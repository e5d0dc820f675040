import type { Log } from './log.ts';
import { mask } from './text/masking.ts';

/**
 * The things that can go wrong: by code, as a caller can act on it (each face maps a code once: exit code, HTTP status, …), and
 * below it by a name that one can look for, with what it means. They make docs/reference/errors.md.
 */
export const REFUSALS = {
  invalid: {
    ambiguous: 'Several records have a name or an id that begins with this text. Give more of it.',
    both_given: 'Two things were given that exclude each other, or the same thing in two ways.',
    command_line: 'The command line cannot be read: an unknown option, or a value too many.',
    editor_failed: 'The editor did not end well.',
    given_twice: 'The same thing was given twice.',
    holds_secret: 'What would be kept or written into settings holds a secret.',
    missing: 'Something that is needed was not given, or is blank.',
    no_home: 'HOME names no folder.',
    no_model: 'No model for searching by meaning is set.',
    no_terminal: 'A question would have to be asked, or an editor started, and there is no terminal.',
    not_applicable: 'An option or a field does not apply to what was asked.',
    not_one_of: 'A value is not one of those that are possible.',
    not_utf8: 'A text is not UTF-8, or has characters that cannot be stored.',
    nothing_to_check: 'A strict check found nothing that it could check.',
    out_of_range: 'A number is too small or too large, or a list has too few or too many items.',
    same_twice: 'Two different things were expected, and the same one was given for both.',
    too_large: 'A file, a stream or an answer is larger than its limit.',
    too_long: 'A text or a line is longer than its limit.',
    too_many: 'More records than the limit are meant. Narrow what is asked.',
    too_short: 'A text is shorter than its limit.',
    unknown_field: 'A field does not exist, or does not belong to what is saved.',
    unsafe_file: 'A file is a link that leads out, belongs to another account, or can be read by others.',
    unsafe_server: 'A server that listens beyond this machine would not be protected.',
    wrong_address: 'An address is not of the form or of the kind that is needed.',
    wrong_content: 'What a file or a request holds is not what it should be.',
    wrong_file: 'There is a folder, a pipe or the like where a file is needed, or a file where a folder is.',
    wrong_filter: 'A part of a filter cannot be read, or does not apply to what is listed.',
    wrong_folder: 'This cannot be done in this folder.',
    wrong_form: 'A value is not written as it must be.',
    wrong_kind: 'A record is of another kind than this works on.',
    wrong_name: 'A name has a length or characters that names do not have, or is a sentence.',
    wrong_path: 'A path leads out of the repository, or is no pattern of files.',
    wrong_range: 'Git cannot tell what changed there.',
    wrong_time: 'A date or a length of time cannot be read, or cannot be meant here.',
    wrong_type: 'A value is of another type: a text, a number, a list, an object.',
  },
  not_found: {
    no_agent: 'The agent is not on this machine.',
    no_file: 'There is no file or folder of this kind at the path.',
    no_import: 'Nothing was imported from this source.',
    no_machine: 'No machine of this name is synced with.',
    no_memory: 'There is no memory of this name, or at this place.',
    no_name: 'Nothing in the memory has this topic, scope, project, author or session.',
    no_operation: 'There is no operation of this name, or nothing at this address of a server.',
    no_pattern: 'The decision does not name this pattern of files.',
    no_record: 'No record has this id or this name.',
    no_session: 'No session has an id that begins with this text.',
    no_token: 'No token has this name.',
    not_synced: 'The memory is not synced with anything.',
    nothing_to_do: 'There is nothing to which this could be done.',
  },
  conflict: {
    already_so: 'Nothing would change.',
    ambiguous_name: 'A name leads to several workspaces.',
    changed_meanwhile: 'Another program changed the file at the same moment. Run it again.',
    decided_twice: 'The decision was decided twice, and has to be settled first.',
    deleted: 'The record was deleted. It can be restored.',
    depended_on: 'Other records depend on what would be undone.',
    in_the_way: 'A file that Precedent did not write is in the way.',
    in_use: 'Another process uses the workspace.',
    of_person: 'A program would reword what a person decided.',
    lock_of_person: 'A program without a terminal would override the lock of a person.',
    lock_unnamed: 'A lock is overridden without naming it.',
    name_taken: 'Another one has this name.',
    not_active: 'The version was superseded or withdrawn.',
    not_confirmed: 'The question was not answered with yes.',
    not_empty: 'The memory holds records already.',
    not_owner: 'The workspace belongs to another role of the server.',
    other_topic: 'A save names as replaced what belongs to another topic.',
    reasoning_missing: 'A lock or an axis is changed without reasoning.',
    unreadable_settings: 'A file of settings cannot be read or changed safely, and was left as it is.',
  },
  unauthorized: {
    not_allowed:
      'The request has no token, an unknown one, or one that may not do this; it is for another host; or only a person may do it.',
  },
  unavailable: {
    altered:
      'The database, or the folder of its file, holds something that Precedent did not make: somebody may have prepared it.',
    broken_answer: 'The answer of a server broke off, or is too long.',
    busy: 'Another process kept the memory busy during the whole wait, or a server has too much to do. Try again.',
    cannot_listen: 'The server cannot listen at this address.',
    changing: 'A file changed while it was read. Try again.',
    client_gone: 'The client hung up before its call had begun.',
    closed: 'The memory was closed.',
    damaged: 'The database, or a file of Precedent, is damaged.',
    folder_gone: 'A folder that is needed was removed.',
    foreign: 'The database was made by another program, or could run the code of another role.',
    full: 'The disk is full.',
    git_failed: 'Git did not answer.',
    interrupted: 'The connection was lost during the operation.',
    model_failed: 'The model did not answer.',
    newer: 'A newer version of Precedent wrote it.',
    no_access: 'A file, a folder or a table cannot be opened, read or written.',
    no_database: 'The server has no such database.',
    not_a_backup: 'The file is no backup.',
    not_let_in: 'The database does not accept the user or the password.',
    off: 'Precedent is off for this folder or memory.',
    older: 'An older version of Precedent wrote it, and it was not brought up to date yet.',
    other_server: 'Another program than Precedent answers there, or an older one.',
    read_only: 'The memory can be read, and not written.',
    replaced: 'The memory was removed, renamed or replaced while it was in use. Try again.',
    server_failed: 'The server has no room left, or failed.',
    too_slow:
      'The memory did not answer within the time of a hook, or a transaction of a program did not end in time.',
    updated: 'Precedent was updated or removed while this program ran. Restart it.',
    unreachable: 'A server cannot be reached.',
    unreleased: 'The memory was made before the first release.',
    unsafe_connection: 'The connection to the database is not encrypted, or its certificate is not accepted.',
    unsupported:
      'The database, Node or the file system is of a version or kind, or lacks an extension, that is needed.',
  },
  internal: {
    incomplete_package: 'The package is incomplete. Install it again.',
    unforeseen: 'A defect. The log has the detail.',
  },
};

export type ErrorCode = keyof typeof REFUSALS;
/** The names below the codes, such as `busy`: docs/reference/errors.md says what each means. */
export type ErrorReason = KeysOf<(typeof REFUSALS)[ErrorCode]>;
type KeysOf<Each> = Each extends unknown ? keyof Each : never;
/** Why a database is unavailable, among others. */
export type Unavailability = keyof (typeof REFUSALS)['unavailable'];

/**
 * The only error that leaves this package. Its message is for the caller: what was expected, what was
 * found, what to do next. It never holds SQL, a path of the code or a stack, nor a secret of the input that it quotes (Z-9).
 */
export class PrecedentError extends Error {
  readonly code: ErrorCode;
  /** A name below the code: programs decide by this, never by the message. */
  readonly reason: ErrorReason;
  /** Set where the call must name a lock to override it: its id (T-6). A caller with a person asks, and calls again. */
  declare lock?: string;
  /** Set where the call must say why it overrides an axis or a lock (D-20): also for whoever can ask. */
  declare needsReason?: boolean;
  /** Set where the call must say which of several decisions holds (Y-2): for whoever can ask a person. */
  declare choices?: { id: string; shown: string; reasoning: string | null; needsReason: boolean }[];
  /** Set where nothing has the name that was given: what was probably meant, as a sentence to append; empty when none is near. */
  declare near?: string;
  /** The memory that was asked, where one was (K-3). */
  declare workspace?: string;

  constructor(code: ErrorCode, reason: ErrorReason, message: string, options?: ErrorOptions) {
    super(mask(message), options);
    this.name = 'PrecedentError';
    this.code = code;
    this.reason = reason;
  }

  /** The fields with name and message, for a log or another thread; neither its cause nor its stack (LB-7). */
  toJSON(): Record<string, unknown> {
    return { ...(this as object), message: this.message };
  }

  /**
   * The error that {@link toJSON} wrote: to post an error to another thread, post that, since a structured clone of any
   * error loses its code and reason (LB-7).
   * @throws PrecedentError `invalid` for anything else
   */
  static fromJSON({ code, reason, message, ...rest }: Record<string, unknown>): PrecedentError {
    if (typeof code !== 'string' || !Object.hasOwn(REFUSALS, code) || typeof reason !== 'string')
      throw invalid.wrong_form(
        'Expected what the toJSON of a PrecedentError gave, found no code and reason.',
      );
    const error = new PrecedentError(code as ErrorCode, reason as ErrorReason, String(message));
    return Object.assign(error, rest);
  }
}

type Refuse = (message: string, options?: ErrorOptions) => PrecedentError;

/** Makers of the refusals of a code, by name. */
function refusalsOf<Code extends ErrorCode>(code: Code) {
  const named = (reason: string): [string, Refuse] => [
    reason,
    (message, options) => new PrecedentError(code, reason as ErrorReason, message, options),
  ];
  return Object.fromEntries(Object.keys(REFUSALS[code]).map(named)) as Record<
    keyof (typeof REFUSALS)[Code],
    Refuse
  >;
}

export const invalid = refusalsOf('invalid');
export const notFound = refusalsOf('not_found');
export const conflict = refusalsOf('conflict');
export const unauthorized = refusalsOf('unauthorized');
export const unavailable = refusalsOf('unavailable');
export const internal = refusalsOf('internal');

/** The same error, which says now which memory was asked (K-3). */
export function inWorkspace(error: PrecedentError, workspace: string): PrecedentError {
  error.workspace ??= workspace;
  return error;
}

/** An error with its stack, without what its message quotes: a parser or a database may quote a record (OP-2). */
function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const said = error.message.replace(/["'`].*["'`]/s, '"…"');
  const frames = (error.stack ?? '').split('\n').filter((each) => /^\s+at /.test(each));
  return [`${error.name}: ${said}`, ...frames].join('\n');
}

/**
 * The error as a caller may see it: one of ours unchanged, any other as `internal`.
 * @param log receives the detail that a caller must not see
 */
export function asPrecedentError(error: unknown, log: Log): PrecedentError {
  if (error instanceof PrecedentError) return error;
  // Setup replaces the copy that agents start, also under a server that has not loaded all of it.
  if (error instanceof Error && 'code' in error && /^(?:ERR_)?MODULE_NOT_FOUND$/.test(String(error.code)))
    return unavailable.updated(
      'Precedent was updated or removed while this program ran, so a part of it is missing. Restart it: for the server of an agent, restart the agent.',
      { cause: error },
    );
  log(mask(`internal error: ${traceOf(error)}`), 'error');
  return internal.unforeseen('Something unforeseen went wrong; the log has the detail.', {
    cause: error,
  });
}
