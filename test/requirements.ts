/**
 * The promises that this version keeps, by id. Tests cite an id in brackets; a gate fails on an id that no test
 * cites and on a cited id that is not here.
 */
export const REQUIREMENTS: Record<string, string> = {
  'G-1': 'saving on a topic that has a decision creates a supersedes edge; A ← B ← C stays in time order',
  'G-2': '`builds_on: <id>` in the reasoning becomes an edge',
  'G-3': '`debates: <id>` becomes an edge',
  'G-4': '`synthesizes: [id1, id2, …]` becomes one edge an id',
  'G-5': 'a search result has id, topic, decision, similarity, date, outcome and its edges, always',
  'G-6': 'a malformed pattern or unknown id never stops a save; it is ignored, logged and returned',
  'G-7': 'all that one save writes is one transaction',
  'G-8': 'decision_edges: primary key over from, to and relationship, foreign keys, indexes on both ends',
  'G-9': 'the parser reads what agents really write',
  'G-10':
    'a reference in reasoning is an id, a topic or the beginning of an id, resolved once; what was not is tried again, and a near miss is answered by what to write',
  'O-1': 'success is recorded with its reason',
  'O-2': 'failed is recorded with its reason',
  'O-3': 'partial is recorded with its reason',
  'O-4': 'a failed decision in search results carries a warning with the reason',
  'O-5': 'the outcome filter returns only those, with every other filter, before the limit',
  'O-6': 'pending returns those without an outcome',
  'O-7': 'unknown id is an error; updated_at moves; a log keeps every outcome, the columns mirror its newest',
  'O-8': 'failure survives replacement: still found, and named by its successor',
  'O-9': 'a decision that builds on a failed one says so when saved, searched and retrieved',
  'D-1': 'the fields of a decision',
  'D-2': 'rootId is the id of version 1, never changes, and is never accepted from outside',
  'D-3': '(rootId, version) is unique, and exactly one version of a chain is active',
  'D-4': 'previousVersionId is the version directly before, in the same chain; the database refuses else',
  'D-5': 'an anchor keeps pointing at the version it was made for',
  'D-6': 'camel case in documents, snake case in the database, one mapping layer',
  'D-7': 'evidence belongs to exactly one decision; without one the store refuses it',
  'D-8': 'an anchor whose target does not exist or is of the other type is refused',
  'D-9': 'what was saved is durable when the call returns, and found by the very next retrieval',
  'D-10': 'retrieval loads four tiers one after another, in their fixed order',
  'D-11': 'anchors are hints beside the decisions they point at, not rules',
  'D-12': 'errors fail fast; an empty result is normal',
  'D-13': 'decisions are never overwritten or deleted',
  'D-14': 'every session sees all; each record keeps which session and client wrote it',
  'D-15': 'a decision can be withdrawn without a replacement',
  'W-1': 'the reason of an outcome is searched like the decision itself',
  'W-2': 'links in reasoning are links, not words: they match nothing, and are shown by topic and short id',
  'W-3': 'every entry of recall and of the searches says why, when and why it is listed, in few tokens',
  'W-4': 'with a domain, recall gives its normal decisions, too',
  'D-17':
    'an anchor leads to its original, and says which version that is and whether it stands; a checkpoint and a memo are read by their ids',
  'D-18': 'what binds is put into the context of an agent without being asked for',
  'W-5':
    'a save names what is close on other topics: the intended neighbour first in 85 of 100, unrelated ones in 5',
  'U-1': 'a record is called by its id, the beginning of that, its topic or a version of it, on every face',
  'U-2': 'any record is shown whole by what it is called: why, when, who, its grounds, what rests on it',
  'U-6':
    'the history of a record, what differs between two versions; a topic is renamed, a text edited, what was deleted restored',
  'U-3': 'the log of everything, newest first, by date, kind, topic, scope, author and outcome',
  'U-4': 'what stands is listed whole, by one filter that every listing and the API share',
  'D-20': 'an axis or a lock gives way only with a reason in the same call, and its reader is warned',
  'D-21': 'a limit never crowds out a tier, and says what it left out',
  'D-19': 'a topic and a scope are matched by a folded form, and shown as they were written first',
  'D-16': '<private> text is redacted before anything is written',
  'M-11':
    'a prompt is recorded as keywords that are known or repeated; its text and its secrets are stored nowhere',
  'M-12': 'a call that names no conversation has one, and goes on with a memo of another only by its id',
  'M-13': 'a keyword in the graph carries its name as a label, and the published queries run on it',
  'M-14': 'English triggers match their inflections',
  'A-1':
    'setup connects the agents of a machine, to memories of their own or to a server, twice is once to the byte, and unsetup takes exactly what it wrote',
  'M-16': 'the package ships the skill in the form that agents load',
  'M-15': 'triggers are there for programs, and the exit code says whether there is one',
  'M-1': 'memo and expand triggers are recognised in Korean and English; detection alone writes nothing',
  'M-2': 'a memo: UUID, summary of at most 200 and text of at most 500 characters; what is missing is made',
  'M-3': 'a memo is linked ABOUT each of its keywords; its depth is 1 after creation',
  'M-4': 'one step at creation: at most five neighbours, none that is linked already',
  'M-5': 'each further step goes exactly one depth, when asked; the strongest connection first',
  'M-6': 'a session knows its last memo after a restart',
  'M-7': 'the results of saving and expanding have exactly the published shape',
  'M-8': 'newest memos, memos about a keyword, links by depth, one memo as a graph',
  'M-9': 'recording a message makes keywords and weighted relations between them',
  'M-10': 'the whole memory can be written out as Cypher, in which text is only data',
  'S-1':
    'recall: what binds first, then what is relevant to the task, each with status, scope, warning and why',
  'S-2': 'recall never takes more tokens than its budget, and says what it left out',
  'S-3': 'one search over decisions, evidence, observations, memos and checkpoints',
  'S-4': 'related records and neighbours of the same session lift each other',
  'W-6': 'every listing pages with a cursor: all of it, once each, whatever is saved meanwhile',
  'E-1': 'export and import keep every kind of record, ids, revisions and the numbers given out',
  'E-2': 'importing twice equals importing once',
  'E-3': 'a stream that is not whole, or a memory that is not empty, is refused and left as it is',
  'E-4':
    'a stream with a row that no memory may hold is refused by line, record and rule; doctor names such rows',
  'T-1': 'a rule is quoted whole or cut with "…"; the sentence that matches is in what is quoted',
  'T-2':
    'the failure that is named is the one that is said again, then the one that resembles what is asked, then the newest; a relapse and a cure are told apart',
  'T-3':
    'the words that matched name their version, and that it failed or was replaced; fields are never run together',
  'T-7':
    'a version without links keeps the warning of a failed ground; syntheses and what is two links away warn; a failure is answered with what depends on it',
  'T-17': 'a reason that is shown is a sentence: no heading, no code, no remains of a link',
  'T-13':
    'keywords relate without a prompt hook: those of a memo co-occur; a step names the newest records that have its words',
  'T-14':
    'each tool that a specification asks for is offered by default; no refusal and no message names a tool that its reader does not have',
  'T-15':
    'an anchor is found by its own words and leads to its decision; searches show who debates a decision and that evidence exists; an observation that another one supersedes is marked, and ranks behind it',
  'T-16':
    'blank and null optional fields count as left out, "5" as 5; in a change left out means kept, and what is emptied is said',
  'T-18':
    'who asks where work stopped is shown the newest checkpoint; decisions and observations are found by who wrote them and since when',
  'T-8':
    'no word is replaced in silence: a near word only for a long one that no record has and that is no English word; the answer says read_as, and is half an answer at most',
  'Q-1':
    'a word that hardly any record has is looked for by what engineers call the same elsewhere, at less weight, and the answer says so; never one that records have',
  'Q-7':
    'a withdrawn decision is found, behind an active one that answers as well, and says so before its text; importers never invent a successor',
  'Q-4':
    'similarity is the share of the question in words and nothing else, a model gives its nearness apart; one to which all is alike is ignored, one that fails or hangs is left alone for a minute, which is said',
  'Q-5': 'a good model finds what words do not, a bad one costs at most one point of what words find',
  'Q-3':
    'a question in another script than the records is answered by the words of the tables, or said to have no answer',
  'T-9': 'where the best result does not answer a question, every face says so first and shows the nearest',
  'T-5': 'a save says what it replaced, its strength and scope, and where an axis or a lock binds',
  'T-4':
    'compaction, an emptied context and resuming forget what a session was told, and what is left out is said',
  'T-10':
    'a prompt is shown the record whose error, path, topic or telling words it has; what binds or failed needs less of them, and still less in a small memory',
  'T-12':
    'a subagent is sent what binds everywhere when it starts, in agents that have such an event; a memory out of reach is said once a session, to the person and to the model',
  'T-11': 'a memo is offered where a person asks for one, not where a button is called Save',
  'T-6':
    'a lock gives way only to a call that names its active version; a save that comes close to a lock or an axis is warned',
  'P-1': 'the same data gives the same answers on every engine',
  'P-2': 'a workspace never sees the rows of another',
  'P-3': 'twenty clients at once: nothing lost, nothing doubled, one chain for one topic',
  'P-4': 'after a failover every acknowledged write is there, and clients go on by themselves',
  'K-1':
    'a repository goes on with its memory when its remote or its folder changes; another one never gets it',
  'K-2':
    'a read creates no memory and no folder; a name that is not there is not_found and names a near one; a save under a new name says so',
  'K-3':
    'answers and refusals name the workspace; workspaces are listed, renamed, given other names and removed',
  'K-5': 'what destroys shows what goes and asks; without a terminal it needs --yes',
  'K-4': 'each record, outcome, text and relation says who wrote it; an export can leave the names out',
  'U-5':
    'every read answers as it stood at any moment; what changes and has no history of its own is written down, without texts',
  'U-8': 'help in the words of the command line, a dozen lines first, examples that work; completion',
  'V-7':
    'after setup precedent is a command in every folder; one vocabulary for people; each operation can be called by the name of its tool, apart from it',
  'U-9':
    'an answer fits its terminal, 40 to 200 columns: what first, then when and who, then short ids; colours and pager as asked',
  'U-10':
    'the library has a named type for every record and result, ends with await using, and is published without what builds it',
  'U-7':
    'history is entered as it was: saves take a date, and a batch of saves is all or nothing, errors named by line',
  'P-5': 'a connection lost at any moment neither loses nor doubles what is saved',
  'P-6': 'a server that cannot be used is an error that says what to do; nothing is half-written',
  'P-9': 'the turn to write costs no more while somebody in the same database keeps an old snapshot',
  'P-10': 'what an operation costs on PostgreSQL is counted: statements and round trips, with a ceiling each',
  'P-7':
    'only statements that Citus sends to one node unchanged; a database that it distributes is used on its coordinator alone',
  'C-1': 'an operator can blank a secret in a record, its revisions and every index; that it was done stays',
  'C-2': 'doctor --repair rebuilds everything derived from the records, and changes no text',
  'C-3': 'backup while others write; restore refuses to overwrite, or replaces all or nothing',
  'C-4': 'killed at any moment, a server has every write that it acknowledged',
  'C-5': 'eight processes on one memory lose and double nothing, and no error reaches a client',
  'C-6': 'whatever is sent, an answer is a result or one of six errors, without SQL, path or stack',
  'K-6':
    'undo takes back the newest save of its author by the same program as far as nothing rests on it, and redo brings it back; nothing is erased',
  'K-7':
    'text that is not UTF-8 and NUL are refused, terminal sequences cut, CRLF is LF but in evidence; a memory in a read-only place is read',
  'K-8': 'no test depends on who is faster: it waits for what it needs, and compares no time on the wall',
  'A-2':
    'a hook tells an agent what binds at the start and what is known with a prompt: exit code 0 whatever happens, silent when unsure',
  'A-3':
    'a hook says nothing with generic prompts, and finds the right record for the telling ones; it loads and asks for little',
  'A-4': 'results come once, as text; fields for people are not told to models',
  'A-5':
    'the instructions begin with what to call when; a search of tools for memory, or why something was chosen, finds recall or mama_search',
  'A-6': 'the real agents are told by the hooks that setup enters, offline, by one command',
  'H-1':
    'precedent serve: MCP over HTTP in both eras without sessions, and a JSON API of every operation with its document',
  'H-2':
    'tokens say who may do what, of a file or of an identity provider; nothing but loopback without one of them',
  'H-3': 'attacks over a socket, and from pages in a browser, are refused',
  'H-4':
    'the scenarios that both revisions of MCP require pass, against the real app, but those that need sessions',
  'H-5':
    'calls wait in line, a server that ends answers what it began; health, metrics and an audit without texts',
  'X-1':
    'the page: every view by its address, a decision in the order of its questions, what is found, how it stood, tokens',
  'X-2': 'the page in two languages, light and dark, on every width, by keys alone, light and fluent',
  'X-3': 'what people do on the page asks first, is the operation of everywhere else, and needs leave',
  'X-4':
    'precedent open --demo, and npm start in a clone: filled memories of its own, served for reading, in the browser, in two seconds; gone afterwards',
  'R-1': 'opening an earlier file migrates it, idempotently, without touching what is there',
  'R-2': 'any relation type string; directed',
  'R-3': 'mem_relate: both ends exist and are not deleted; returns the relation id',
  'R-4': 'mem_unrelate removes by relation id, shown wherever relations are',
  'R-5': 'mem_build_context: both directions, each observation once at its shallowest depth, with a cap',
  'R-6': 'mem_get_observation returns its direct relations in both directions',
  'R-7': 'hard delete removes relations; soft delete leaves them and is passed through',
  'R-8': 'referential integrity in the database, on every connection',
  'R-9': 'a relation to itself is refused',
  'R-10': 'the same relation twice is refused with a clear message',
  'R-11': 'search results have relation_count, both directions',
  'R-12': 'bidirectional makes both relations or neither',
  'R-13': 'mem_stats: total relations, commonest types, most connected observations',
  'R-14': 'mem_relations lists without traversal',
  'R-15': 'depth 5 over 1,000 observations, all returned, in under a second',
  'R-16': 'one embedded SQLite with nothing to compile on install',
  'R-17': 'a server whose store cannot be opened still answers, and says why',
  'D-22':
    'a merge may find an earlier beginning or a version between: the chain is numbered anew, ids and what hangs on them stay',
  'G-11': 'files of MAMA 1.x and 2.x and of 7-division come in without loss',
  'R-19': 'files of Hoofy and engram come in without loss',
  'I-1': 'what other tools remember comes in by precedent import --from; auto lists what this machine has',
  'I-2':
    'an import is lossless, twice is once, what changed there gives one revision, outcome or version, what changed on both sides is reported; missing ends are tried again',
  'I-3':
    'a dry run shows the plan; all or nothing, killed too, into a used memory too; its texts are analysed before others wait; an import is taken back whole',
  'I-4': 'a source is never written, locked or migrated',
  'I-5':
    "exports: a MADR 4 folder that comes back whole; the same bytes while nothing changed; nobody else's file is written over, and what was redacted is in none",
  'Y-8':
    'what comes by the folder that a person named is checked as what is saved, and binds only as its authors are trusted; a new machine is told of once, and kept apart where that is wished',
  'Z-1':
    'nothing that the files or the git settings of a folder name is run: git is asked through one function, with its guards',
  'Z-2':
    "a folder cannot choose somebody else's memory: a remote's name leads to one only with a first commit that it keeps",
  'Z-3':
    "every read of a file that a stranger may have written is of a regular file of bounded size and depth, and follows no link out of the repository, archive or folder; a person's own settings may be links to files of the same account",
  'Z-4':
    'an export writes and removes only what it wrote itself, inside its folder, and an import reads nothing outside of what it was given: no link, no absolute path and no .. leads out',
  'Z-5':
    'one token, or one client without a token, cannot stop a server for the others: bounded pieces of work, turns by token, connections by peer, batches counted as their calls',
  'Z-6':
    'compressed input is bounded by what it unpacks to, every reader of text takes time that grows with its length, a line has a bound, and a batch holds one at a time',
  'Z-7': 'a full or read-only disk can still be read, and the message says that it is full',
  'Z-8':
    'nothing that is printed, documented or written into a file starts a package that is not ours, or that anybody could claim',
  'Z-9':
    'a secret in a known form is masked before anything is stored, on every way in, and the answer says so; a person alone keeps one',
  'N-1':
    'on PostgreSQL a workspace is rows of tables that all share: made by an insert, its numbers count from 1, a migration runs once',
  'N-2':
    'row-level security is a second wall, which reads the setting by itself; doctor says where it does not bind; no plan of one workspace answers in another',
  'N-3':
    'on Citus the same tables are distributed by workspace, with no other statement: workspaces are made, opened, searched, and moved to another node while they are written',
  'N-4': 'what is done in one workspace touches no other, and waits for no other',
  'N-5':
    'each access of a save, a search and a recall has the workspace and more in the condition of its index',
  'Z-10':
    "on a PostgreSQL of several roles nobody's objects are read or run because of their names: only tables of owners that the asker trusts, an exact name before a claimed one, two claims never chosen",
  'F-1':
    'a decision names files, patterns and words in files, said by a person or an agent, with its versions',
  'F-2':
    'why FILE answers with what names it, the nearest first, or says that nothing does; it never falls through to words',
  'F-3':
    'renames in git are followed, and what names nothing any more is shown by doctor and review with its heir; never by a hook',
  'F-4': 'with a file that it reads or changes an agent is told what binds it and what failed there',
  'F-5':
    'check tells what binds the files of a change, what failed there and what nobody settled, as text, Markdown, JSON and SARIF; strictly, a lock or an axis wants a newer version, an outcome or a trailer; what binds is read from a memory, else from the decision records before the change; the git hook and the workflows of the docs work without secrets',
  'F-6': 'recall and mama_search take files, and begin with what names them',
  'L-1':
    'one source says to every registry and agent what this is, and one command proves on a clean machine that a version can be published',
  'L-2': 'a memory is kept as it was before it is upgraded, and the documents say how to go back',
  'L-3':
    'Linux, macOS and Windows: a workflow runs the suite on all three, and pure tests cover what cannot run here',
  'V-1': 'every record shows by which program it was written, and lists are narrowed by program and session',
  'V-2':
    "undo takes back the saves of the caller's own program; by reference, session or filter those of anybody, after one question; what was undone is found nowhere, what was withdrawn ranks behind what is active",
  'V-3':
    'review: what agents saved since a person looked last, first what does harm, then by session, and what is due; one at a time or a whole group, the last answer reverted; as JSON and Markdown; the first view of the page',
  'V-4': 'sessions: what hooks showed each session of an agent, and what it saved; one of them word for word',
  'V-5':
    'a decision may name a day to come back to: saved, listed, shown, due in review, and counted when a session starts',
  'V-6':
    'precedent off: nothing is stored, told or injected there by any face of this machine, until precedent on; doctor and every refused call say so; one list in the data folder says it, and nothing inside a repository turns anything on',
  'V-8':
    'a memory can be read in a browser and printed: one page by scope that runs and asks for nothing; backups for cron keep the last ones',
  'Y-1':
    'two memories that say to each other what they know in a shared folder are the same in the end, in whatever order, on both engines',
  'Y-2':
    'what two machines decided differently is kept, in one order, and told by whatever shows or injects it until it is settled; what is a lock on one machine binds on all, and comes first',
  'Y-3': 'what was deleted for good does not come back from another machine',
  'Y-4':
    'a file that is torn or altered is skipped by name and stops nothing; of a branch that was rewritten nothing is lost',
  'Y-5':
    'sync takes a branch of the remote, a folder or a server, shows what would go and asks before anything is reached, says what came and went, and begins again where others are quicker',
  'Y-6':
    'a version keeps which version its author saw; a fork is known by that, and the order of a chain follows from it, whatever clocks say',
  'Y-7':
    'a redaction or deletion wins over everything, whenever it arrives, in every row and in every file that this machine can write',
  'Y-9':
    'an export comes into a memory that has records by the rules of a sync; no lock gives way to another machine without a warning that stays until somebody decides again',
  'Y-10':
    'two people who export decision records into one git repository have no conflict in what replaces what, and numbers given out twice are settled by rule',
  'B-1':
    'a field of a decision is said once: saved, undone, brought back, compared, exported, imported, merged and remembered, none is forgotten',
  'B-3': 'names, comments, messages and documents are in words that are understood at once',
  'R-18': 'observation ids are integers, never used twice',
  'Z-15':
    'hooks and reads never look at a path on another machine that a repository names; the memory of check does not grow with a pull request',
  'TR-1':
    'check: a lock that a colleague made after the branch began is not mentioned by its own first version, nor is any by a version whose author is not of this change',
  'Z-16':
    'the documented token forms of some seventy providers, our own tokens, authorization headers and passwords in assignments are masked; ordinary texts are not',
  'TR-4':
    '`files` takes what models write, else it refuses and says the form; every list may come as JSON text; a lock that binds no file that exists says so',
  'TR-6': 'published schemas have no keyword of ours, and strict validators accept them',
  'Z-12':
    'no call costs more than its size earns: lists are refused by their length before an item is touched, compressed input is bounded before it is parsed, and a reader’s expensive question never makes a writer wait',
  'Z-11':
    'a database that a stranger may have written acts on nothing outside itself, and costs no more than its size: what it would evaluate is refused or not evaluated, and the folder it lies in does not decide which memory is opened',
  'TR-5':
    'an address is taken as a client writes it without a shell; without git the nearest folder above lends its memory and is named; and a file system that cannot hold a memory says so and names the way out',
  'Z-14':
    'who wrote a record is decided by how it came in, never by what a client calls itself; what a token, an import or a command line without a terminal writes waits for review and is no person’s word',
  'Z-13':
    'what comes from another machine is checked whole before any of it counts: a fact that fails is skipped, named once, and stops nothing else; what was taken in never makes doctor, export or import fail; bytes and files of a shared place are limited',
  'B-9':
    'what was decided to go is gone, with its tests, documents and settings, and each task that it served is still possible',
  'RE-16':
    'a decision takes hints, phrases by which somebody would ask for what it rules out; they are anchors, shown with the active version, asked for once, and matched with what is said and written in any order and form',
  'RE-5':
    'of an edit only what is new is compared with the names that records are against, and of a command what it installs, runs or sends to a database; not in fixtures, lock files or generated files',
  'RE-6':
    'a prompt, an edit or a command that has a name is told of the records that are against that name, in any case and in Hangul, unless an active decision uses it',
  'RE-11':
    'where a person lays something down, rejects it or tells how it went, one line asks the agent to save it, once for a matter and four times a session at most; also at an approved plan and the first commit without a save',
  'RE-7':
    'what is asked for is answered with three whole records, then names; recall spends the rest on rules and failures',
  'RE-8': 'no answer says that nothing is recorded while records are there; it says what was looked at',
  'RE-1':
    'a session starts with the words of rules, those of persons first, then the checkpoint, what failed lately, reasons and other topics, in 800 tokens; what is left out is counted by scope',
  'RE-2':
    'a record is said whole once until compaction, with prompts and files together, and in a line at three later files; the start does not count, and two events at once never say the same',
  'RE-3':
    'with a file an agent is told locks, axes, failures and reasons in 200 tokens, before the change where it can be, also for a file that moved, in a worktree, a submodule or a package, or that a command names',
  'RE-4':
    'when a tool of an agent fails, a note or a failure whose own text tells the error comes with the result, once',
  'RE-13':
    'a subagent is told in 250 tokens what its task names with why, then what holds everywhere, and how much more there is',
  'RE-12':
    'the server of the plugin always answers, and says why where it did not start; the hooks of the plugin say the same to the person and the agent; doctor reads what the agent notes of it',
  'RE-15':
    'by choice a lock asks the person before the first change of a file that it binds, and before the first text or command that names what it forbids, with the rule and why, and what was allowed is not asked again in that session; never an axis or another decision, and never where nobody is there',
  'RE-10':
    'memos come up in prompts as notes do; an agent lists, corrects and ends them; the same words again are the same memo, one like an older names it, and exploring says when nothing is left',
  'RE-14':
    'the list of tools takes at most 3,500 tokens, and no answer more than 4,000 unless it was asked to: what was left out is said, and how to get it',
  'RE-9':
    'a save is compared by hints and in the words of a search, in both languages, and answered with the nearest rules and failures that share no words with it, each once in a session, until the reasoning settles it',
  'J-3':
    'A save costs the same on a long chain as on a short one, and few round trips on PostgreSQL; a search as of a date makes no copy.',
  'J-5':
    'facts of an unknown kind or format, and unknown fields, are kept whole, sent on by a folder, a server and an export, redacted, bounded and counted, derive nothing, and are read by the first sync after an update',
  'J-6':
    'the format of synced facts is public: a page, a JSON schema that cannot differ from the check, and a folder of version 1 that every later version reads; a table says what a peer, a token and an import can do',
  'Z-17': 'a byte that is flipped in a segment of any kind, or on the way to a server, is found and named',
  'SR-1': 'a document becomes a decision only if its folder says so, or its own headings and a known state',
  'SR-2':
    'each entry of a log of decisions is one decision with date, reason and state: headings, lines, items and rows of tables',
  'SR-3':
    'a state after a date is read, the last of a history; a placeholder is no text, and a pointer at an option has its text',
  'SR-4':
    'notes of Serena, files of memory banks and one JSON graph come in as notes, and UTF-16 with a mark is read',
  'SR-5': 'a dry run says of each file what it becomes or why it is left out, and the sums add up',
  'LB-1':
    'a wrong option, argument, clock, id or embedder is refused where it comes in, with what was expected and found; vectors of an embedder are made of unit length; a memory can be opened read-only',
  'LB-2': 'a call from inside a callback of the same memory is refused at once, and never waits for ever',
  'CC-1':
    'when a decision is replaced, withdrawn or fails, or a note is corrected, the answer names at most three records that still say the old text, until they link the correction; a record that says what was replaced elsewhere is told so, also in show and in list is:outdated',
  'CC-3':
    'what was replaced is found again by the closeness of texts, by its changed value, name or no, and not where a text has the new value, forbids the old one or tells of the past',
  'OP-1':
    'a server is ready only if calls are answered, and so not with tables of a newer or older version; their owner brings them up to date with one command, which the refusal names, and calls wait for it; a server that ends answers what has reached it',
  'OP-2':
    'no text of a record is in a log of a server; why calls fail is on standard error once a minute; SIGHUP has the audit written anew',
  'OP-3':
    'a process opens a bounded number of connections for all workspaces, no call is refused for want of one, and a workspace whose calls wait leaves some to others',
  'OP-4':
    'probes are answered under any name; tokens count as soon as their file is there; one is replaced by a command, and making one says who writes with it and which workspaces are not there',
  'OP-5':
    'statements on PostgreSQL are prepared once a connection, and a pooler that does not keep them costs no call',
  'OP-6':
    'tokens of an identity provider are taken with scopes in scope or scp, its keys are found by its metadata, the audit says why one is refused, and people log in to the page there',
  'OP-7':
    'a person is taken off what they wrote in all workspaces as a dry run says before, one command backs up every memory, and metrics tell of operations, connections and a bounded number of workspaces, to those who may see them',
  'CC-2':
    'sentences of files that instruct, such as CLAUDE.md, rules and standing decision records, that still say what was replaced are named by file and line, and none in a changelog, dated entry, quotation, code or replaced record; strictly, only what was replaced in the change fails, and no file is changed',
  'SR-6':
    'records of two repositories that have the same name are two decisions, at every import, also of moved and cloned ones',
  'CO-1':
    'a change that needs another one is asked for it by the compiler or a test, and the failure names the file: words of a choice are written on both engines, a filter is defined again for the tests, shared SQL calls listed functions alone, and a file without tests is refused',
  'LB-5':
    'a program gets the operations for its model as a server of MCP offers them: name, description, JSON Schema, whether it only reads, and a function that runs it',
  'LB-7':
    'results whose fields differ by kind have a type for each, and a field says its limits; a call ends with its signal, an error names the line of the program, and many calls at once let the program go on between them',
  'LB-3':
    'calls of a program that belong together are one transaction with ids in hand and one undo; a batch takes objects and answers each',
  'TR-2':
    'review shows harm first: what contradicts or overrides, what holds everywhere, what an import brought, stale copies, what replaced what held, then the rest; what a save was warned of stands with it, with what it replaced, in English or Korean, and what is not shown is counted and named with the way to see it',
  'TR-3':
    'a correction of wording, other files, another scope and an undo keep author, date, reason and outcome of what was decided, are shown as what they are, and count as decided nowhere; none changes a lock that is not named',
  'TR-8':
    'small faults are gone, each as its whole kind: short names of days, this week and its Korean, titles of people, one line for an undo, a filter by branch',
  'LB-8':
    'a page in the package tells a program how to use the library, with ten recipes that run and compile as they stand',
  'LB-6':
    'the library is ES modules, and CommonJS where it is required, without the command line; a bundle of it runs, and it changes no global of its host',
  'TR-7':
    'setup says what it costs an agent and how to begin, a dry run shows a few lines for a file that exists, and an empty memory says what to do first',
  'LB-4':
    'a program gives links as fields, next to those that reasoning names, and quotes words that link nothing',
};
