import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pkg from '../package.json' with { type: 'json' };
import { HOOK_TIMEOUT, hooksAt, PLUGIN, serverArgs } from '../src/agents/agent.ts';
import { CLAUDE_MATCHERS, claudeHook } from '../src/agents/hosts/claude.ts';
import { ENV_PASSTHROUGH } from '../src/agents/hosts/codex.ts';
import { ANYWHERE, IS_PUBLISHED } from '../src/domain/release.ts';

/**
 * Every file in which a registry or an agent wants to read what this is, from package.json alone (L-1): name, version,
 * description, keywords, and the address of the repository, which has no owner until somebody publishes it.
 */
const FOLDER = 'plugin';
const AGENTS_PAGE = join('docs', 'agents.md');
const SKILL = join('skills', 'precedent', 'SKILL.md');
const SHOWN = 'Precedent';

/** The page of the repository, from `repository` in package.json. */
export const REPOSITORY: string = pkg.repository.url.replace(/^git\+|\.git$/g, '');
/** Whether that address is somebody's: `.invalid` belongs to nobody for ever (RFC 2606). */
export const HAS_REPOSITORY = !new URL(REPOSITORY).hostname.endsWith('.invalid');
const [, ownerOfIt = ''] = new URL(REPOSITORY).pathname.split('/');
/** What the MCP registry calls this server. It gives the names below `io.github.OWNER` to that owner alone. */
export const REGISTRY_NAME = `io.github.${ownerOfIt}/${pkg.name}`;

const owner = { name: pkg.author, ...(HAS_REPOSITORY ? { url: REPOSITORY } : {}) };
const about = { name: 'precedent', description: pkg.description };
const numbered = { ...about, version: pkg.version };
const links = HAS_REPOSITORY ? { homepage: REPOSITORY, repository: REPOSITORY } : {};
const described = { ...numbered, author: owner, ...links, license: pkg.license, keywords: pkg.keywords };
/** What starts the server wherever a plugin is installed, of the version that the plugin has. */
const launch = {
  ...ANYWHERE,
  ...(IS_PUBLISHED ? { program: `${pkg.name}@${pkg.version}` } : {}),
  pins: [],
};
const server = { command: ANYWHERE.node, args: serverArgs(launch) };
// biome-ignore lint/suspicious/noTemplateCurlyInString: Claude Code puts the folder in; in a hook, Codex does, too.
const PLUGIN_ROOT = '${CLAUDE_PLUGIN_ROOT}';
/** What starts the server, and answers in its place where it does not start (RE-12). */
const LAUNCHER = join(FOLDER, 'server.cjs');
const launched = (...launcher: string[]) => ({
  command: 'node',
  args: [...launcher, server.command, ...server.args],
});

/** The files that lie in the repository (M-16): Claude Code, Codex and Copilot install one folder. They name no package before it is published (Z-8). */
export function committed(): [path: string, text: string][] {
  const hookAt = (kind: string) => ({
    type: 'command',
    // At the start of a session it says why there is no program.
    command: `node "${PLUGIN_ROOT}/hooks/hook.cjs"${kind === 'start' ? ' start' : ''}`,
    timeout: HOOK_TIMEOUT,
  });
  const marketplace = PLUGIN.split('@')[1];
  return [
    ...texts({
      [join('.claude-plugin', 'marketplace.json')]: {
        name: marketplace,
        description: pkg.description,
        owner,
        metadata: { version: pkg.version },
        plugins: [{ ...numbered, source: `./${FOLDER}` }],
      },
      [join('.agents', 'plugins', 'marketplace.json')]: {
        name: marketplace,
        interface: { displayName: SHOWN },
        plugins: [
          {
            name: about.name,
            source: { source: 'local', path: `./${FOLDER}` },
            policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
            category: 'Developer Tools',
          },
        ],
      },
      [join(FOLDER, '.claude-plugin', 'plugin.json')]: described,
      [join(FOLDER, '.codex-plugin', 'plugin.json')]: {
        ...described,
        skills: './skills/',
        mcpServers: './codex.mcp.json',
        hooks: './hooks/hooks.json',
        interface: { displayName: SHOWN, shortDescription: pkg.description, category: 'Developer Tools' },
      },
      'gemini-extension.json': { ...numbered, mcpServers: { precedent: server } },
      [join(FOLDER, '.mcp.json')]: {
        mcpServers: { precedent: launched(`${PLUGIN_ROOT}/server.cjs`) },
      },
      [join(FOLDER, 'codex.mcp.json')]: {
        // Codex puts no folder into the words, and would start a server in that of the plugin, where no repository is.
        // It passes on no other variables.
        mcpServers: {
          precedent: { ...launched('-e', withoutComments(LAUNCHER)), env_vars: ENV_PASSTHROUGH },
        },
      },
      [join(FOLDER, 'hooks', 'hooks.json')]: {
        hooks: Object.fromEntries(
          Object.entries(claudeHook.events).flatMap(([event, kind]) =>
            hooksAt('', { [event]: kind }, hookAt(kind), CLAUDE_MATCHERS).map(({ value }) => [
              event,
              [value],
            ]),
          ),
        ),
      },
    }),
    [join(FOLDER, SKILL), readFileSync(SKILL, 'utf8')],
    [AGENTS_PAGE, linked(readFileSync(AGENTS_PAGE, 'utf8'))],
  ];
}

/** The page with its links that install into VS Code and Cursor, as both document them. */
function linked(page: string): string {
  // Cursor starts a server of the account in the home folder.
  const everywhere = { ...server, args: [...server.args.slice(0, -1), '--workspace', 'cursor', 'mcp'] };
  const links = {
    'https://vscode.dev/redirect/mcp/install': encodeURIComponent(JSON.stringify(server)),
    'https://cursor.com/en/install-mcp': encodeURIComponent(btoa(JSON.stringify(everywhere))),
  };
  return page.replace(
    /\((https:[^?)]+)\?name=precedent&config=[^)]*\)/g,
    (_, address: keyof typeof links) => `(${address}?name=precedent&config=${links[address]})`,
  );
}

/** The files that are made when a version is released, since they name the package: for the MCP registry, and for a bundle (MCPB). */
export function released(): [path: string, text: string][] {
  return texts({
    'server.json': {
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: REGISTRY_NAME,
      title: SHOWN,
      description: pkg.description,
      version: pkg.version,
      repository: { url: REPOSITORY, source: 'github' },
      packages: [
        {
          registryType: 'npm',
          identifier: pkg.name,
          version: pkg.version,
          runtimeHint: 'npx',
          transport: { type: 'stdio' },
          packageArguments: [{ type: 'positional', value: 'mcp' }],
          environmentVariables: [
            {
              name: 'PRECEDENT_DB',
              description: 'A file or a PostgreSQL server; without it one file for each repository',
              isSecret: true,
            },
            {
              name: 'PRECEDENT_WORKSPACE',
              description: 'The memory to use; without it that of the repository',
            },
          ],
        },
      ],
    },
    'manifest.json': {
      manifest_version: '0.4',
      ...numbered,
      display_name: SHOWN,
      author: owner,
      repository: { type: 'git', url: REPOSITORY },
      license: pkg.license,
      keywords: pkg.keywords,
      compatibility: {
        platforms: ['darwin', 'linux', 'win32'],
        runtimes: { node: pkg.engines.node },
      },
      server: {
        type: 'node',
        entry_point: 'dist/precedent.cjs',
        mcp_config: {
          command: 'node',
          // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the host puts these in.
          args: ['${__dirname}/dist/precedent.cjs', 'mcp'],
          env: { PRECEDENT_WORKSPACE: '${user_config.memory}' },
          // biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above.
        },
      },
      // A desktop client starts servers in no repository.
      user_config: {
        memory: {
          type: 'string',
          title: 'Memory',
          description: 'The name of the memory to use, as "precedent doctor" says it in your repository.',
          default: 'desktop',
          required: true,
        },
      },
    },
  });
}

/** Labels of the container's image: the registry compares the first with the server's name. */
export const LABELS: Record<string, string> = {
  'io.modelcontextprotocol.server.name': REGISTRY_NAME,
  'org.opencontainers.image.source': REPOSITORY,
  'org.opencontainers.image.description': pkg.description,
  'org.opencontainers.image.version': pkg.version,
  'org.opencontainers.image.licenses': pkg.license,
};

const withoutComments = (file: string): string => readFileSync(file, 'utf8').replace(/^ *\/[/*].*\n/gm, '');

function texts(files: Record<string, object>): [path: string, text: string][] {
  return Object.entries(files).map(([path, value]) => [path, `${JSON.stringify(value, null, 2)}\n`]);
}
