/** A number where one was typed, also as an observation is shown, `#38`. Any other text stays, for whom it is to refuse. */
export function numberOr(value: string): unknown {
  const plain = value.trim().replace(/^#(?=\d+$)/, '');
  return plain !== '' && !Number.isNaN(Number(plain)) ? Number(plain) : value;
}
