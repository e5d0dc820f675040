import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, join, parse, resolve } from 'node:path';
import { invalid } from '../domain/error.ts';
import { here, homeHere } from './surroundings.ts';

/** Folders in which the system reaches for whatever machine, server or cell the next name of a path says. */
const REACHING = /^\/(?:System\/Volumes\/Data\/)?(net|misc|afs|smb|cifs|coda|cvmfs|Network)\/+([^/]+)/i;
/** `\\host\share`, after what Windows may have before it. */
const UNC = /^(?:\\\\[?.]\\UNC\\|\\\?\?\\UNC\\|\\\\(?![?.]\\))([^\\]*)/i;
/** A device by its name: drives and volumes alone are certainly here. */
const DEVICE = /^(?:\\\\[?.]|\\\?\?)\\(?![a-z]:(?:\\|$)|Volume\{)/i;
/** Links that are followed, one after the other. */
const MOST_LINKS = 40;

/**
 * The other machine that a path is on by its text alone, as something to compare; undefined for this one. A mount under
 * another name, and a drive letter of Windows, look like a folder of this machine.
 * @param path absolute
 */
export function machineIn(path: string, platform: NodeJS.Platform = process.platform): string | undefined {
  if (platform !== 'win32') {
    const [, folder, name] = REACHING.exec(path.replace(/^\/+/, '/')) ?? [];
    return name === undefined ? undefined : `${folder}/${name}`.toLowerCase();
  }
  const text = path.replaceAll('/', '\\');
  const host = UNC.exec(text)?.[1] ?? DEVICE.exec(text)?.[0];
  return host?.toLowerCase();
}

/**
 * As `realpathSync`, but nothing looks at another machine that a link or the path names (Z-15). That of the working folder and of
 * the home is the person's own choice.
 * @param path also with `..` in it, which the system reads after the links before it
 * @param meant a path whose machine is meant as well: left out, the one that is asked for is not a stranger's
 * @throws PrecedentError `invalid` for another machine; as `lstatSync` for nothing
 */
export function realPath(path: string, meant = path): string {
  const requireHere = (each: string) => {
    const machine = machineIn(each);
    if (machine === undefined || [meant, here().cwd(), realHome()].some((own) => machineIn(own) === machine))
      return each;
    throw invalid.unsafe_file(
      `Expected a path on this machine, found one that leads to another, ${machine}: ${path}. Name that path itself if it is meant.`,
    );
  };
  const isWindows = process.platform === 'win32';
  const whole = isWindows || !isAbsolute(path) ? resolve(path) : path;
  let [at, left] = opened(requireHere(whole));
  let links = 0;
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    if (name === '..') {
      at = dirname(at);
      continue;
    }
    const next = join(at, name);
    // With what follows, so that not even the folder of all machines is looked at.
    requireHere(join(next, left.toReversed().join('/')));
    requireHere(next);
    if (!lstatSync(next).isSymbolicLink()) {
      at = next;
      continue;
    }
    links += 1;
    if (links > MOST_LINKS) throw Object.assign(new Error(`too many links: ${path}`), { code: 'ELOOP' });
    const target = readlinkSync(next);
    if (isAbsolute(target)) {
      const [root, names] = opened(requireHere(target));
      [at, left] = [root, left.concat(names)];
    } else left = left.concat(namesIn(target));
  }
  return at;
}

/** The root of an absolute path, and the names below it, the last one first. */
function opened(path: string): [root: string, names: string[]] {
  const { root } = parse(path);
  return [root, namesIn(path.slice(root.length))];
}

const namesIn = (path: string) =>
  path
    .split(process.platform === 'win32' ? /[\\/]/ : '/')
    .filter((name) => name !== '' && name !== '.')
    .reverse();

function realHome(): string {
  try {
    return realpathSync(homeHere());
  } catch {
    return '';
  }
}

/** {@link realPath}; undefined for whatever that refuses, and for nothing. */
export function realIfHere(path: string, meant?: string): string | undefined {
  try {
    return realPath(path, meant);
  } catch {
    return undefined;
  }
}

/** The target of a path, as {@link realPath}; undefined for nothing, for another machine, and where that cannot be found out. */
export function statHere(path: string, meant?: string): Stats | undefined {
  const real = realIfHere(path, meant);
  return real === undefined ? undefined : lookAt(real);
}

/** The entry at a path itself, whatever it links to; undefined for nothing, and where that cannot be found out. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
