import { useState } from 'preact/hooks';
import { useSpeech } from '../words/words.ts';

/** Copies the address of a view: it holds no token, and can be given to others. */
export function CopyLink() {
  const { t } = useSpeech();
  const [isCopied, setCopied] = useState(false);
  // Browsers give the clipboard to pages of this machine and to those that came by TLS.
  if (!navigator.clipboard) return null;
  const copy = () =>
    navigator.clipboard.writeText(location.href).then(
      () => setCopied(true),
      () => {},
    );
  return (
    <button type="button" class="small" onClick={copy}>
      <span role="status">{isCopied ? t.copied : t.copyLink}</span>
    </button>
  );
}
