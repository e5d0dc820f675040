/** Kinds of access; each includes those before it. `sync` says what anybody is said to have written (Y-8). */
export const ACCESS = ['read', 'write', 'sync'] as const;
export type Access = (typeof ACCESS)[number];

/** The identity and the rights of a caller (H-2). */
export interface Grant {
  /** The token's name, or the subject of an identity provider: for the audit, the limits and the conversation (M-12). */
  name: string;
  /** The author of its writes (K-4). */
  author: string;
  /** Whether it was made for a person: nothing else that is written with it is a person's word (Z-14). */
  person: boolean;
  /** The workspaces that it may see; undefined for every one that is served. */
  workspaces: readonly string[] | undefined;
  access: Access;
  /** Milliseconds UTC. */
  expires: number;
}

/** Whether a grant covers a workspace. Others do not exist for its holder. */
export function covers({ workspaces }: Pick<Grant, 'workspaces'>, workspace: string): boolean {
  return workspaces === undefined || workspaces.includes(workspace);
}

/** Whether a grant allows this kind of access. */
export function allows({ access }: Pick<Grant, 'access'>, wanted: Access): boolean {
  return ACCESS.indexOf(access) >= ACCESS.indexOf(wanted);
}
