/** A select field. */
export function Choice(props: {
  label: string;
  value: string;
  options: [value: string, shown: string][];
  choose: (value: string) => void;
  /** Whether a form is refused while the empty value is chosen. */
  isRequired?: boolean;
}) {
  const { value, options } = props;
  const isThere = options.some(([each]) => each === value);
  return (
    <label>
      {props.label}
      <select
        required={props.isRequired}
        value={value}
        onChange={({ currentTarget }) => props.choose(currentTarget.value)}
      >
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
