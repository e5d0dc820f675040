import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useSpeech } from '../words/words.ts';

interface DialogProps {
  title: string;
  close: () => void;
  /** Makes it a form, with a button that does this and one that closes it. */
  send?: () => unknown;
  /** The text of that button: what it does. */
  does?: string;
  /** Why it could not be done. */
  problem?: string | undefined;
  children: ComponentChildren;
}

/** A modal dialog. Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, close, send, does, problem, children }: DialogProps) {
  const { t } = useSpeech();
  const dialog = useRef<HTMLDialogElement>(null);
  // At once: a key that follows the one that opened it is for the dialog.
  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onClose={close}>
      <h2 id="dialog-title">{title}</h2>
      {send ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          {children}
          {problem && (
            <p role="alert" class="warning">
              {problem}
            </p>
          )}
          <p class="buttons">
            <button type="submit" class="main">
              {does}
            </button>
            <button type="button" onClick={close}>
              {t.cancel}
            </button>
          </p>
        </form>
      ) : (
        children
      )}
    </dialog>
  );
}
