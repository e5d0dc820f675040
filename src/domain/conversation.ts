/** Names of conversations that hold a name: that of an account, or of a token. */
const FACE = /^(cli|http):/;

/** The conversation of a person at the command line (M-12). */
export function cliConversation(account: string): string {
  return `cli:${account}`;
}

/**
 * Names conversations so that nobody is named in them (K-4). Each function counts for itself: within one export, two
 * conversations stay two.
 */
export function unnamedConversations(): (conversation: string) => string {
  let count = 0;
  return (conversation) => {
    const [, face] = FACE.exec(conversation) ?? [];
    return face === undefined ? conversation : `${face}:${++count}`;
  };
}
