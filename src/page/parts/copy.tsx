import { useState } from 'preact/hooks';
import { useSpeech } from '../words/words.ts';

/** A button that copies a text. */
export function Copy({ label, text }: { label: string; text: () => string }) {
  const { t } = useSpeech();
  const [isCopied, setCopied] = useState(false);
  // Browsers offer the clipboard only to local pages and over TLS.
  if (!navigator.clipboard) return null;
  const copy = () =>
    navigator.clipboard.writeText(text()).then(
      () => setCopied(true),
      () => {},
    );
  return (
    <>
      <button type="button" class="small" onClick={copy}>
        {label}
      </button>
      <span role="status" class="note">
        {isCopied && t.copied}
      </span>
    </>
  );
}
