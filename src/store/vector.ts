/** A vector as bytes: 32-bit floats one after the other, lowest byte first. */
export function toBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The vector that {@link toBytes} wrote. */
export function toFloats(bytes: Uint8Array): Float32Array {
  // A view needs an aligned start, which the driver does not promise.
  return bytes.byteOffset % 4 === 0
    ? new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
    : new Float32Array(bytes.slice().buffer);
}
