/** Counts what comes, up to a limit. */
export interface ByteCount {
  /** Counts these; false once there are more than the limit. */
  takes(bytes: number): boolean
  /** Begins again. */
  reset(): void
}

/** @param onExcess called once when there are more than `most` */
export function createByteCount(most: number, onExcess: () => void): ByteCount {
  let sum = 0
  return {
    takes(bytes) {
      const isNew = sum <= most
      sum += bytes
      if (isNew && sum > most) onExcess()
      return sum <= most
    },
    reset() {
      sum = 0
    },
  }
}
