/** One of several values; '' is none of them. */
export function Choice(props: {
  label: string;
  value: string;
  options: [value: string, shown: string][];
  choose: (value: string) => void;
}) {
  const { value, options } = props;
  const isThere = options.some(([each]) => each === value);
  return (
    <label>
      {props.label}
      <select value={value} onChange={({ currentTarget }) => props.choose(currentTarget.value)}>
        {!isThere && <option value={value}>{value}</option>}
        {options.map(([each, shown]) => (
          <option key={each} value={each}>
            {shown}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A day. */
export function DateField(props: { label: string; value: string; choose: (value: string) => void }) {
  return (
    <label>
      {props.label}
      <input
        type="date"
        value={props.value}
        onChange={({ currentTarget }) => props.choose(currentTarget.value)}
      />
    </label>
  );
}

/** Words, taken when the field is left or Enter is pressed. */
export function TextField(props: { label: string; value: string; choose: (value: string) => void }) {
  return (
    <label>
      {props.label}
      <input
        type="search"
        maxLength={200}
        autocomplete="off"
        value={props.value}
        onChange={({ currentTarget }) => props.choose(currentTarget.value.trim())}
      />
    </label>
  );
}
