// biome-ignore-all lint/style/useNodejsImportProtocol: an old Node, which does not know "node:", is one reason to answer here.
// Starts the server of the plugin: the copy of Precedent that "precedent setup" made on this machine, else the command that
// follows, else the one that setup wrote. Where none starts, this answers in its place and says why: Claude Code skips a
// server that did not answer for 15 minutes, without a word. Node 8 can read this.
const { spawn } = require('child_process');
const { existsSync } = require('fs');
const { homedir } = require('os');
const { isAbsolute, join } = require('path');

const { LOCALAPPDATA, XDG_DATA_HOME } = process.env;
const isWindows = process.platform === 'win32';
const home = homedir();
const places = {
  darwin: join(home, 'Library', 'Application Support', 'precedent'),
  win32: join(LOCALAPPDATA || join(home, 'AppData', 'Local'), 'precedent', 'Data'),
};
const named = isAbsolute(XDG_DATA_HOME || '') ? XDG_DATA_HOME : join(home, '.local', 'share');
const copy = join(places[process.platform] || join(named, 'precedent'), 'app', 'current', 'precedent.cjs');
// It names the Node of setup, which may be newer than the one here.
const written = join(home, '.local', 'bin', 'precedent');
// With "node -e", as Codex has it, there is no file among the words.
const command = process.argv.slice(__filename === '[eval]' ? 1 : 2);
const programs = [
  ...(existsSync(copy) ? [[process.execPath, copy, 'mcp']] : []),
  ...(command.length > 0 ? [command] : []),
  ...(existsSync(written) ? [[written, 'mcp']] : []),
];
let why = '';

function start() {
  const words = programs.shift();
  if (!words) return answer();
  let isServing = false;
  let isOver = false;
  let said = '';
  // It reads the input itself: what it leaves unread, the next one reads.
  const server = spawn(words[0], words.slice(1), {
    stdio: ['inherit', 'pipe', 'pipe'],
    shell: isWindows && words === command,
  });
  const stop = (signal) => {
    isServing = true;
    server.kill(signal);
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  server.stdout.once('data', () => {
    isServing = true;
  });
  server.stderr.on('data', (text) => {
    said = (said + text).slice(-2000);
  });
  server.stdout.pipe(process.stdout, { end: false });
  server.stderr.pipe(process.stderr, { end: false });
  const over = (code, reason) => {
    if (isOver) return;
    isOver = true;
    process.removeListener('SIGTERM', stop).removeListener('SIGINT', stop);
    if (isServing || code === 0) process.exit(code === null ? 1 : code);
    // The first that is there says most.
    why = why || said.trim().split('\n')[0] || reason;
    start();
  };
  server.on('error', () => over(1, ''));
  server.on('close', (code) => over(code, 'it ended at once'));
}

/** Answers as a server whose one tool says why there is no memory. */
function answer() {
  const reason = (why || 'it is not installed on this machine').replace(/[.]?$/, '.');
  const text = `The memory of why (Precedent) did not start: ${reason} Tell the user so, once: to mend it, install Precedent, run "precedent setup" and start this agent anew; "precedent doctor" says more. Until then, do not conclude that nothing was decided.`;
  const tool = {
    name: 'precedent_did_not_start',
    description: text,
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    _meta: { 'anthropic/alwaysLoad': true },
  };
  const results = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion: protocolVersion || '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'precedent', version: '0' },
      instructions: text,
    }),
    ping: () => ({}),
    'tools/list': () => ({ tools: [tool] }),
    'tools/call': () => ({ isError: true, content: [{ type: 'text', text }] }),
  };
  process.stderr.write(`${text}\n`);
  require('readline')
    .createInterface({ input: process.stdin })
    .on('line', (line) => {
      const { id, method, params } = parsed(line);
      if (id === undefined || method === undefined) return;
      const result = results[method];
      const said = result
        ? { result: result(params || {}) }
        : { error: { code: -32601, message: 'Method not found' } };
      process.stdout.write(`${JSON.stringify(Object.assign({ jsonrpc: '2.0', id }, said))}\n`);
    });
}

function parsed(line) {
  try {
    return Object(JSON.parse(line));
  } catch (_) {
    return {};
  }
}

start();
