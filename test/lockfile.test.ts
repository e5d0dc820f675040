import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

interface Package {
  optionalDependencies?: Record<string, string>;
}

describe('package-lock.json', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, Package>;
  };

  /** Where Node would find a dependency of a package: beside it, or in any folder above. */
  function has(from: string, name: string): boolean {
    for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
      if (`${folder}${folder && '/'}node_modules/${name}` in packages) return true;
      if (folder === '') return false;
    }
  }

  it('has the packages of every platform: newer npm refuses to install from one that lacks any', () => {
    const missing = Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !has(folder, name)),
    );
    assert.deepEqual(missing, []);
  });

  it('names no registry', () => {
    assert.doesNotMatch(readFileSync('package-lock.json', 'utf8'), /"resolved"/);
  });
});
