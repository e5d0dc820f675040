import { Dialog } from '../parts/dialog.tsx';
import { useSpeech } from '../words/words.ts';

/** The keys of the page. */
export function Help({ close }: { close: () => void }) {
  const { t } = useSpeech();
  const keys: [string[], string][] = [
    [['/'], t.keySearch],
    [['1', '…', '7'], t.keyGo],
    [['↑', '↓', '←', '→'], t.keyMove],
    [['Enter'], t.keyOpen],
    [['+', '−', '0'], t.keyZoom],
    [['Esc'], t.keyBack],
    [['?'], t.keyHelp],
  ];
  return (
    <Dialog title={t.helpTitle} close={close}>
      <dl class="keys">
        {keys.map(([names, what]) => (
          <div key={what}>
            <dt>
              {names.map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" class="main">
          {t.close}
        </button>
      </form>
    </Dialog>
  );
}
