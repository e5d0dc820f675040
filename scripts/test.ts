import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';

/** Milliseconds after which a test is taken to hang: no test takes a tenth of it, however busy the machine is. */
const LIMIT = 900_000;

/**
 * Builds, since the faces are tested as they ship, then runs the tests with the Node that runs this script.
 * Arguments name test files, else all run; options go on to Node's test runner.
 */
const run = (args: string[]) => spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
const given = process.argv.slice(2);
const named = given.filter((argument) => !argument.startsWith('-'));
const options = [`--test-timeout=${LIMIT}`, ...given.filter((argument) => argument.startsWith('-'))];
const files = named.length > 0 ? named : globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).sort();

process.exitCode =
  run(['scripts/build.ts']) || run(['--test', '--disable-warning=ExperimentalWarning', ...options, ...files]);
