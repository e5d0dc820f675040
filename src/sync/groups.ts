/** Which names mean the same. */
export class Groups {
  readonly #parents = new Map<string, string>();

  of(name: string): string {
    let at = name;
    for (let up = this.#parents.get(at); up !== undefined; up = this.#parents.get(at)) at = up;
    if (at !== name) this.#parents.set(name, at);
    return at;
  }

  join(one: string, other: string): void {
    const [a, b] = [this.of(one), this.of(other)];
    if (a !== b) this.#parents.set(a, b);
  }
}
