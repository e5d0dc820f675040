import { useSession } from '../data/session.ts';
import { TABLES } from '../data/tables.ts';
import { useSpeech } from '../words/words.ts';

/** Buttons that save the rows which a list shows as a file. */
export function SaveRows({ rows }: { rows: readonly object[] }) {
  const { t } = useSpeech();
  const { view } = useSession().route;
  if (rows.length === 0) return null;
  const save = (format: keyof typeof TABLES) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([TABLES[format](rows)]));
    link.download = `precedent-${view}.${format}`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <span class="buttons saves">
      {(Object.keys(TABLES) as (keyof typeof TABLES)[]).map((format) => (
        <button
          type="button"
          key={format}
          class="small"
          title={t.saveAs(format.toUpperCase())}
          onClick={() => save(format)}
        >
          {format.toUpperCase()}
        </button>
      ))}
    </span>
  );
}
